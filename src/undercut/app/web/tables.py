"""Tables that are open: at each, one thing happens at a time, and all who watch it see it.

Agents answer in a thread, so nobody else waits for them. A table is shown when a person has a
choice or the deal is over, not after every action: what agents were not asked, because nothing else
was allowed, must look the same as what they chose. For the same reason others take a moment, however
quickly they answer.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol

import anyio
import anyio.from_thread
import anyio.to_thread

from undercut.app.rehearsal import Part, rehearse
from undercut.app.session import Session
from undercut.app.shown import Shown
from undercut.app.store import PLAYING, Kept, Pledge, Store, Stored, StoreError, game_of
from undercut.app.web.catalog import check_opponent
from undercut.app.web.deeds import GO_ON, Deed
from undercut.app.web.protocol import (
    Again,
    Begin,
    Gone,
    Hint,
    HintShown,
    Look,
    PastShown,
    Preparing,
    TableShown,
    Thinking,
    Told,
)
from undercut.app.web.snapshot import snapshot
from undercut.core.agent import AnyAgent
from undercut.core.errors import IllegalAction, OptionsError
from undercut.core.rng import Seed
from undercut.games.agents import parse_agent
from undercut.games.contract import Game
from undercut.games.description import YOU
from undercut.games.families import parse_game
from undercut.play.fairness import new_seed
from undercut.play.record import format_record
from undercut.play.seeds import check_seed

PACE = 0.4  # seconds that the others take, at least


class Watcher(Protocol):
    """Whoever is shown a table."""

    def tell(self, message: Told) -> None:
        """Send a message, without waiting for it to arrive."""


class Table:
    """A game that is open."""

    def __init__(self, store: Store, stored: Stored) -> None:
        self.number, self.lock, self.watchers = stored.number, anyio.Lock(), set[Watcher]()
        self.opponents = tuple(spec for spec in stored.players if spec != YOU)
        self._kept = Kept(store, stored)
        self.session = Session.at(self._kept.host, self._kept.person)
        self.look()

    def look(self) -> None:
        """See how the table lies now, and keep it in the list of games."""
        self._kept.note()
        self.shown: TableShown = self._seen(self.session)

    def look_back(self, ply: int, deal: int) -> TableShown:
        """How it lay at a ply of the match, in a deal from 1."""
        return self._seen(self.session.past(ply, deal - 1))

    def _seen(self, session: Session) -> TableShown:
        return snapshot(session, self.number, self.opponents, self._kept.pledge)

    def tell(self, message: Told) -> None:
        """Tell all who watch."""
        for watcher in [*self.watchers]:
            watcher.tell(message)


class Tables:
    """All tables that are open."""

    def __init__(self, store: Store, pace: float = PACE) -> None:
        self.store, self._pace = store, pace
        self._open: dict[int, Table] = {}
        self._opening: dict[int, anyio.Lock] = defaultdict(anyio.Lock)
        self._rehearsed: set[tuple[str, tuple[str, ...]]] = set()

    async def begin(self, asked: Begin, watcher: Watcher, pledge: Pledge | None = None) -> int:
        """Keep a new game; its number. `pledge` has the words that are mixed in."""

        def begin() -> int:
            game, agents = invite(asked.game, asked.opponents)
            self._rehearse(game, agents, watcher)
            seed = new_seed() if pledge is None else pledge.mixed
            players = [YOU, *asked.opponents]
            return self.store.begin(game, players, seed, asked.training, pledge).number

        return await anyio.to_thread.run_sync(begin)

    async def again(self, asked: Again) -> int:
        """Keep a new game like one that has ended; its number.

        Who plays the same cards again knows them, whoever had them: that is training.
        """

        def begin() -> int:
            stored = self.store.find(asked.number)
            if stored.state == PLAYING:
                raise IllegalAction("the match is still in play: its cards are not shown yet")
            game = game_of(stored)
            if asked.how == "rematch":
                again = self.store.begin(game, stored.players, new_seed(), stored.training)
            else:
                turn = 1 if asked.how == "seats" else 0
                players = (
                    stored.players[-turn:] + stored.players[:-turn] if turn else stored.players
                )
                again = self.store.begin(game, players, stored.seed, True, stored.pledge)
            return again.number

        return await anyio.to_thread.run_sync(begin)

    def _rehearse(self, game: Game, agents: Sequence[AnyAgent], watcher: Watcher) -> None:
        """Have everything compiled before a person waits for it at the table."""

        def report(ready: int, of: int, part: Part, name: str) -> None:
            anyio.from_thread.run_sync(watcher.tell, Preparing(ready, of, part, name))

        parts = (game.name, tuple(agent.name for agent in agents))
        if parts not in self._rehearsed:
            rehearse(game, [None, *agents], report)
            self._rehearsed.add(parts)

    def _make(self, number: int, watcher: Watcher) -> Table:
        stored = self.store.find(number)
        self._rehearse(*_invited(stored), watcher)
        return Table(self.store, stored)

    def record(self, number: int) -> str:
        """The record of a game that has ended."""
        stored = self.store.find(number)
        _invited(stored)  # it names no file
        return format_record(Kept(self.store, stored).host.record())

    async def watch(self, number: int, watcher: Watcher) -> None:
        """Show a table to somebody, now and whenever it changes."""
        async with self._opening[number]:
            if number not in self._open:
                self._open[number] = await anyio.to_thread.run_sync(self._make, number, watcher)
            table = self._open[number]
            table.watchers.add(watcher)
        watcher.tell(table.shown)
        if table.lock.locked():
            watcher.tell(Thinking(number))
        elif table.shown.question is None and table.shown.summary is None:
            await self.change(number, table.shown.ply, GO_ON)

    def forget(self, watcher: Watcher) -> None:
        """Somebody looks no longer; a table that nobody looks at is closed."""
        for table in [*self._open.values()]:
            table.watchers.discard(watcher)
            if not table.lock.locked():
                self._close_if_empty(table)

    async def change(self, number: int, ply: int, deed: Deed) -> None:
        """Let something happen at a table, and the agents answer it."""
        table = self._find(number)
        async with table.lock:
            self._check(table, ply)
            problem = deed.problem(table.session)
            if problem:
                raise IllegalAction(problem)
            table.tell(Thinking(number))
            with anyio.CancelScope(shield=True):  # also when the one who asked is gone
                try:
                    await self._act(table, deed.do)
                finally:
                    self._close_if_empty(table)

    def _close_if_empty(self, table: Table) -> None:
        if not table.watchers and self._open.get(table.number) is table:
            del self._open[table.number]

    async def _act(self, table: Table, act: Callable[[Session], None]) -> None:
        start, before = time.monotonic(), _others(table.session)
        try:
            await anyio.to_thread.run_sync(act, table.session)
        except StoreError:
            self._open.pop(table.number, None)  # it went on elsewhere, and is to be read again
            raise
        finally:
            if _others(table.session) != before:
                await anyio.sleep(max(0.0, start + self._pace - time.monotonic()))
            await anyio.to_thread.run_sync(table.look)
            table.tell(table.shown)

    async def hint(self, asked: Hint) -> HintShown:
        """What the adviser would do."""

        def advise() -> tuple[str, str]:
            session = table.session
            if asked.deal is not None:
                session = session.past(asked.ply, asked.deal - 1)
            if not session.choices():
                raise IllegalAction("there is nothing to choose now")
            return Shown(session).advice()

        table = self._find(asked.number)
        async with table.lock:
            if asked.deal is None:
                self._check(table, asked.ply)
            position, text = await anyio.to_thread.run_sync(advise)
        return HintShown(asked.number, asked.ply, text, position)

    async def look_back(self, asked: Look) -> PastShown:
        """How a table lay."""
        table = self._find(asked.number)
        async with table.lock:
            return PastShown(await anyio.to_thread.run_sync(table.look_back, asked.ply, asked.deal))

    async def delete(self, number: int) -> None:
        """Forget a game."""
        table = self._open.get(number)
        if table is not None and table.lock.locked():
            raise IllegalAction("the others are still thinking")
        self.store.delete(number)
        self._open.pop(number, None)
        if table is not None:
            table.tell(Gone(number))

    def _find(self, number: int) -> Table:
        table = self._open.get(number)
        if table is None:
            raise IllegalAction(f"game {number} is not open: open it first")
        if table.lock.locked():
            raise IllegalAction("it is not your turn: the others are still thinking")
        return table

    def _check(self, table: Table, ply: int) -> None:
        if table.session.acted != ply:
            raise IllegalAction("the table has changed since: look again")


def invite(game_spec: str, opponents: Sequence[str]) -> tuple[Game, list[AnyAgent]]:
    """A game and who plays it against one person; a page names both, so no file is loaded."""
    game = parse_game(game_spec)
    if len(opponents) != game.seats - 1:
        raise OptionsError(
            f"{len(opponents)} opponents: {game.name} is played against {game.seats - 1}"
        )
    for spec in opponents:
        check_opponent(spec, game)
    return game, [parse_agent(spec, game) for spec in opponents]


def _invited(stored: Stored) -> tuple[Game, list[AnyAgent]]:
    return invite(stored.game, [spec for spec in stored.players if spec != YOU])


def begin_game(
    store: Store,
    game: Game,
    opponents: Sequence[str],
    training: bool = False,
    seed: Seed | None = None,
) -> int:
    """Keep a new game of a person in the first seat; its number."""
    chosen = new_seed() if seed is None else check_seed(seed)
    return store.begin(game, [YOU, *opponents], chosen, training).number


def _others(session: Session) -> tuple[int, int]:
    """How much the others have done, to see whether they did something."""
    return session.deal_number, sum(event.seat != session.person for event in session.events)
