"""Matches of kernel agents on CPU threads: whole matches in one call, with nothing else asked."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import Any, TypeAlias

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.records import Array, Records
from undercut.play.agent import KernelAgent
from undercut.play.desk import Desk, make_desk
from undercut.play.fused.checked import checker
from undercut.play.fused.loop import chain_settings, fuse

SECONDS = 0.02  # that a call of the kernels takes, about: between two looks at Ctrl-C
APART = 256  # bytes between what two threads write, so that neither waits for the other's cache
SHARES = 4  # every thread gets this many calls or more, so that all end at about the same time

Work = Callable[[slice], None]  # does a part of the matches
Progress = Callable[[int], None]  # hears how many more matches are done
Reports: TypeAlias = SimpleQueue[int | BaseException | None]


def play_on_threads(
    game: Game,
    agents: Sequence[KernelAgent],
    series: Records,
    first: int,
    results: Records,
    traces: Array,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Play matches from number `first` on; results and traces are filled in."""

    def make() -> Work:
        return _player(game, agents, series, first, results, traces)

    work_on_threads(make, len(results), workers, progress)


def work_on_threads(
    make: Callable[[], Work],
    count: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Do something for every match of `count`; each thread has work, and buffers, of its own."""
    threads = workers or os.cpu_count() or 1
    do = make()
    do(slice(0, 0))  # compile before the threads start, with nothing to do
    tasks = _Tasks(count, max(1, count // (SHARES * threads)))
    if threads == 1:
        for done in tasks.do(do):
            _tell(progress, done)
        return
    reports: Reports = SimpleQueue()
    crew = [
        threading.Thread(target=_do_all, args=(tasks, make(), reports), daemon=True)
        for _ in range(threads)
    ]
    for thread in crew:
        thread.start()
    try:
        _wait(reports, len(crew), progress)
    finally:
        tasks.stop()
        for thread in crew:
            thread.join()


def _do_all(tasks: "_Tasks", work: Work, reports: Reports) -> None:
    """What each thread does; None or an error is the last it reports."""
    try:
        for done in tasks.do(work):
            reports.put(done)
        reports.put(None)
    except BaseException as error:
        reports.put(error)


def _wait(reports: Reports, threads: int, progress: Progress | None) -> None:
    while threads:
        word = reports.get()
        if isinstance(word, BaseException):
            raise word
        if word is None:
            threads -= 1
        else:
            _tell(progress, word)


def _tell(progress: Progress | None, done: int) -> None:
    if progress is not None:
        progress(done)


class _Tasks:
    """Matches to be seen to, given out a part at a time; parts grow until they take a while."""

    def __init__(self, count: int, largest: int) -> None:
        self._count, self._largest = count, largest
        self._next = 0
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Give out no more."""
        with self._lock:
            self._next = self._count

    def do(self, work: Work) -> Iterator[int]:
        """Do parts until there are none left; yields the size of each."""
        size = 1
        while True:
            with self._lock:
                part = slice(self._next, min(self._next + size, self._count))
                self._next = part.stop
            if part.start >= part.stop:
                return
            began = time.perf_counter()
            work(part)
            yield part.stop - part.start
            if time.perf_counter() - began < SECONDS / 2:
                size = min(2 * size, self._largest)


def _player(
    game: Game,
    agents: Sequence[KernelAgent],
    series: Records,
    first: int,
    results: Records,
    traces: Array,
) -> Work:
    """A function that plays a part of the matches, with buffers of its own."""
    rules = game.rules
    looks = any(agent.looks for agent in agents)
    choosers = tuple(agent.choose for agent in agents)
    play_matches = fuse(rules, choosers, looks, is_allowed=checker(rules)).play_matches
    buffers: Any = map(_own, make_desk(game, series))
    desk = Desk(*buffers)
    settings = chain_settings(agents)
    workspace = _own(np.zeros(max(1, *(agent.workspace for agent in agents)), dtype=np.int64))

    def play(part: slice) -> None:
        play_matches(desk, first + part.start, settings, workspace, results[part], traces[part])

    return play


def _own(array: Array) -> Array:
    """The same in memory of one thread, with nothing else near it."""
    room = np.zeros(array.nbytes + 2 * APART, dtype=np.uint8)[APART : APART + array.nbytes]
    own = room.view(array.dtype).reshape(array.shape).view(type(array))
    own[...] = array
    return own
