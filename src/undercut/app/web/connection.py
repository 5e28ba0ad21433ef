"""The connection of one page: it reads messages, carries them out and answers."""

import hmac
import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from secrets import token_hex

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from undercut import __version__
from undercut.app.company import Person, read_name
from undercut.app.profile import profiles
from undercut.app.statistics import statistics
from undercut.app.stored_games import Pledge
from undercut.app.web import protocol
from undercut.app.web.connection_limits import Doors
from undercut.app.web.download_tickets import Tickets
from undercut.app.web.first_moves import FirstMoves
from undercut.app.web.guest_seats import Guest, Seats
from undercut.app.web.keys import prove
from undercut.app.web.lobby_catalog import find_problem, games_offered, guests, kept
from undercut.app.web.table_requests import carry_out, refused, refusing
from undercut.app.web.tables import Tables
from undercut.kernels.records import Seat
from undercut.play.secret_seeds import new_secret
from undercut.text.errors import IllegalAction
from undercut.text.translation import ENGLISH, LANGUAGES, say, speaking

PATIENCE = 10.0  # seconds that a page has to prove its key
OUTBOX = 64  # messages in the queue to a page
POLICY, TOO_BIG, TRY_LATER = 1008, 1009, 1013  # codes of a closed WebSocket


@dataclass(frozen=True)
class Limits:
    """The rate limit of a page."""

    rate: float = 20.0  # messages in a second
    burst: int = 60  # messages at once


class Allowance:
    """The messages that a page may still send; time adds more."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._left, self._at = limits, float(limits.burst), time.monotonic()

    def take(self) -> bool:
        """Count a message; False if it exceeds the limit."""
        now = time.monotonic()
        gained = (now - self._at) * self._limits.rate
        self._left, self._at = min(self._left + gained, float(self._limits.burst)), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass(frozen=True)
class House:
    """The parts of a server that all pages share."""

    tables: Tables
    seats: Seats
    tickets: Tickets
    doors: Doors
    key: str  # the owner's
    limits: Limits
    first_moves: FirstMoves | None = None


class Connection:
    def __init__(self, websocket: WebSocket, house: House, guest: Guest | None = None) -> None:
        """`guest` is the seat of the page; None for the owner's."""
        self._websocket, self._house, self._guest = websocket, house, guest
        self._tables, self._allowance = house.tables, Allowance(house.limits)
        asked = websocket.query_params.get("language", ENGLISH)
        self.language = asked if asked in LANGUAGES else ENGLISH
        self._send, self._outgoing = anyio.create_memory_object_stream[str](OUTBOX)
        self._group = anyio.create_task_group()
        self._closing = 0
        self.person = Person()
        self._pledge: Pledge | None = None

    def tell(self, message: protocol.Told) -> None:
        """Queue a message; drop a page that does not read."""
        try:
            self._send.send_nowait(protocol.format_told(message))
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._close(TRY_LATER)

    async def run(self) -> None:
        """Admit a page that has the key, and answer it until either side closes."""
        with suppress(WebSocketDisconnect), closing(self._send), closing(self._outgoing):
            await self._websocket.accept()
            with speaking(self.language):  # also for the tasks that start here
                if await self._is_let_in():
                    self._house.doors.prove(self._websocket.scope["client"])
                    await self._talk()
                else:
                    await self._websocket.send_text(protocol.format_told(protocol.Shut(self._shut)))
                    self._closing = POLICY
            if self._closing and self._websocket.application_state is WebSocketState.CONNECTED:
                await self._websocket.close(self._closing)

    async def _is_let_in(self) -> bool:
        """Whether the page proves its key; until then the server reads no disk for it."""
        guest, nonce = self._guest, token_hex(32)
        key = self._house.key if guest is None else self._house.seats.key(guest)
        host, place = self._websocket.headers["host"], "/" if guest is None else guest.place
        await self._websocket.send_text(protocol.format_told(protocol.Challenge(nonce)))
        with anyio.move_on_after(PATIENCE):
            received = await self._websocket.receive()
            given = protocol.parse_proof(received.get("text") or "")
            wanted = prove(key or token_hex(32), host, place, nonce)
            return hmac.compare_digest(given.encode(errors="replace"), wanted.encode())
        return False

    @property
    def _shut(self) -> str:
        if self._guest is not None:
            return say("Open the whole link that you were sent: it has the key to your seat.")
        return say("Open the link that undercut play has printed: it has the key to this table.")

    async def _talk(self) -> None:
        async with self._group:
            self._group.start_soon(self._write)
            try:
                await self._read()
            finally:  # before the group waits for its threads: a review stops once its page has gone
                self._leave_tables()
            self._group.cancel_scope.cancel()

    def _leave_tables(self) -> None:
        self._tables.forget(self)
        self._tables.practice.forget(self)
        if self._house.first_moves is not None:
            self._house.first_moves.forget(self)

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
        """Start to answer a message, or refuse it."""
        if not self._allowance.take():
            self._refuse(say("too many messages: wait a moment"))
        elif text is None:
            self._refuse(say("only text is understood"))
        elif len(text.encode(errors="replace")) > protocol.LONGEST:
            self._close(TOO_BIG)
        else:
            try:
                asked = protocol.parse_asked(text)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                self._refuse(say("not understood: {error}", error=error))
            else:
                self._group.start_soon(self._answer, asked)

    async def _answer(self, asked: protocol.Asked) -> None:
        with refusing(self.tell):
            await self._do(asked)

    async def _do(self, asked: protocol.Asked) -> None:
        tables, store, guest = self._tables, self._tables.store, self._guest
        seat = None if guest is None else guest.seat
        if guest is not None:
            if not isinstance(asked, protocol.ForGuests):
                raise IllegalAction(say("only the person who set the table may do that"))
            if getattr(asked, "number", guest.number) != guest.number:
                raise IllegalAction(say("your link is for another game"))
        if isinstance(asked, protocol.AtTable):
            await self._at_table(asked, seat)
            return
        match asked:
            case protocol.Introduce():
                self.person = Person(read_name(asked.name), asked.face)
                await tables.rename(self)
            case protocol.Ticket():
                ticket = self._house.tickets.give(asked.number)
                self.tell(protocol.TicketGiven(asked.number, ticket))
            case protocol.Lobby():
                await self._show_lobby()
            case protocol.Begin():
                await self._begin(asked)
            case protocol.Check():
                why = await anyio.to_thread.run_sync(find_problem, asked.opponent, asked.game)
                self.tell(protocol.Checked(asked.opponent, why))
            case protocol.Seal():
                self._pledge = Pledge(new_secret(), token_hex(16))
                self.tell(protocol.Sealed(self._pledge.seal))
            case protocol.Again():
                await self._sit_down(await tables.again(asked))
            case protocol.Links():
                self.tell(await self._invite(asked.number))
            case protocol.Practice():
                self.tell(await tables.practice.show(asked))
            case protocol.Try():
                self.tell(await tables.practice.attempt(asked))
            case protocol.Reveal():
                self.tell(await tables.practice.reveal(asked))
            case protocol.Collect():
                await tables.practice.collect(self)
            case protocol.Quiz():
                self.tell(await tables.quiz.show())
            case protocol.Guess():
                self.tell(await tables.quiz.guess(asked))
            case protocol.Statistics():
                sums = await anyio.to_thread.run_sync(statistics, store)
                found = await anyio.to_thread.run_sync(profiles, store)
                self.tell(protocol.StatisticsShown(sums, found))
            case protocol.Delete():
                if self._house.first_moves is not None:
                    await self._house.first_moves.end(asked.number)
                await tables.delete(asked.number)
                self._house.seats.forget(asked.number)
                await self._show_lobby()

    async def _at_table(self, asked: protocol.AtTable, seat: Seat | None = None) -> None:
        """Do what the page asks of a table; its first moves may be played by another process."""
        first_moves = self._house.first_moves
        if first_moves is None or not await first_moves.take(asked, self, seat):
            await carry_out(self._tables, asked, self, seat)

    async def _begin(self, asked: protocol.Begin) -> None:
        pledge = self._take_pledge(asked.words) if asked.words else None
        await self._sit_down(await self._tables.begin(asked, self, pledge))

    async def _sit_down(self, number: int) -> None:
        """Show the owner the table, and the links of guests if there are any."""
        await self._at_table(protocol.Open(number))
        links = await self._invite(number)
        if links.invitations:
            self.tell(links)

    async def _invite(self, number: int) -> protocol.LinksShown:
        found = await anyio.to_thread.run_sync(self._house.seats.invitations, number)
        return protocol.LinksShown(number, tuple(protocol.Invitation(*each) for each in found))

    def _take_pledge(self, words: str) -> Pledge:
        """The committed seed of this page, with its words, for one game."""
        pledge, self._pledge = self._pledge, None
        if pledge is None:
            raise IllegalAction(say("ask for a seal before you name your words"))
        return replace(pledge, words=words)

    async def _show_lobby(self) -> None:
        offered = await anyio.to_thread.run_sync(games_offered, self.language)
        further = guests(self.language)
        self._leave_tables()
        store = self._tables.store
        if self._house.first_moves is not None:
            self._house.first_moves.prepare_likely()
        games = await anyio.to_thread.run_sync(store.games)
        damaged = await anyio.to_thread.run_sync(store.damaged)
        stored = tuple(kept(each) for each in games)
        self.tell(protocol.LobbyShown(offered, stored, tuple(damaged), further, __version__))

    def _refuse(self, why: str) -> None:
        self.tell(refused(why))

    def _close(self, code: int) -> None:
        self._closing = code
        self._group.cancel_scope.cancel()
