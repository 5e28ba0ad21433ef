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
from threading import Lock

import anyio
import anyio.from_thread
import anyio.to_thread

from undercut.app.agent_pool import seat_agent
from undercut.app.history import Moment
from undercut.app.rematch import begin_again
from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.app.stored_games import PLAYING, Pledge, Stored, StoreError
from undercut.app.warm_up import Part, Report, note_rehearsed, rehearse, time_answers
from undercut.app.web import protocol
from undercut.app.web.insight import Insight
from undercut.app.web.lobby_catalog import check_opponent
from undercut.app.web.pacing import Tempo
from undercut.app.web.practice import Practice
from undercut.app.web.reading_quiz import Quiz
from undercut.app.web.snapshot import rules_of
from undercut.app.web.table import CHANGED, Table, Watcher
from undercut.games.characters import CHARACTERS
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.description import YOU
from undercut.kernels.records import Seat
from undercut.play.agent import AnyAgent
from undercut.play.records.record import format_record
from undercut.play.secret_seeds import new_secret
from undercut.play.seeds import AnySeed, check_seed
from undercut.text.errors import IllegalAction, OptionsError, UndercutError
from undercut.text.translation import say, say_as, speaking

PACE = 0.4  # the shortest time of agents' answers, in seconds
THINKERS = 16  # tables whose agents think at the same time

Deed = Callable[[Session], None]
"""A person's change of a session, without the answers of agents; may raise IllegalAction."""
Parts = tuple[str, tuple[str, ...]]  # what is compiled together: a game and its players
Seen = tuple[Seat | None, protocol.TableShown | None]
"""The seat of a watcher, None for the owner's, and the table that he has seen last."""


class Tables:
    """All open tables; a page watches one at a time."""

    def __init__(self, store: Store, pace: float = PACE) -> None:
        self.store, self.pace = store, pace
        self._open: dict[int, Table] = {}
        self._opening: dict[int, anyio.Lock] = {}
        self._watched: dict[Watcher, Table] = {}
        self._thinkers = anyio.CapacityLimiter(THINKERS)
        self.insight = Insight(self._find, self._is_watched)
        self.practice = Practice(store, self._moment, self.insight.reviewers)
        self.quiz = Quiz(store, self._moment)
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

    def _moment(self, number: int) -> Moment:
        """A stored game as it is now, open or not."""
        stored = self.store.find(number)
        invited(stored)  # refuses agents from files
        return Moment.of(Kept(self.store, stored).host)

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

    async def delete(self, number: int) -> None:
        table = self._open.get(number)
        if table is not None and table.lock.locked():
            raise IllegalAction(say("the others are still thinking"))
        await anyio.to_thread.run_sync(self.store.delete, number)
        table = self._open.pop(number, None)
        if table is not None:
            table.tell(protocol.Gone(number))

    def _is_watched(self, table: Table, watcher: Watcher) -> bool:
        return self._watched.get(watcher) is table

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
