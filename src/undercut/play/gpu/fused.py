"""Whole matches on a GPU: the same fused kernels, a thread for each match."""

import time
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from undercut.core.agent import KernelAgent
from undercut.core.jit import UNBOUND
from undercut.core.records import pack
from undercut.core.rng import GENERATOR
from undercut.games.contract import LATE, Game, Rules
from undercut.play.checked import checker
from undercut.play.fused import (
    chain_settings,
    fuse,
    looks,
    never_hold,
)
from undercut.play.gpu.stepped import play_in_steps
from undercut.play.gpu.target import (
    compile_for_gpu,
    is_simulated,
    load_cuda,
    multiprocessors,
)

# Whole matches are more code than a GPU's instruction cache holds. They run best as one large
# block on each multiprocessor whose threads stay at the same place: docs/results.md has the trials.
THREADS = 1024
REGISTERS = 64  # so that a block of that size fits
PATIENCE = 24  # turns that a thread waits, at the end of its deal, for
COMPANY = 0.78  # this share of the threads of its block

# Bound by `entry` and `_hold_on_gpu`.
cuda: Any = UNBOUND
play_match: Any = UNBOUND
clear_view: Any = UNBOUND
state_type: Any = UNBOUND
view_type: Any = UNBOUND
generator_type: Any = UNBOUND
generator_count: Any = UNBOUND
legal_size: Any = UNBOUND
workspace_size: Any = UNBOUND


def _play_on_device(matches: Any, options: Any, settings: Any, traces: Any) -> None:
    """One thread plays one match after another, with its buffers in the thread's own memory."""
    states = cuda.local.array(1, state_type)
    views = cuda.local.array(1, view_type)
    generators = cuda.local.array(generator_count, generator_type)
    out = cuda.local.array(legal_size, np.int64)
    workspace = cuda.local.array(workspace_size, np.int64)
    clear_view(views[0])
    for i in range(cuda.grid(1), len(matches), cuda.gridsize(1)):
        play_match(
            matches[i],
            states[0],
            views[0],
            options,
            settings,
            generators,
            out,
            workspace,
            traces[i],
        )


def _hold_late(step: int, waited: int) -> bool:
    """Whether to wait at the end of a deal for more threads of the block to get there too."""
    late = step == LATE
    cuda.syncwarp()
    company = cuda.syncthreads_count(np.int32(1) if late else np.int32(0))
    return late and waited < PATIENCE and company < COMPANY * cuda.blockDim.x


def _hold(rules: Rules, choosers: tuple[Callable[..., int], ...]) -> Any:
    """Waiting pays where cards are laid down at the end, by agents that think about it."""
    if is_simulated() or not rules.LAYS_DOWN or not any(map(looks, choosers)):
        return never_hold
    return _hold_on_gpu()


@cache
def _hold_on_gpu() -> Any:
    numba_cuda = load_cuda()
    function = FunctionType(_hold_late.__code__, {**globals(), "cuda": numba_cuda}, "hold_late")
    return numba_cuda.jit(function, device=True)


def entry(rules: Rules, choosers: tuple[Callable[..., int], ...], workspace: int) -> Any:
    """The GPU kernel for a game and a line-up."""
    return compile_for_gpu(
        _play_on_device,
        REGISTERS,
        play_match=fuse(rules, choosers, _hold(rules, choosers), checker(rules)).play_match,
        clear_view=rules.clear_view,
        state_type=np.dtype((np.record, rules.STATE)),
        view_type=np.dtype((np.record, rules.VIEW)),
        generator_type=np.dtype((np.record, GENERATOR)),
        generator_count=rules.SEATS[1] + 1,
        legal_size=rules.LEGAL,
        workspace_size=max(1, workspace),
    )


def _play_fused(game: Game, agents: Sequence[KernelAgent], matches: Any, traces: Any) -> None:
    workspace = max(agent.workspace for agent in agents)
    kernel = entry(game.rules, tuple(agent.choose for agent in agents), workspace)
    threads = min(THREADS, len(matches))
    blocks = min(multiprocessors(), -(-len(matches) // threads))
    options, settings = pack(game.options), chain_settings(agents)
    kernel.launch((blocks, threads), matches, options, settings, traces)


def play_on_device(
    game: Game,
    agents: Sequence[KernelAgent],
    matches: Any,
    traces: Any,
    progress: Callable[[int], None] | None = None,
) -> float:
    """Play an array of matches on the GPU; matches and traces are changed in place.

    `progress` is told how many more matches are done. Returns the seconds the GPU took, without
    the way there and back.
    """
    numba_cuda = load_cuda()
    device_matches = numba_cuda.to_device(matches)
    device_traces = numba_cuda.to_device(traces)
    numba_cuda.synchronize()
    started = time.perf_counter()
    if any(agent.parts for agent in agents):
        play_in_steps(game, agents, device_matches, device_traces, progress)
    else:
        _play_fused(game, agents, device_matches, device_traces)
        if progress is not None:
            progress(len(matches))
    numba_cuda.synchronize()
    seconds = time.perf_counter() - started
    device_matches.copy_to_host(matches)
    if traces.size:
        device_traces.copy_to_host(traces)
    return seconds
