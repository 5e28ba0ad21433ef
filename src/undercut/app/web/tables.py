"""The open tables: each handles one change at a time and shows it to all its watchers.

Agents answer in a thread, so other tables need not wait. Watchers see the table when a person has a
choice or the deal is over, not after every action: forced moves of agents must look the same as
their choices. For the same reason fast answers of agents appear after a fixed time. Then a watcher
gets all moves at once; the page shows them one after the other.
"""

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Protocol, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from undercut.app import coach
from undercut.app.agent_pool import seat_agent
from undercut.app.company import Person
from undercut.app.history import Moment, Past
from undercut.app.rematch import begin_again
from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.app.stored_games import PLAYING, Pledge, Stored, StoreError
from undercut.app.warm_up import Part, Report, note_rehearsed, rehearse, time_answers
from undercut.app.web import protocol
from undercut.app.web.lobby_catalog import check_opponent
from undercut.app.web.pacing import Tempo
from undercut.app.web.reviews import SAMPLES, NotWanted, Page, finished_deals, reviews
from undercut.app.web.snapshot import hint_shown, move_shown, rules_of, snapshot
from undercut.games.characters import CHARACTERS
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.description import YOU, Company
from undercut.kernels.records import Seat
from undercut.play.agent import AnyAgent
from undercut.play.records.record import format_record
from undercut.play.secret_seeds import new_secret
from undercut.play.seeds import AnySeed, check_seed
from undercut.text.errors import IllegalAction, OptionsError, UndercutError
from undercut.text.translation import ENGLISH, mark, say, say_as, speaking

PACE = 0.4  # the shortest time of agents' answers, in seconds
READERS = 4  # tables that compute hints or earlier plies at the same time
THINKERS = 16  # tables whose agents think at the same time


CHANGED = mark("the table has changed since: look again")
T = TypeVar("T")
Deed = Callable[[Session], None]
"""A person's change of a session, without the answers of agents; may raise IllegalAction."""
Moves = dict[tuple[Seat, str], protocol.MoveShown]  # one move, by the seat and the language
Parts = tuple[str, tuple[str, ...]]  # what is compiled together: a game and its players
Seen = tuple[Seat | None, protocol.TableShown | None]
"""The seat of a watcher, None for the owner's, and the table that he has seen last."""


class Watcher(Protocol):
    """A page that shows a table, in a language, to a person."""

    language: str
    person: Person

    def tell(self, message: protocol.Told) -> None:
        """Queue a message."""


class Table:
    """An open game, with a session for each of its people."""

    def __init__(self, store: Store, stored: Stored, tempo: Tempo) -> None:
        self.number, self.lock, self.tempo = stored.number, anyio.Lock(), tempo
        self.reading = anyio.Lock()  # hints and earlier plies are computed in order
        self.watchers: dict[Watcher, Seat] = {}
        self.owner = stored.people[0]
        self._store = store
        self._named = dict(stored.named)
        self._opponents = tuple(spec for spec in stored.players if spec != YOU)
        self.read()

    def read(self) -> None:
        """Load the stored game; watchers see nothing before `look`."""
        self._kept = Kept(self._store, self._store.find(self.number))
        people = self._kept.people
        self._kept.host.named = self._named
        self.sessions = {seat: Session.beside(self._kept.host, seat) for seat in people}
        self.shown: dict[tuple[Seat, str], protocol.TableShown] = {}  # by the seat and the language
        self.moment = Moment.of(self._kept.host)
        self._moves: list[tuple[tuple[int, int], Moves]] = []  # by deal and ply
        self._shown_at = (-1, 0)  # the deal and the ply that watchers have seen
        self._kept.host.watch(self._note_move)

    def name(self, seat: Seat, person: Person) -> bool:
        """Show all watchers what a person has said about himself; whether it is new."""
        if person == Person() or person == self._named.get(seat):
            return False
        self._named[seat] = person
        if not self.lock.locked():
            self.shown = {
                (each, spoken): self._seen_in(spoken, each) for each, spoken in self.shown
            }
        for watcher in [*self.watchers] if self.is_settled else ():
            self.show_again(watcher)
        return True

    async def keep_name(self, seat: Seat) -> None:
        """Store what a person has said about himself."""
        await anyio.to_thread.run_sync(self._store.name, self.number, seat, self._named[seat])

    def _at(self) -> tuple[int, int]:
        session = self.sessions[self.owner]
        return session.deal_number, session.acted

    def _note_move(self) -> None:
        """Describe the table between two moves; an undo repeats moves that were shown."""
        session = self.sessions[self.owner]
        if session.is_deal_over or self._at() <= self._shown_at:
            return
        seen: Moves = {}
        for watcher, seat in [*self.watchers.items()]:
            if (seat, watcher.language) not in seen:
                with speaking(watcher.language):
                    seen[seat, watcher.language] = move_shown(self.sessions[seat])
        self._moves.append((self._at(), seen))

    def seat(self, asked: Seat | None) -> Seat:
        """Check that a person has the seat; None is the owner's."""
        seat = self.owner if asked is None else asked
        if seat not in self.sessions:
            message = say(
                "none of you sits in seat {seat} of game {number}",
                seat=seat + 1,
                number=self.number,
            )
            raise IllegalAction(message)
        return seat

    @property
    def is_settled(self) -> bool:
        """Whether watchers have seen the current table and no agent has to answer."""
        return bool(self.shown) and not self.sessions[self.owner].is_agents_turn

    def answers(self) -> tuple[int, int] | None:
        """The deal and the number of agents' events; None for a new table that nobody has seen."""
        session = self.sessions[self.owner]
        done = sum(event.seat not in self.sessions for event in session.events)
        is_new = not self.shown and done == len(session.events)
        return None if is_new else (session.deal_number, done)

    def answer(self) -> float:
        """Let the agents answer; return the seconds."""
        start = time.monotonic()
        if not self.shown and not self._moves:
            self._note_move()  # the table as the agents find it
        self.sessions[self.owner].go_on()
        return time.monotonic() - start

    def look(self) -> None:
        """Describe the current table for all watchers, and store its state."""
        languages = {watcher.language for watcher in [*self.watchers]} or {ENGLISH}
        self.shown = {
            (seat, language): self._seen_in(language, seat)
            for seat in self.sessions
            for language in languages
        }
        self.moment = Moment.of(self._kept.host)
        self._shown_at = self._at()
        self._kept.note()

    def look_back(self, moment: Moment, seat: Seat, asked: protocol.Look) -> protocol.PastShown:
        """The table for a seat at an earlier ply, in a deal from 1."""
        past = Past(moment, asked.ply, asked.deal - 1)
        hands = past.hands() if moment.may_show(asked.deal - 1) else ()
        return protocol.PastShown(self._seen(Session.at(past, seat)), hands)

    def _seen_in(self, language: str, seat: Seat) -> protocol.TableShown:
        with speaking(language):
            return self._seen(self.sessions[seat])

    def show_again(self, watcher: Watcher) -> None:
        """Show a new watcher the table that the others have seen.

        During a change, a watcher with a new language waits for the next table.
        """
        if not self.lock.locked() or (self.watchers[watcher], watcher.language) in self.shown:
            self.show_to(watcher)

    def show_to(self, watcher: Watcher) -> None:
        watcher.tell(self.seen_by(watcher))

    def seen_by(self, watcher: Watcher) -> protocol.TableShown:
        """The current table for a watcher."""
        seat, language = self.watchers[watcher], watcher.language
        if (seat, language) not in self.shown:  # the first watcher with this language
            self.shown[seat, language] = self._seen_in(language, seat)
        return self.shown[seat, language]

    def _seen(self, session: Session) -> protocol.TableShown:
        return snapshot(session, self.number, self._opponents, self._kept.pledge)

    def show(self) -> None:
        """Show every watcher the moves and the table of his own seat."""
        noted = [seen for at, seen in self._moves if at < self._shown_at]
        self._moves = []
        for watcher, seat in [*self.watchers.items()]:
            key = seat, watcher.language
            if moves := tuple(seen[key] for seen in noted if key in seen):
                watcher.tell(protocol.MovesShown(self.number, moves))
            self.show_to(watcher)

    def tell(self, message: protocol.Told) -> None:
        for watcher in [*self.watchers]:
            watcher.tell(message)


class Tables:
    """All open tables; a page watches one at a time."""

    def __init__(self, store: Store, pace: float = PACE) -> None:
        self.store, self.pace = store, pace
        self._open: dict[int, Table] = {}
        self._opening: dict[int, anyio.Lock] = {}
        self._watched: dict[Watcher, Table] = {}
        self._thinkers = anyio.CapacityLimiter(THINKERS)
        self._readers = anyio.CapacityLimiter(READERS)
        self._reviewers = anyio.CapacityLimiter(1)  # a review has all cores
        self._rehearsed: dict[Parts, float] = {}  # seconds of an answer
        self._rehearsing: defaultdict[Parts, Lock] = defaultdict(Lock)
        self.rehearses_first = True  # whether a game is begun only when it is compiled

    async def begin(
        self, asked: protocol.Begin, watcher: Watcher, pledge: Pledge | None = None
    ) -> int:
        """Store a new game and return its number; `pledge` has a player's words."""

        def begin() -> int:
            game, agents = invite(asked.game, asked.opponents, asked.people)
            players = [*[YOU] * asked.people, *asked.opponents]
            if self.rehearses_first:
                self.prepare(game, [*[None] * asked.people, *agents], _reporter(watcher))
            seed = new_secret() if pledge is None else pledge.mixed
            return self.store.begin(game, players, seed, asked.training, pledge).number

        return await anyio.to_thread.run_sync(begin)

    async def again(self, asked: protocol.Again) -> int:
        """Store a rematch and return its number."""

        def begin() -> int:
            return begin_again(self.store, self.store.find(asked.number), asked.how).number

        return await anyio.to_thread.run_sync(begin)

    def prepare(
        self, game: Game, players: Sequence[AnyAgent | None], report: Report = lambda *news: None
    ) -> float:
        """Compile everything that a match needs; return the seconds of the slowest answer."""
        parts = (game.name, tuple(YOU if each is None else each.name for each in players))
        with self._rehearsing[parts]:
            if parts not in self._rehearsed:
                rehearse(game, players, report)
                self._rehearsed[parts] = time_answers(game, players)
                note_rehearsed(game, players)
                gc.collect()
                gc.freeze()  # the compiler's many objects stay, and scanning them is slow
            return self._rehearsed[parts]

    def _make(self, number: int, watcher: Watcher | None) -> Table:
        stored = self.store.find(number)
        took = self.prepare(*invited(stored), _reporter(watcher))
        return Table(self.store, stored, Tempo(self.pace, took))

    def record(self, number: int) -> str:
        """The record of a game that has ended."""
        stored = self.store.find(number)
        if stored.state == PLAYING:
            message = say("the match is still in play: its record would show hidden cards")
            raise IllegalAction(message)
        invited(stored)  # refuses agents from files
        return format_record(Kept(self.store, stored).host.record())

    async def _opened(self, number: int, watcher: Watcher | None) -> Table:
        """A table, the same for all pages that open it."""
        lock = self._opening.setdefault(number, anyio.Lock())
        try:
            async with lock:
                if number not in self._open:
                    self._open[number] = await anyio.to_thread.run_sync(self._make, number, watcher)
                return self._open[number]
        finally:
            if not lock.locked():
                self._opening.pop(number, None)

    def is_open(self, number: int) -> bool:
        return number in self._open or number in self._opening

    async def watch(self, number: int, watcher: Watcher, seat: Seat | None = None) -> None:
        """Show a table to a page, now and after each change; seat None is the owner's."""
        table = await self._opened(number, watcher)
        mine = table.seat(seat)
        if self._watched.get(watcher) is not table:
            self.forget(watcher)
        watcher.tell(rules_of(table.sessions[mine], number))
        self._watched[watcher] = table
        table.watchers[watcher] = mine
        is_new = table.name(mine, watcher.person)
        if table.is_settled or (table.shown and table.lock.locked()):
            table.show_again(watcher)
        if table.lock.locked():
            watcher.tell(protocol.Thinking(number))
        elif not table.is_settled:
            async with table.lock:
                await self._happen(table, lambda: None)
        if is_new:
            await table.keep_name(mine)

    async def rename(self, watcher: Watcher) -> None:
        """Show and store what a person has said about himself, if his page watches a table."""
        table = self._watched.get(watcher)
        if table is not None and table.name(seat := table.watchers[watcher], watcher.person):
            await table.keep_name(seat)

    async def adopt(self, number: int, seen: dict[Watcher, Seen]) -> None:
        """Go on with a table that another process has played until now.

        A watcher who has seen the same table there is told nothing. The others are told the rules
        too, without which a page can show no table.
        """
        table, renamed = await self._opened(number, None), []
        for watcher, (seat, last) in seen.items():
            self._watched[watcher] = table
            mine = table.watchers[watcher] = table.seat(seat)
            if table.name(mine, watcher.person):
                renamed.append(mine)
            if last is None:  # the process may have ended before its first answer
                with speaking(watcher.language):
                    watcher.tell(rules_of(table.sessions[mine], number))
        for each in renamed:
            await table.keep_name(each)
        async with table.lock:
            if table.sessions[table.owner].is_agents_turn:
                await self._happen(table, lambda: None)
                return
            await anyio.to_thread.run_sync(table.look)
            for watcher, (_, last) in seen.items():
                if watcher in table.watchers and table.seen_by(watcher) != last:
                    table.show_to(watcher)
        self._close_if_empty(table)

    def forget(self, watcher: Watcher) -> None:
        """Remove a watcher; close a table without watchers."""
        table = self._watched.pop(watcher, None)
        if table is not None:
            table.watchers.pop(watcher, None)
            if not table.lock.locked():
                self._close_if_empty(table)

    async def change(self, number: int, ply: int, deed: Deed, seat: Seat | None = None) -> None:
        """Change a table, and let the agents answer."""
        table = self._find(number)
        session = table.sessions[table.seat(seat)]
        if table.lock.locked():
            raise IllegalAction(say("it is not your turn: the others are still thinking"))
        async with table.lock:
            if session.acted != ply:
                raise IllegalAction(say(CHANGED))
            await self._happen(table, lambda: deed(session))

    async def _happen(self, table: Table, act: Callable[[], None]) -> None:
        with anyio.CancelScope(shield=True):  # also if the page has gone
            try:
                await self._act(table, act)
            finally:
                self._close_if_empty(table)

    def _close_if_empty(self, table: Table) -> None:
        if not table.watchers and self._open.get(table.number) is table:
            del self._open[table.number]

    async def _act(self, table: Table, act: Callable[[], None]) -> None:
        start, before, is_refused = time.monotonic(), table.answers(), False
        try:
            await anyio.to_thread.run_sync(act)
            table.tell(protocol.Thinking(table.number))  # the choice is on the disk
            took = await anyio.to_thread.run_sync(table.answer, limiter=self._thinkers)
            if before is None or table.answers() != before:
                due = start + table.tempo.time_for(took)
                await anyio.sleep(max(0.0, due - time.monotonic()))
        except IllegalAction:  # nothing has changed
            is_refused = True
            raise
        except StoreError:  # another process changed or deleted it, or the disk failed
            await self._read_again(table)
            raise
        finally:
            if not is_refused:
                try:
                    await anyio.to_thread.run_sync(table.look)
                finally:
                    table.show()

    async def _read_again(self, table: Table) -> None:
        try:
            await anyio.to_thread.run_sync(table.read)
        except UndercutError:
            self._open.pop(table.number, None)

    async def hint(self, asked: protocol.Hint, watcher: Watcher, seat: Seat | None = None) -> None:
        """Tell what each move is worth, more exactly each time, until the table changes."""
        table, is_now = self._find(asked.number), asked.deal is None
        mine, moment = table.seat(seat), table.moment
        if is_now and len(moment.actions) != asked.ply:
            raise IllegalAction(say(CHANGED))

        def advise(samples: int) -> coach.Advice:
            deal = None if is_now else (asked.deal or 0) - 1
            if is_now and moment.is_left:
                raise IllegalAction(say("there is nothing to choose now"))
            return coach.advise(Session.at(Past(moment, asked.ply, deal), mine), samples)

        for samples in coach.SAMPLES:
            advice = await self._work_out(table, partial(advise, samples))
            if is_now and table.moment is not moment:
                return
            watcher.tell(hint_shown(asked.number, asked.ply, advice))

    async def belief(
        self, asked: protocol.Belief, seat: Seat | None = None
    ) -> protocol.BeliefShown | None:
        """Where the hidden cards may be, for a seat; None if the table has changed meanwhile."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment
        if len(moment.actions) != asked.ply:
            raise IllegalAction(say(CHANGED))

        def believe() -> tuple[coach.Believed, ...]:
            return coach.believe(Session.at(Past(moment, asked.ply), mine))

        seats = await self._work_out(table, believe)
        if table.moment is not moment:
            return None
        return protocol.BeliefShown(asked.number, asked.ply, seats)

    async def judge(self, asked: protocol.Judge, seat: Seat | None = None) -> protocol.Judged:
        """What the tutor says of a move, at a table of one person."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment
        if len(table.sessions) > 1:
            raise IllegalAction(say("the tutor is only for tables of one person"))
        if len(moment.actions) != asked.ply:
            raise IllegalAction(say(CHANGED))

        def judge() -> str:
            return coach.judge(Session.at(Past(moment, asked.ply), mine), asked.action)

        error = await self._work_out(table, judge)
        return protocol.Judged(asked.number, asked.ply, asked.action, error)

    async def look_back(self, asked: protocol.Look, seat: Seat | None = None) -> protocol.PastShown:
        """A table at an earlier ply."""
        table = self._find(asked.number)
        look = partial(table.look_back, table.moment, table.seat(seat), asked)
        return await self._work_out(table, look)

    async def review(
        self, asked: protocol.Review, watcher: Watcher, seat: Seat | None = None
    ) -> None:
        """Review the finished deals, and tell the page each time that more is known."""
        table = self._find(asked.number)
        mine, moment = table.seat(seat), table.moment
        if len(table.sessions) > 1 and not (moment.is_over or moment.is_left):
            raise IllegalAction(say("several people see the review when the match has ended"))
        names = table.sessions[mine].names
        page, done = Page(asked.number, mine, Company(names)), 0

        def step() -> None:
            nonlocal done
            done += 1
            if self._watched.get(watcher) is not table:
                raise NotWanted

        def review() -> None:
            deals = finished_deals(moment)
            of = len(SAMPLES) * sum(len(deal.moments) for deal in deals)
            called = [page.company.called(each) for each in range(len(names))]
            with suppress(NotWanted):
                for found in reviews(moment.game, called, deals, step):
                    told = page.shown(found, done, of)
                    anyio.from_thread.run_sync(watcher.tell, told)

        await anyio.to_thread.run_sync(review, limiter=self._reviewers)

    async def _work_out(self, table: Table, work: Callable[[], T]) -> T:
        """Compute something about a table in a thread, without delaying its players."""
        async with table.reading:
            return await anyio.to_thread.run_sync(work, limiter=self._readers)

    async def delete(self, number: int) -> None:
        table = self._open.get(number)
        if table is not None and table.lock.locked():
            raise IllegalAction(say("the others are still thinking"))
        await anyio.to_thread.run_sync(self.store.delete, number)
        table = self._open.pop(number, None)
        if table is not None:
            table.tell(protocol.Gone(number))

    def _find(self, number: int) -> Table:
        table = self._open.get(number)
        if table is None:
            raise IllegalAction(say("game {number} is not open: open it first", number=number))
        return table


def _reporter(watcher: Watcher | None) -> Report:
    """Tells a page the progress of compilation, from a thread."""

    def report(ready: int, of: int, part: Part, name: str) -> None:
        if watcher is not None:
            called = say_as("player", CHARACTERS[name].name) if name in CHARACTERS else name
            message = protocol.Preparing(ready, of, part, called)
            anyio.from_thread.run_sync(watcher.tell, message)

    return report


def invite(
    game_spec: str, opponents: Sequence[str], people: int = 1
) -> tuple[Game, list[AnyAgent]]:
    """A game and its agents; since a page names them, agents from files are refused."""
    game = parse_game(game_spec)
    if people > game.seats:
        values = {"count": people, "game": game.name, "seats": game.seats}
        raise OptionsError(say("{count} people: {game} is for {seats}", **values))
    if len(opponents) != game.seats - people:
        raise OptionsError(
            say(
                "{count} opponents: {game} is played against {others}",
                count=len(opponents),
                game=game.name,
                others=game.seats - people,
            )
        )
    for spec in opponents:
        check_opponent(spec, game)
    return game, [seat_agent(spec, game) for spec in opponents]


def invited(stored: Stored) -> tuple[Game, list[AnyAgent | None]]:
    """A stored game and its players, None for people."""
    specs = [spec for spec in stored.players if spec != YOU]
    game, agents = invite(stored.game, specs, len(stored.people))
    seated = iter(agents)
    return game, [None if spec == YOU else next(seated) for spec in stored.players]


def begin_game(
    store: Store,
    game: Game,
    opponents: Sequence[str],
    training: bool = False,
    seed: AnySeed | None = None,
    people: int = 1,
) -> int:
    """Store a new game with people in the first seats, and return its number."""
    chosen = new_secret() if seed is None else check_seed(seed)
    return store.begin(game, [*[YOU] * people, *opponents], chosen, training).number
