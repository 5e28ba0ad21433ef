"""Many matches at once: on CPU threads, on a GPU, or in lock-step for agents that need it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.jit import kernel_name
from undercut.kernels.records import Array, Buffer, Columns, Floats, new, pack
from undercut.play.agent import AnyAgent, KernelAgent
from undercut.play.event_agents import play_told
from undercut.play.fused.checked import is_checked
from undercut.play.fused.threads import Progress, play_on_threads
from undercut.play.match import play_match
from undercut.play.records.seat_events import is_told
from undercut.play.seating import line_ups
from undercut.play.series import make_series, result_layout, trace_type
from undercut.play.vector.lockstep import play_in_lockstep
from undercut.play.winners import WIN, wins_of
from undercut.text.errors import AgentError, OptionsError

FIRST_ROOM = 1024  # choices of a match that are traced at first, where all are to be


@dataclass(frozen=True)
class Batch:
    """Matches that have been played."""

    game: Game
    agents: tuple[str, ...]
    series: Columns  # what they have in common
    first: int  # the number of the first match
    results: Columns  # for each match: see play/series.py
    traces: Array  # for each match the places of its choices, as far as there was room
    seconds: float

    def __len__(self) -> int:
        return len(self.results)

    @property
    def seed(self) -> int:
        """The seed of the series."""
        return int(self.series.seed[0])

    @property
    def max_deals(self) -> int:
        """After this many deals matches were ended; 0: they were played to the end."""
        return int(self.series.max_deals[0])

    @property
    def games_in_round(self) -> int:
        """This many matches in a row play the same deals."""
        return int(self.series.games_in_round[0])

    @property
    def is_traced(self) -> bool:
        """Whether there was room for every choice."""
        return bool((self.results.choices <= self.traces.shape[1]).all())

    @cached_property
    def lineups(self) -> Buffer:
        """For each match and seat, the number of the agent that sat there."""
        return line_ups(self.series, self.first, len(self))

    @property
    def forfeits(self) -> Buffer:
        """For each match and agent, 1 where that agent failed and lost: see play/event_agents.py."""
        lost = np.zeros_like(self.lineups)
        rows = np.flatnonzero(self.results.is_stopped)
        seats = self.results.is_stopped[rows] - 1
        lost[rows, self.lineups[rows, seats]] = 1
        return lost

    @property
    def scores(self) -> Buffer:
        """For each match, the points of each agent."""
        by_seat: Buffer = self.results.scores[:, : self.game.seats].astype(np.int64)
        scores = np.zeros_like(by_seat)
        np.put_along_axis(scores, self.lineups, by_seat, axis=1)
        return scores

    @property
    def shares(self) -> Floats:
        """For each match, each agent's share of the win: ties are split."""
        return wins_of(self.scores) / WIN


def play_batch(
    game: Game,
    agents: Sequence[AnyAgent],
    count: int,
    seed: int = 0,
    *,
    device: str = "cpu",
    workers: int | None = None,
    max_deals: int = 0,
    trace: int | None = 0,
    first: int = 0,
    progress: Progress | None = None,
) -> Batch:
    """Play `count` matches, each deal in all the seatings of play/seating.py.

    The same seed gives the same matches.

    `trace` is how many choices of a match are kept, None keeps them all; `max_deals` ends matches early; `first` is the
    number of the first match, for those who play a long series in parts.
    """
    if device not in ("cpu", "cuda"):
        raise OptionsError(f"unknown device {device!r}: one of cpu, cuda")
    if workers is not None and workers < 1:
        raise OptionsError(f"{workers} workers: must be at least 1")
    if count < 1:
        raise OptionsError(f"{count} matches: must be at least 1")
    kernels = [agent for agent in agents if isinstance(agent, KernelAgent)]
    distinct, choosers = distinct_agents(kernels) if len(kernels) == len(agents) else ([], [])
    series = make_series(game, agents, seed, max_deals, choosers)
    if not distinct and device == "cuda":
        raise OptionsError("--device cuda needs agents that are kernels; these also run on cpu")
    results = new(result_layout(game.rules), count)
    room = FIRST_ROOM if trace is None else trace
    traces = np.zeros((count, room), dtype=trace_type(game.rules))
    started = time.perf_counter()
    if not distinct:
        is_whole = trace is None
        play_all = play_told if any(map(is_told, agents)) else play_in_lockstep
        traces = play_all(game, agents, series, first, results, traces, is_whole, progress)
    else:
        play = partial(_play_kernels, game, distinct, series, device, workers)
        play(first, results, traces, progress)
        if is_checked():  # elsewhere nothing stops, and to look at all results would take long
            _refuse_wrong(game, agents, series, first, results)
        if trace is None:
            traces = _trace_long(play, first, results, traces)
    seconds = time.perf_counter() - started
    names = tuple(agent.name for agent in agents)
    return Batch(game, names, series, first, results, traces, seconds)


def _play_kernels(
    game: Game,
    agents: Sequence[KernelAgent],
    series: Columns,
    device: str,
    workers: int | None,
    first: int,
    results: Columns,
    traces: Array,
    progress: Progress | None = None,
) -> None:
    if device == "cuda":
        from undercut.play.gpu.batch import play_on_gpu

        play_on_gpu(game, agents, series, first, results, traces, progress)
    else:
        play_on_threads(game, agents, series, first, results, traces, workers, progress)


def _trace_long(play: Callable[..., None], first: int, results: Columns, traces: Array) -> Array:
    """Traces with room for every choice; matches that had too little are played once more."""
    count, room = traces.shape
    longest = int(results.choices.max())
    if longest <= room:
        return traces
    wider = np.zeros((count, longest), dtype=traces.dtype)
    wider[:, :room] = traces
    for place in np.flatnonzero(results.choices > room).tolist():
        row = slice(place, place + 1)
        play(first + place, results[row], wider[row])
    return wider


def _refuse_wrong(
    game: Game, agents: Sequence[AnyAgent], series: Columns, first: int, results: Columns
) -> None:
    """Raise for the first match that an illegal answer stopped.

    That match is played again one decision at a time, where the error is put in words.
    """
    stopped = np.flatnonzero(results.is_stopped)
    if len(stopped) == 0:
        return
    number = first + int(stopped[0])
    players = [agents[place] for place in line_ups(series, number, 1)[0].tolist()]
    pair = number // int(series.games_in_round[0])
    play_match(
        game,
        players,
        int(series.seed[0]),
        number=number,
        pair=pair,
        max_deals=int(series.max_deals[0]),
    )
    raise AgentError(f"an agent's answer in match {number} was not legal, but only once")


def distinct_agents(agents: Sequence[KernelAgent]) -> tuple[list[KernelAgent], list[int]]:
    """The agents that play differently, and for each of all the number of the one it plays as.

    What counts is the kernel and its settings, not the name. They come in the order of their
    kernels' names: a loop is compiled for a line-up, and the same line-up in another order has it.
    """
    plays = [(agent.choose, pack(agent.settings).tobytes()) for agent in agents]
    keys = sorted(dict.fromkeys(plays), key=lambda play: kernel_name(play[0]))
    return [agents[plays.index(key)] for key in keys], [keys.index(play) for play in plays]
