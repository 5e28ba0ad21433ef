"""Fused play on CPU threads, in calls short enough for Ctrl-C."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TypeAlias

import numpy as np

from undercut.kernels.records import Array
from undercut.play.agent import KernelAgent
from undercut.play.desk import Desk, make_desk
from undercut.play.fused.checked import checked_matches, checker
from undercut.play.fused.loop import chain_settings, fuse
from undercut.play.job import Job, Progress

SECONDS = 0.02  # the aimed length of one call; Ctrl-C is noticed between calls
APART = 256  # bytes between the buffers of two threads, against false sharing of cache lines
SHARES = 4  # the fewest calls for each thread, so that all threads end at about the same time

Work = Callable[[slice], None]  # plays a slice of the matches
Reports: TypeAlias = SimpleQueue[int | BaseException | None]


def play_on_threads(job: Job[KernelAgent], workers: int | None = None) -> None:
    """Play the matches of a job."""
    work_on_threads(lambda: _player(job), len(job.results), workers, job.progress)


def work_on_threads(
    make: Callable[[], Work],
    count: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Process `count` matches on threads; each thread calls `make` for its own work and buffers."""
    threads = workers or os.cpu_count() or 1
    do = make()
    do(slice(0, 0))  # an empty slice: compiles before the threads start
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
    """The body of each thread. Its last report is None or an error."""
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
    """A queue of matches, given out in slices that grow until one takes about SECONDS."""

    def __init__(self, count: int, largest: int) -> None:
        self._count, self._largest = count, largest
        self._next = 0
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Give out no more slices."""
        with self._lock:
            self._next = self._count

    def do(self, work: Work) -> Iterator[int]:
        """Work until no slice is left; yields the size of each slice."""
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


def _player(job: Job[KernelAgent]) -> Work:
    """A function that plays a slice of the matches in its own buffers."""
    rules, agents = job.game.rules, job.agents
    looks = any(agent.looks for agent in agents)
    choosers = tuple(agent.choose for agent in agents)
    play_matches = fuse(
        rules, choosers, looks, is_allowed=checker(rules, checked_matches())
    ).play_matches
    desk = Desk(*map(_own, make_desk(job.game, job.series)))
    settings = chain_settings(agents)
    workspace = _own(np.zeros(max(1, *(agent.workspace for agent in agents)), dtype=np.int64))

    def play(part: slice) -> None:
        results, traces = job.results[part], job.traces[part]
        play_matches(desk, job.first + part.start, settings, workspace, results, traces)

    return play


def _own(array: Array) -> Array:
    """A copy of an array with padding on both sides, for one thread."""
    room = np.zeros(array.nbytes + 2 * APART, dtype=np.uint8)[APART : APART + array.nbytes]
    own = room.view(array.dtype).reshape(array.shape).view(type(array))
    own[...] = array
    return own
