"""Many matches at once: on CPU threads, on a GPU, or in lock-step for agents that need it."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.agent import Agent, BatchedAgent, KernelAgent
from undercut.core.errors import OptionsError
from undercut.core.records import new, pack
from undercut.games.contract import Game
from undercut.play.checked import checker, refuse_wrong, trace_room
from undercut.play.deal import check_seed
from undercut.play.fused import MATCH, chain_settings, fuse
from undercut.play.lockstep import play_in_lockstep
from undercut.play.seating import line_ups, seatings

CHUNK = 128  # matches played between two looks at the clock and at Ctrl-C, at most
SHARES = 4  # a thread has so many chunks, or more
GPU_CHUNK = 1_048_576  # matches sent to the GPU at once

AnyAgent = Agent | BatchedAgent | KernelAgent
Progress = Callable[[int], None]  # is told how many more matches are done


@dataclass(frozen=True)
class Batch:
    """Matches that have been played."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    matches: Any  # an array of MATCH records
    lineups: Any  # for each match and seat, the number of the agent that sat there
    traces: Any  # for each match its actions, as far as there was room
    games_in_round: int  # so many matches play the same deals
    seconds: float

    @property
    def scores(self) -> Any:
        """For each match, the points of each agent."""
        by_seat = self.matches.scores[:, : self.game.seats]
        scores = np.zeros_like(by_seat)
        np.put_along_axis(scores, self.lineups, by_seat, axis=1)
        return scores

    @property
    def shares(self) -> Any:
        """For each match, each agent's share of the win: ties are split."""
        scores = self.scores
        best = scores == scores.max(axis=1, keepdims=True)
        return best / best.sum(axis=1, keepdims=True)


def prepare(
    game: Game, agents: Sequence[AnyAgent], count: int, seed: int, max_deals: int, first: int = 0
) -> Any:
    """The matches to play and their line-ups; every round of them plays the same deals."""
    if len(agents) != game.seats:
        raise OptionsError(f"{len(agents)} agents: {game.name} has {game.seats} seats")
    if count < 1:
        raise OptionsError(f"{count} matches: must be at least 1")
    numbers = np.arange(first, first + count)
    matches = new(MATCH, count)
    matches.seed = check_seed(seed)
    matches.number = numbers
    matches.pair = numbers // len(seatings(agents))
    matches.seats = game.seats
    matches.max_deals = max_deals
    return matches, line_ups(agents, seed, numbers)


def play_batch(
    game: Game,
    agents: Sequence[AnyAgent],
    count: int,
    seed: int = 0,
    *,
    device: str = "cpu",
    workers: int | None = None,
    max_deals: int = 0,
    trace: int = 0,
    first: int = 0,
    progress: Progress | None = None,
) -> Batch:
    """Play `count` matches, each deal in all the seatings of play/seating.py.

    The same seed gives the same matches.

    `trace` is how many actions of a match are kept; `max_deals` ends matches early; `first` is the
    number of the first match, for those who play a long series in parts.
    """
    if device not in ("cpu", "cuda"):
        raise OptionsError(f"unknown device {device!r}: one of cpu, cuda")
    if workers is not None and workers < 1:
        raise OptionsError(f"{workers} workers: must be at least 1")
    matches, lineups = prepare(game, agents, count, seed, max_deals, first)
    traces = np.zeros((count, max(trace, trace_room(game.rules))), dtype=np.int16)
    started = time.perf_counter()
    kernels = [agent for agent in agents if isinstance(agent, KernelAgent)]
    if len(kernels) == len(agents):
        _play_fused(game, kernels, matches, lineups, traces, device, workers, progress)
    elif device == "cuda":
        raise OptionsError("--device cuda needs agents that are kernels; these also run on cpu")
    else:
        play_in_lockstep(game, agents, matches, lineups, traces, progress)
    seconds = time.perf_counter() - started
    names = tuple(agent.name for agent in agents)
    kept = traces[:, :trace]
    return Batch(game, names, seed, matches, lineups, kept, len(seatings(agents)), seconds)


def _play_fused(
    game: Game,
    agents: Sequence[KernelAgent],
    matches: Any,
    lineups: Any,
    traces: Any,
    device: str,
    workers: int | None,
    progress: Progress | None,
) -> None:
    distinct = list(dict.fromkeys(agents_by_play(agents)))
    choosers = np.array([distinct.index(key) for key in agents_by_play(agents)])
    matches.choosers[:, : game.seats] = choosers[lineups]
    fused = [agents[list(choosers).index(i)] for i in range(len(distinct))]
    if device == "cuda":
        from undercut.play.gpu.fused import play_on_device

        for first in range(0, len(matches), GPU_CHUNK):
            part = slice(first, first + GPU_CHUNK)
            play_on_device(game, fused, matches[part], traces[part], progress)
    else:
        _play_on_threads(game, fused, matches, traces, workers, progress)
    refuse_wrong(game, agents, matches, lineups, traces)


def agents_by_play(agents: Sequence[KernelAgent]) -> list[tuple[Any, bytes]]:
    """What tells kernel agents apart: the kernel and its settings, not the name."""
    return [(agent.choose, pack(agent.settings).tobytes()) for agent in agents]


def _play_on_threads(
    game: Game,
    agents: Sequence[KernelAgent],
    matches: Any,
    traces: Any,
    workers: int | None,
    progress: Progress | None,
) -> None:
    choosers = tuple(agent.choose for agent in agents)
    play_matches = fuse(game.rules, choosers, is_allowed=checker(game.rules)).play_matches
    workspace = max(1, *(agent.workspace for agent in agents))
    threads = workers or os.cpu_count() or 1
    chunk = max(1, min(CHUNK, len(matches) // (SHARES * threads)))

    def play(first: int) -> int:
        part = slice(first, first + chunk)
        play_matches(
            matches[part],
            new(game.rules.STATE, 1),
            new(game.rules.VIEW, 1),
            pack(game.options),
            chain_settings(agents),
            new(rng.GENERATOR, game.seats + 1),
            np.zeros(game.rules.LEGAL, dtype=np.int64),
            np.zeros(workspace, dtype=np.int64),
            traces[part],
        )
        return len(matches[part])

    play(len(matches))  # compile before the threads start, with nothing to play
    pool = ThreadPoolExecutor(threads)
    try:
        for done in pool.map(play, range(0, len(matches), chunk)):
            if progress is not None:
                progress(done)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
