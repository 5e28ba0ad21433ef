"""One page that is connected: its messages are read, done or refused, and answered."""

import logging
import time
from dataclasses import dataclass, replace
from secrets import token_hex

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from undercut import __version__
from undercut.app.statistics import statistics
from undercut.app.store import Pledge, StoreError
from undercut.app.web import deeds
from undercut.app.web.catalog import find_problem, games_offered, kept
from undercut.app.web.protocol import (
    LONGEST,
    Again,
    Asked,
    Assist,
    Begin,
    Check,
    Checked,
    Delete,
    Hint,
    Leave,
    Lobby,
    LobbyShown,
    Look,
    Next,
    Open,
    Play,
    Refused,
    Seal,
    Sealed,
    Statistics,
    StatisticsShown,
    Told,
    Undo,
    format_told,
    parse_asked,
)
from undercut.app.web.tables import Tables
from undercut.core.errors import AgentError, IllegalAction, UndercutError
from undercut.play.fairness import new_seed

OUTBOX = 64  # messages that wait for a page that does not read
POLICY, TOO_BIG, TRY_LATER = 1008, 1009, 1013  # why a WebSocket is closed

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """How much a page may ask for."""

    rate: float = 20.0  # messages in a second
    burst: int = 60  # messages at once


class Allowance:
    """Messages that a page may still send: they come back with time."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._left, self._at = limits, float(limits.burst), time.monotonic()

    def take(self) -> bool:
        """One message more; whether it was allowed."""
        now = time.monotonic()
        gained = (now - self._at) * self._limits.rate
        self._left, self._at = min(self._left + gained, float(self._limits.burst)), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Connection:
    """A page that is connected."""

    def __init__(self, websocket: WebSocket, tables: Tables, limits: Limits) -> None:
        self._websocket, self._tables, self._allowance = websocket, tables, Allowance(limits)
        self._send, self._outgoing = anyio.create_memory_object_stream[str](OUTBOX)
        self._group = anyio.create_task_group()
        self._closing = 0
        self._pledge: Pledge | None = None

    def tell(self, message: Told) -> None:
        """Send a message, without waiting for it to arrive; a page that never reads is dropped."""
        try:
            self._send.send_nowait(format_told(message))
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._close(TRY_LATER)

    async def run(self) -> None:
        """Talk until either side has enough."""
        await self._websocket.accept()
        try:
            async with self._group:
                self._group.start_soon(self._write)
                await self._read()
                self._group.cancel_scope.cancel()
        finally:
            self._tables.forget(self)
            self._send.close()
            self._outgoing.close()
        if self._closing:
            await self._websocket.close(self._closing)

    async def _write(self) -> None:
        async for text in self._outgoing:
            await self._websocket.send_text(text)

    async def _read(self) -> None:
        while not self._closing:
            try:
                received = await self._websocket.receive()
            except WebSocketDisconnect:
                return
            if received["type"] == "websocket.disconnect":
                return
            self._take(received.get("text"))

    def _take(self, text: str | None) -> None:
        """Begin with what a message asks for, or refuse it."""
        if not self._allowance.take():
            self._refuse("too many messages: wait a moment")
        elif text is None:
            self._refuse("only text is understood")
        elif len(text.encode(errors="replace")) > LONGEST:
            self._close(TOO_BIG)
        else:
            try:
                asked = parse_asked(text)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                self._refuse(f"not understood: {error}")
            else:
                self._group.start_soon(self._answer, asked)

    async def _answer(self, asked: Asked) -> None:
        try:
            await self._do(asked)
        except AgentError:  # its words name what the other seat may do
            _log.exception("an opponent could not answer")
            self._refuse("an opponent could not answer; the game is kept as it was")
        except UndercutError as error:
            self._refuse(str(error))
            if isinstance(error, StoreError) and isinstance(asked, Play | Next | Undo | Leave):
                await self._look_again(asked.number)
        except Exception:  # a page is told no more than that
            _log.exception("a message could not be answered")
            self._refuse("that went wrong on the server; the game is kept as it was")

    async def _look_again(self, number: int) -> None:
        """A game that went on elsewhere, as it stands there."""
        try:
            await self._tables.watch(number, self)
        except UndercutError as error:
            self._refuse(str(error))

    async def _do(self, asked: Asked) -> None:
        tables = self._tables
        match asked:
            case Lobby():
                await self._show_lobby()
            case Begin():
                pledge = self._take_pledge(asked.words) if asked.words else None
                await tables.watch(await tables.begin(asked, self, pledge), self)
            case Check():
                why = await anyio.to_thread.run_sync(find_problem, asked.opponent, asked.game)
                self.tell(Checked(asked.opponent, why))
            case Seal():
                self._pledge = Pledge(new_seed(), token_hex(16))
                self.tell(Sealed(self._pledge.seal))
            case Again():
                await tables.watch(await tables.again(asked), self)
            case Open():
                await tables.watch(asked.number, self)
            case Play():
                await tables.change(asked.number, asked.ply, deeds.play(asked.action))
            case Assist():
                await tables.change(asked.number, asked.ply, deeds.ASSIST)
            case Next():
                await tables.change(asked.number, asked.ply, deeds.NEXT)
            case Undo():
                await tables.change(asked.number, asked.ply, deeds.UNDO)
            case Leave():
                await tables.change(asked.number, asked.ply, deeds.LEAVE)
            case Hint():
                self.tell(await tables.hint(asked))
            case Look():
                self.tell(await tables.look_back(asked))
            case Statistics():
                found = await anyio.to_thread.run_sync(statistics, tables.store)
                self.tell(StatisticsShown(found))
            case Delete():
                await tables.delete(asked.number)
                await self._show_lobby()

    def _take_pledge(self, words: str) -> Pledge:
        """The seed that was sealed for this page, with its words; it serves for one game."""
        pledge, self._pledge = self._pledge, None
        if pledge is None:
            raise IllegalAction("ask for a seal before you name your words")
        return replace(pledge, words=words)

    async def _show_lobby(self) -> None:
        offered = await anyio.to_thread.run_sync(games_offered)
        self._tables.forget(self)
        stored = tuple(kept(each) for each in self._tables.store.games())
        self.tell(LobbyShown(offered, stored, __version__))

    def _refuse(self, why: str) -> None:
        self.tell(Refused(" ".join(why.split())))

    def _close(self, code: int) -> None:
        self._closing = code
        self._group.cancel_scope.cancel()
