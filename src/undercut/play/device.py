"""Whole matches on a GPU: the same fused kernels, a thread for each match.

Needs the extra `cuda` and an NVIDIA GPU; nothing else in the package imports this module's
dependencies. With NUMBA_ENABLE_CUDASIM=1 the same entry point runs on the CPU, slowly, for tests.
"""

import importlib
import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from undercut.core.agent import KernelAgent
from undercut.core.errors import UndercutError
from undercut.core.game import LATE, Game, Rules, pack
from undercut.core.jit import UNBOUND
from undercut.core.rng import GENERATOR
from undercut.play.fused import chain_settings, fuse, never_hold

# Whole matches are more code than a GPU's instruction cache holds. They run best as one large
# block on each multiprocessor whose threads stay at the same place: docs/results.md has the trials.
THREADS = 1024
REGISTERS = 64  # so that a block of that size fits
PATIENCE = 24  # turns that a thread waits, at the end of its deal, for
COMPANY = 0.78  # this share of the threads of its block

# Bound by `entry` and `_hold`.
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


def load_cuda() -> Any:
    """Numba's CUDA target, or a clear error where there is none."""
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 still asks for it; NumPy 2.5 dropped it
        np.row_stack = np.vstack
    try:
        cuda: Any = importlib.import_module("numba.cuda")
    except ImportError as missing:
        raise UndercutError(f"--device cuda needs the extra 'cuda' ({missing})") from None
    if not cuda.is_available():
        raise UndercutError("--device cuda: no NVIDIA GPU was found here (--device cpu works)")
    return cuda


def _is_simulated() -> bool:
    return os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def _multiprocessors(numba_cuda: Any) -> int:
    return 1 if _is_simulated() else int(numba_cuda.get_current_device().MULTIPROCESSOR_COUNT)


def _hold(numba_cuda: Any) -> Any:
    if _is_simulated():
        return never_hold
    function = FunctionType(_hold_late.__code__, {**globals(), "cuda": numba_cuda}, "hold_late")
    return numba_cuda.jit(function, device=True)


@cache
def entry(rules: Rules, choosers: tuple[Callable[..., int], ...], workspace: int) -> Any:
    """The GPU kernel for a game and a line-up."""
    numba_cuda = load_cuda()
    bindings = {
        "cuda": numba_cuda,
        "play_match": fuse(rules, choosers, _hold(numba_cuda)).play_match,
        "clear_view": rules.clear_view,
        "state_type": np.dtype((np.record, rules.STATE)),
        "view_type": np.dtype((np.record, rules.VIEW)),
        "generator_type": np.dtype((np.record, GENERATOR)),
        "generator_count": rules.SEATS[1] + 1,
        "legal_size": rules.LEGAL,
        "workspace_size": max(1, workspace),
    }
    function = FunctionType(_play_on_device.__code__, {**globals(), **bindings})
    limits = {} if _is_simulated() else {"max_registers": REGISTERS}
    return numba_cuda.jit(function, **limits)


def play_on_device(game: Game, agents: Sequence[KernelAgent], matches: Any, traces: Any) -> float:
    """Play an array of matches on the GPU; matches and traces are changed in place.

    Returns the seconds the GPU took, without the way there and back.
    """
    numba_cuda = load_cuda()
    workspace = max(agent.workspace for agent in agents)
    kernel = entry(game.rules, tuple(agent.choose for agent in agents), workspace)
    options, settings = pack(game.options), chain_settings(agents)
    device_matches = numba_cuda.to_device(matches)
    device_traces = numba_cuda.to_device(traces)
    threads = min(THREADS, len(matches))
    blocks = min(_multiprocessors(numba_cuda), -(-len(matches) // threads))
    numba_cuda.synchronize()
    started = time.perf_counter()
    kernel[blocks, threads](device_matches, options, settings, device_traces)
    numba_cuda.synchronize()
    seconds = time.perf_counter() - started
    device_matches.copy_to_host(matches)
    if traces.size:
        device_traces.copy_to_host(traces)
    return seconds
