"""The first moves of a game whose kernels are not compiled yet.

Compilation takes many seconds, so another process (interpreted.py) plays the table with compilation
off in the meantime. Both write the same log, and kernels give the same results either way. When
the kernels are ready, the other process ends and the server goes on from the log; a page sees
no difference. If that process is killed, the server goes on from the log too.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Thread

import anyio.to_thread
import msgspec

from undercut.app.agent_pool import seat_agent
from undercut.app.stored_games import PLAYING
from undercut.app.warm_up import is_rehearsed
from undercut.app.web import protocol
from undercut.app.web.table import Watcher
from undercut.app.web.tables import Seen, Tables, invited
from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.kernels.cache import is_cache_cold
from undercut.kernels.records import Seat
from undercut.play.agent import AnyAgent
from undercut.text.errors import UndercutError

MOST = 2  # interpreting processes at a time; further tables wait for the compiler
GRACE = 1.0  # seconds for such a process to end its last answer
_MODULE = "undercut.app.web.interpreted"

Asked = protocol.AtTable
_COMPILED = (
    protocol.Hint | protocol.Belief | protocol.Judge | protocol.Review
)  # they wait for kernels


class _GameBegun(Exception):
    """A game has begun while a likely one was compiled."""


class Interpreter:
    """A process with compilation off; it plays one table."""

    def __init__(self, tables: Tables) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE, str(tables.store.folder), str(tables.pace)],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.seen: dict[Watcher, Seen] = {}
        self.taken_over = asyncio.Event()
        self._watchers: dict[int, Watcher] = {}
        self._ended, self._is_ending = asyncio.Event(), False

    def listen(self, when_ended: Callable[[], None]) -> None:
        """Pass answers to the pages; call `when_ended` when no more can come."""
        loop = asyncio.get_running_loop()

        def end() -> None:
            self._ended.set()
            when_ended()

        def read() -> None:
            assert self._process.stdout is not None
            with self._process.stdout as answers:
                for line in answers:
                    with suppress(RuntimeError):  # the server has ended
                        loop.call_soon_threadsafe(self._tell, line)
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(end)

        Thread(target=read, daemon=True).start()

    def ask(self, watcher: Watcher, seat: Seat | None, asked: Asked | None) -> None:
        """Send a message of a page; None: the page has gone."""
        number = id(watcher)
        if asked is None:
            self.seen.pop(watcher, None)
            self._watchers.pop(number, None)
        else:
            self.seen[watcher] = seat, None  # the page waits for an answer
            self._watchers[number] = watcher
        line = protocol.format_passed(
            protocol.PassedOn(number, watcher.language, seat, asked, watcher.person)
        )
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it was killed, and the server takes over
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def _tell(self, line: bytes) -> None:
        try:
            back = protocol.parse_passed_back(line)
        except (msgspec.MsgspecError, UnicodeError):  # half a line of a killed process
            return
        watcher = self._watchers.get(back.watcher)
        if watcher is None:
            return
        if isinstance(back.told, protocol.Thinking | protocol.TableShown):
            last = back.told if isinstance(back.told, protocol.TableShown) else None
            self.seen[watcher] = self.seen[watcher][0], last
        watcher.tell(back.told)

    async def end(self) -> None:
        """End the process after its current answers, or a slow one without them."""
        assert self._process.stdin is not None
        self._is_ending = True
        with suppress(OSError):
            self._process.stdin.close()
        with anyio.move_on_after(GRACE):
            await self._ended.wait()
        self._process.kill()
        await self._ended.wait()
        await anyio.to_thread.run_sync(self._process.wait)

    @property
    def is_alive(self) -> bool:
        """Whether it takes messages."""
        return not self._is_ending and self._process.poll() is None


class FirstMoves:
    """The tables of a server that an interpreting process plays at first."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._at = tables, dict[int, Interpreter]()
        self._idle = Interpreter(tables) if is_cache_cold() else None
        self._work: set[asyncio.Task[None]] = set()
        tables.rehearses_first = False

    async def take(self, asked: Asked, watcher: Watcher, seat: Seat | None) -> bool:
        """Pass a message on to the process of its table; False if it has none."""
        here = self._at.get(asked.number)
        if here is None and isinstance(asked, protocol.Open):
            here = await self._sit_down(asked.number)
        if here is None:
            return False
        if isinstance(asked, _COMPILED) or not here.is_alive:
            await here.taken_over.wait()
            return False
        self.forget(watcher, but=here)
        self._tables.forget(watcher)
        here.ask(watcher, seat, asked)
        return True

    def forget(self, watcher: Watcher, but: Interpreter | None = None) -> None:
        """A page has left the table."""
        for here in self._at.values():
            if here is not but and watcher in here.seen:
                here.ask(watcher, None, None)

    async def end(self, number: int) -> None:
        """End the process of a table that is deleted."""
        here = self._at.pop(number, None)
        if here is not None:
            await here.end()
            here.taken_over.set()
            for watcher in here.seen:
                watcher.tell(protocol.Gone(number))

    def prepare_likely(self) -> None:
        """Compile the game that will probably be played: the last one, or the first one offered."""
        self._start(self._prepare_likely())

    async def _prepare_likely(self) -> None:
        def compile_it() -> None:
            game, players = self._likely()
            if not is_rehearsed(game, players):
                self._tables.prepare(game, players, self._give_way)

        with suppress(UndercutError, _GameBegun):  # then a person will see why
            await anyio.to_thread.run_sync(compile_it, abandon_on_cancel=True)

    def _give_way(self, *news: object) -> None:
        """Stop compiling a game that nobody has begun if somebody waits for another."""
        if self._at:
            raise _GameBegun

    def _likely(self) -> tuple[Game, list[AnyAgent | None]]:
        last = self._tables.store.games()[:1]
        if last:
            return invited(last[0])
        family = next(all_families())
        game = parse_game(next(iter(family.rules.PRESETS)))
        return game, [None, *[seat_agent(family.usual, game)] * (game.seats - 1)]

    async def _sit_down(self, number: int) -> Interpreter | None:
        """Begin to play a table in another process, unless its kernels are ready."""
        stored = await anyio.to_thread.run_sync(self._tables.store.find, number)
        if stored.state != PLAYING or self._tables.is_open(number):
            return None
        game, players = await anyio.to_thread.run_sync(invited, stored)
        if number in self._at:  # another page was faster
            return self._at[number]
        if is_rehearsed(game, players) or len(self._at) >= MOST:
            return None
        here, self._idle = self._idle or Interpreter(self._tables), None
        self._at[number] = here
        here.listen(lambda: self._start(self._take_over(number, here)))
        self._start(self._prepare(game, players, number, here))
        return here

    async def _prepare(
        self, game: Game, players: list[AnyAgent | None], number: int, here: Interpreter
    ) -> None:
        """Compile the kernels of a table; then its process ends, and the server takes it over."""
        try:
            with suppress(UndercutError):  # the pages will see it when the table is taken over
                await anyio.to_thread.run_sync(
                    self._tables.prepare, game, players, abandon_on_cancel=True
                )
        finally:
            if self._at.get(number) is here:
                await here.end()

    async def _take_over(self, number: int, here: Interpreter) -> None:
        """Go on in this process, from the log."""
        if self._at.get(number) is not here:  # the game was deleted
            return
        try:
            if here.seen:
                await self._tables.adopt(number, here.seen)
        finally:
            self._at.pop(number, None)
            here.taken_over.set()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        """Do something while pages are answered."""
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
