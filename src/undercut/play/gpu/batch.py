"""Matches of kernel agents on a GPU: fused, or in steps if an agent has parallel parts."""

from collections.abc import Sequence

from undercut.games.contract import Game
from undercut.kernels.records import Array, Records
from undercut.play.agent import KernelAgent
from undercut.play.gpu.fused import Progress, play_whole
from undercut.play.gpu.stepped import play_in_steps
from undercut.play.gpu.target import load_cuda

STEPPED_PART = 1 << 20  # matches whose results and traces are in GPU memory at once


def play_on_gpu(
    game: Game,
    agents: Sequence[KernelAgent],
    series: Records,
    first: int,
    results: Records,
    traces: Array,
    progress: Progress | None = None,
) -> None:
    """Play consecutive matches, from number `first`, into `results` and `traces`."""
    if not any(agent.parts for agent in agents):
        play_whole(game, agents, series, first, results, traces, progress)
        return
    cuda = load_cuda()
    for start in range(0, len(results), STEPPED_PART):
        part = slice(start, start + STEPPED_PART)
        there, traced = cuda.to_device(results[part]), cuda.to_device(traces[part])
        play_in_steps(game, agents, series, first + start, there, traced, progress)
        there.copy_to_host(results[part])
        if traces.size:
            traced.copy_to_host(traces[part])
