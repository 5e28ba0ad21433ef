"""Fused play on a GPU: the loop of a CPU thread, with one thread for each match.

While the GPU plays one part of the matches, the results of the part before are copied back.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from types import FunctionType

import numpy as np

from undercut.games.contract import Rules
from undercut.games.rules.pace import LATE, lays_down, pace_of
from undercut.kernels.jit import hole, hole_value
from undercut.kernels.records import Action, Array, Kind, Layout, Records, Settings, View, array_of
from undercut.kernels.rng import GENERATOR
from undercut.play.agent import KernelAgent
from undercut.play.desk import Desk, write_result
from undercut.play.fused.checked import checked_matches, checker
from undercut.play.fused.loop import chain_settings, fuse, never_hold, play_match
from undercut.play.gpu.target import (
    GpuKernel,
    compile_for_gpu,
    cuda,
    is_simulated,
    load_cuda,
    multiprocessors,
)
from undercut.play.job import Job
from undercut.play.series import MATCH

# A fused match is more code than the GPU's instruction cache holds. It runs best as one large block
# on each multiprocessor, whose threads stay in step: docs/speed.md has the measurements.
THREADS = 1024
REGISTERS = 64  # so that a block of that size fits
PATIENCE = 24  # turns that a thread waits at the end of a deal, at most, until
COMPANY = 0.9  # this share of its block waits too
PART = 1 << 22  # matches whose results are copied together
LINES = 2  # parts in flight: one is played while the other is copied
COPIERS = 16  # threads that copy on the host: one alone is slower than the GPU

# Bound by `_entry`.


@hole
def clear_view(view: View) -> None: ...


match_type: Layout = hole_value()
state_type: Layout = hole_value()
view_type: Layout = hole_value()
generator_type: Layout = hole_value()
generator_count: int = hole_value()
legal_size: int = hole_value()
workspace_size: int = hole_value()


def _play_on_device(
    results: Records,
    count: int,
    series: Records,
    first: int,
    options: Records,
    settings: Settings,
    traces: Array,
) -> None:
    """One thread plays one match after another, with its buffers in local memory."""
    matches = cuda.local.array(1, match_type)
    states = cuda.local.array(1, state_type)
    views = cuda.local.array(1, view_type)
    generators = cuda.local.array((1, generator_count), generator_type)
    out = cuda.local.array((1, legal_size), np.int64)
    workspace = cuda.local.array(workspace_size, np.int64)
    clear_view(views[0])
    desk = Desk(series, options, matches, states, views, generators, out)
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        play_match(desk, first + i, settings, workspace, traces[i])
        write_result(matches[0], results[i])


def _hold_late(step: int, waited: int) -> bool:
    """Whether to wait at the end of a deal for more threads of the block."""
    late = step == LATE
    cuda.syncwarp()
    company = cuda.syncthreads_count(np.int32(1) if late else np.int32(0))
    return late and waited < PATIENCE and company < COMPANY * cuda.blockDim.x


def _hold(rules: Rules, looks: bool) -> Callable[[int, int], bool]:
    """Waiting pays in games that end with laying down hands, if agents read the view."""
    return _hold_on_gpu() if looks and lays_down(rules) and not is_simulated() else never_hold


@cache
def _hold_on_gpu() -> Callable[[int, int], bool]:
    numba_cuda = load_cuda()
    function = FunctionType(_hold_late.__code__, {**globals(), "cuda": numba_cuda}, "hold_late")
    hold: Callable[[int, int], bool] = numba_cuda.jit(function, device=True)
    return hold


def _entry(
    rules: Rules, choosers: tuple[Callable[..., Action], ...], looks: bool, workspace: int
) -> GpuKernel:
    """The GPU kernel for a game and a line-up."""
    hold, check = _hold(rules, looks), checker(rules, checked_matches("cuda"))
    return compile_for_gpu(
        _play_on_device,
        REGISTERS,
        play_match=fuse(rules, choosers, looks, pace_of(rules), hold, check).play_match,
        clear_view=rules.clear_view,
        match_type=np.dtype((np.record, MATCH)),
        state_type=np.dtype((np.record, rules.STATE)),
        view_type=np.dtype((np.record, rules.VIEW)),
        generator_type=np.dtype((np.record, GENERATOR)),
        generator_count=rules.SEATS[1] + 1,
        legal_size=rules.LEGAL,
        workspace_size=max(1, workspace),
    )


class _Line:
    """A CUDA stream with buffers for the results of one part, on the device and on the host."""

    def __init__(self, layout: Layout, size: int, width: int, kind: Kind) -> None:
        cuda = load_cuda()
        self._stream = cuda.stream()
        self._there = cuda.device_array(size, dtype=layout)
        self._here = cuda.pinned_array(size, dtype=layout)
        self._traces = cuda.to_device(np.zeros((size, width), dtype=kind))
        self._began, self._ended = cuda.event(), cuda.event()
        self._part: slice | None = None

    def clear(self) -> "_Line":
        """Drop the part that an interrupted batch may have left."""
        self._stream.synchronize()
        self._part = None
        return self

    def play(self, part: slice, kernel: GpuKernel, arguments: tuple[object, ...]) -> None:
        """Start to play a part and to copy its results; returns at once."""
        count = part.stop - part.start
        threads = min(THREADS, count)
        blocks = min(multiprocessors(), -(-count // threads))
        self._began.record(self._stream)
        kernel.launch((blocks, threads, self._stream), self._there, count, *arguments, self._traces)
        self._ended.record(self._stream)
        self._there.copy_to_host(self._here, stream=self._stream)
        self._part = part

    def collect(self, results: Records, traces: Array) -> tuple[int, float]:
        """Wait for the part in flight, if any, and copy its results.

        Returns the number of matches and the seconds that the GPU played.
        """
        if self._part is None:
            return 0, 0.0
        self._stream.synchronize()
        part, self._part = self._part, None
        count = part.stop - part.start
        _copy(self._here[:count], results[part])
        if traces.shape[1]:
            traces[part] = self._traces.copy_to_host()[:count]
            traces[part][np.arange(traces.shape[1]) >= results[part]["choices"][:, None]] = 0
        return count, self._began.elapsed_time(self._ended) / 1000


def play_whole(job: Job[KernelAgent]) -> float:
    """Play the matches of a job; returns the GPU's seconds without copies."""
    game, agents, results, traces = job.game, job.agents, job.results, job.traces
    numba_cuda, size = load_cuda(), min(PART, 1 << (len(results) - 1).bit_length())
    workspace = max(agent.workspace for agent in agents)
    looks = any(agent.looks for agent in agents)
    kernel = _entry(game.rules, tuple(agent.choose for agent in agents), looks, workspace)
    series, options, settings = (
        numba_cuda.to_device(job.series),
        numba_cuda.to_device(array_of(game.options)),
        chain_settings(agents),
    )
    lines = [
        _line(results.dtype, size, traces.shape[1], traces.dtype, number).clear()
        for number in range(min(LINES, -(-len(results) // size)))
    ]
    seconds = 0.0
    starts: list[int | None] = [*range(0, len(results), size), *[None] * len(lines)]
    for turn, start in enumerate(starts):
        line = lines[turn % len(lines)]
        done, played = line.collect(results, traces)
        seconds += played
        job.report(done)
        if start is not None:
            part = slice(start, min(start + size, len(results)))
            line.play(part, kernel, (series, job.first + start, options, settings))
    return seconds


def _copy(source: Array, target: Array) -> None:
    """Copy records as bytes: copying records takes longer than the matches."""
    threads = min(COPIERS, os.cpu_count() or 1)
    cuts = np.linspace(0, len(source), threads + 1).astype(np.int64)
    parts = [slice(*cuts[i : i + 2]) for i in range(threads)]
    sources, targets = ([each[part].view(np.uint8) for part in parts] for each in (source, target))
    list(_copiers().map(np.copyto, targets, sources))


@cache
def _copiers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(COPIERS)


@lru_cache(maxsize=4)
def _line(layout: Layout, size: int, width: int, kind: Kind, number: int) -> _Line:
    """Buffers that are reused by the next batch: allocating them takes longer than playing."""
    return _Line(layout, size, width, kind)
