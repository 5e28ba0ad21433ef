"""One page that is connected: its messages are read, done or refused, and answered."""

import hmac
import logging
import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from operator import methodcaller
from secrets import token_hex

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from undercut import __version__
from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.app.statistics import statistics
from undercut.app.stored_games import Pledge, StoreError
from undercut.app.web.connection_limits import Doors
from undercut.app.web.download_tickets import Tickets
from undercut.app.web.guest_seats import Guest, Seats
from undercut.app.web.keys import prove
from undercut.app.web.lobby_catalog import find_problem, games_offered, kept
from undercut.app.web.protocol import (
    LONGEST,
    Again,
    Asked,
    Assist,
    Begin,
    Challenge,
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
    Shut,
    Statistics,
    StatisticsShown,
    Ticket,
    TicketGiven,
    Told,
    Undo,
    format_told,
    parse_asked,
    parse_proof,
)
from undercut.app.web.tables import Tables
from undercut.play.secret_seeds import new_secret
from undercut.text.errors import AgentError, IllegalAction, UndercutError
from undercut.text.translation import ENGLISH, LANGUAGES, say, speaking

PATIENCE = 10.0  # seconds that a page has to prove its key
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


@dataclass(frozen=True)
class House:
    """The parts of a server that all its pages share."""

    tables: Tables
    seats: Seats
    tickets: Tickets
    doors: Doors
    key: str  # the owner's
    limits: Limits


class Connection:
    """A page that is connected."""

    def __init__(self, websocket: WebSocket, house: House, guest: Guest | None = None) -> None:
        """`guest` is whose seat the page asks for; without, it is the owner's."""
        self._websocket, self._house, self._guest = websocket, house, guest
        self._tables, self._allowance = house.tables, Allowance(house.limits)
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
        """Let a page in that has the key, and talk until either side has enough."""
        with suppress(WebSocketDisconnect), closing(self._send), closing(self._outgoing):
            await self._websocket.accept()
            with speaking(self.language):  # and with it all that is begun here
                if await self._is_let_in():
                    self._house.doors.prove(self._websocket.scope["client"])
                    await self._talk()
                else:
                    await self._websocket.send_text(format_told(Shut(self._shut)))
                    self._closing = POLICY
            if self._closing and self._websocket.application_state is WebSocketState.CONNECTED:
                await self._websocket.close(self._closing)

    async def _is_let_in(self) -> bool:
        """Whether the page proves its key; nothing else is understood before, and no disk is read."""
        guest, nonce = self._guest, token_hex(32)
        key = self._house.key if guest is None else self._house.seats.key(guest)
        host, place = self._websocket.headers["host"], "/" if guest is None else guest.place
        await self._websocket.send_text(format_told(Challenge(nonce)))
        with anyio.move_on_after(PATIENCE):
            received = await self._websocket.receive()
            given = parse_proof(received.get("text") or "")
            wanted = prove(key or token_hex(32), host, place, nonce)
            return hmac.compare_digest(given.encode(errors="replace"), wanted.encode())
        return False

    @property
    def _shut(self) -> str:
        if self._guest is not None:
            return say("Open the whole link that you were sent: it has the key to your seat.")
        return say("Open the link that undercut play has printed: it has the key to this table.")

    async def _talk(self) -> None:
        try:
            async with self._group:
                self._group.start_soon(self._write)
                await self._read()
                self._group.cancel_scope.cancel()
        finally:
            self._tables.forget(self)

    async def _write(self) -> None:
        try:
            async for text in self._outgoing:
                await self._websocket.send_text(text)
        except WebSocketDisconnect:
            self._group.cancel_scope.cancel()

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
        """Begin to answer a message, or refuse it."""
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
        except StoreError as error:
            self._refuse(error.told)
        except UndercutError as error:
            self._refuse(str(error))
        except Exception:  # the page learns no more than that
            _log.exception("a message could not be answered")
            self._refuse(say("that went wrong on the server; the game is kept as it was"))

    async def _do(self, asked: Asked) -> None:
        match asked:
            case Open() | Play() | Assist() | Next() | Undo() | Hint() | Look() | Ticket():
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
                self._pledge = Pledge(new_secret(), token_hex(16))
                self.tell(Sealed(self._pledge.seal))
            case Again():
                await self._sit_down(await self._tables.again(asked))
            case Links():
                self.tell(await self._invite(asked.number))
            case Leave():
                await self._tables.change(asked.number, asked.ply, Session.leave)
            case Statistics():
                found = await anyio.to_thread.run_sync(statistics, self._tables.store)
                self.tell(StatisticsShown(found))
            case Delete():
                await self._tables.delete(asked.number)
                self._house.seats.forget(asked.number)
                await self._show_lobby()

    async def _do_at_table(
        self, asked: Open | Play | Assist | Next | Undo | Hint | Look | Ticket
    ) -> None:
        """Answer a message that guests may send too, each for the own seat alone."""
        tables, guest = self._tables, self._guest
        if guest is not None and asked.number != guest.number:
            raise IllegalAction(say("your link is for another game"))
        seat = None if guest is None else guest.seat
        match asked:
            case Open():
                await tables.watch(asked.number, self, seat)
            case Play():
                choose = methodcaller("choose", asked.action)
                await tables.change(asked.number, asked.ply, choose, seat)
            case Assist():
                await tables.change(asked.number, asked.ply, _assist, seat)
            case Next():
                await tables.change(asked.number, asked.ply, Session.deal_again, seat)
            case Undo():
                await tables.change(asked.number, asked.ply, Session.undo, seat)
            case Hint():
                if (found := await tables.hint(asked, seat)) is not None:
                    self.tell(found)
            case Look():
                self.tell(await tables.look_back(asked, seat))
            case Ticket():
                ticket = self._house.tickets.give(asked.number)
                self.tell(TicketGiven(asked.number, ticket))

    async def _begin(self, asked: Begin) -> None:
        pledge = self._take_pledge(asked.words) if asked.words else None
        await self._sit_down(await self._tables.begin(asked, self, pledge))

    async def _sit_down(self, number: int) -> None:
        """The owner's seat, and what the guests are sent if there are any."""
        await self._tables.watch(number, self)
        links = await self._invite(number)
        if links.invitations:
            self.tell(links)

    async def _invite(self, number: int) -> LinksShown:
        found = await anyio.to_thread.run_sync(self._house.seats.invitations, number)
        return LinksShown(number, tuple(Invitation(*each) for each in found))

    def _take_pledge(self, words: str) -> Pledge:
        """The seed that was sealed for this page, with its words; it serves for one game."""
        pledge, self._pledge = self._pledge, None
        if pledge is None:
            raise IllegalAction(say("ask for a seal before you name your words"))
        return replace(pledge, words=words)

    async def _show_lobby(self) -> None:
        offered = await anyio.to_thread.run_sync(games_offered, self.language)
        self._tables.forget(self)
        store = self._tables.store
        games = await anyio.to_thread.run_sync(store.games)
        damaged = await anyio.to_thread.run_sync(store.damaged)
        stored = tuple(kept(each) for each in games)
        self.tell(LobbyShown(offered, stored, tuple(damaged), __version__))

    def _refuse(self, why: str) -> None:
        self.tell(Refused(" ".join(why.split())))

    def _close(self, code: int) -> None:
        self._closing = code
        self._group.cancel_scope.cancel()


def _assist(session: Session) -> None:
    Shown(session).play_best()
