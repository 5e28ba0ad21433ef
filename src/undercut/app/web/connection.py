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
from undercut.app.store import Pledge
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
    Invitation,
    Leave,
    Links,
    LinksShown,
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
from undercut.app.web.seats import Guest, Seats
from undercut.app.web.tables import Tables
from undercut.core.errors import AgentError, IllegalAction, UndercutError
from undercut.core.words import ENGLISH, LANGUAGES, say, speaking
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

    def __init__(
        self,
        websocket: WebSocket,
        tables: Tables,
        seats: Seats,
        limits: Limits,
        guest: Guest | None = None,
    ) -> None:
        """`guest` is whose seat the page has; without, it is the owner's."""
        self._websocket, self._tables, self._allowance = websocket, tables, Allowance(limits)
        self._seats, self._guest = seats, guest
        asked = websocket.query_params.get("language", ENGLISH)
        self.language = asked if asked in LANGUAGES else ENGLISH
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
            with speaking(self.language):  # and with it all that is begun here
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
            self._refuse(say("too many messages: wait a moment"))
        elif text is None:
            self._refuse(say("only text is understood"))
        elif len(text.encode(errors="replace")) > LONGEST:
            self._close(TOO_BIG)
        else:
            try:
                asked = parse_asked(text)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                self._refuse(say("not understood: {error}", error=error))
            else:
                self._group.start_soon(self._answer, asked)

    async def _answer(self, asked: Asked) -> None:
        try:
            await self._do(asked)
        except AgentError:  # its words name what the other seat may do
            _log.exception("an opponent could not answer")
            self._refuse(say("an opponent could not answer; the game is kept as it was"))
        except UndercutError as error:
            self._refuse(str(error))
        except Exception:  # a page is told no more than that
            _log.exception("a message could not be answered")
            self._refuse(say("that went wrong on the server; the game is kept as it was"))

    async def _do(self, asked: Asked) -> None:
        match asked:
            case Open() | Play() | Assist() | Next() | Undo() | Hint() | Look():
                await self._do_at_table(asked)
            case _ if self._guest is not None:
                raise IllegalAction(say("that is for whoever has set the table"))
            case Lobby():
                await self._show_lobby()
            case Begin():
                await self._begin(asked)
            case Check():
                why = await anyio.to_thread.run_sync(find_problem, asked.opponent, asked.game)
                self.tell(Checked(asked.opponent, why))
            case Seal():
                self._pledge = Pledge(new_seed(), token_hex(16))
                self.tell(Sealed(self._pledge.seal))
            case Again():
                await self._sit_down(await self._tables.again(asked))
            case Links():
                await self._show_links(asked.number)
            case Leave():
                await self._tables.change(asked.number, asked.ply, deeds.LEAVE)
            case Statistics():
                found = await anyio.to_thread.run_sync(statistics, self._tables.store)
                self.tell(StatisticsShown(found))
            case Delete():
                await self._tables.delete(asked.number)
                await self._show_lobby()

    async def _do_at_table(self, asked: Open | Play | Assist | Next | Undo | Hint | Look) -> None:
        """What a guest may ask for too, in the own seat alone."""
        tables, guest = self._tables, self._guest
        if guest is not None and asked.number != guest.number:
            raise IllegalAction(say("your link is for another game"))
        seat = None if guest is None else guest.seat
        match asked:
            case Open():
                await tables.watch(asked.number, self, seat)
            case Play():
                await tables.change(asked.number, asked.ply, deeds.play(asked.action), seat)
            case Assist():
                await tables.change(asked.number, asked.ply, deeds.ASSIST, seat)
            case Next():
                await tables.change(asked.number, asked.ply, deeds.NEXT, seat)
            case Undo():
                await tables.change(asked.number, asked.ply, deeds.UNDO, seat)
            case Hint():
                self.tell(await tables.hint(asked, seat))
            case Look():
                self.tell(await tables.look_back(asked, seat))

    async def _begin(self, asked: Begin) -> None:
        pledge = self._take_pledge(asked.words) if asked.words else None
        await self._sit_down(await self._tables.begin(asked, self, pledge))

    async def _sit_down(self, number: int) -> None:
        """The owner's seat, and what the guests are sent if there are any."""
        await self._tables.watch(number, self)
        if await anyio.to_thread.run_sync(self._seats.guests, number):
            await self._show_links(number)

    async def _show_links(self, number: int) -> None:
        def invite() -> tuple[Invitation, ...]:
            guests = self._seats.guests(number)
            return tuple(Invitation(guest.seat, self._seats.path(guest)) for guest in guests)

        self.tell(LinksShown(number, await anyio.to_thread.run_sync(invite)))

    def _take_pledge(self, words: str) -> Pledge:
        """The seed that was sealed for this page, with its words; it serves for one game."""
        pledge, self._pledge = self._pledge, None
        if pledge is None:
            raise IllegalAction(say("ask for a seal before you name your words"))
        return replace(pledge, words=words)

    async def _show_lobby(self) -> None:
        offered = await anyio.to_thread.run_sync(games_offered, self.language)
        self._tables.forget(self)
        games = await anyio.to_thread.run_sync(self._tables.store.games)
        stored = tuple(kept(each) for each in games)
        self.tell(LobbyShown(offered, stored, __version__))

    def _refuse(self, why: str) -> None:
        self.tell(Refused(" ".join(why.split())))

    def _close(self, code: int) -> None:
        self._closing = code
        self._group.cancel_scope.cancel()
