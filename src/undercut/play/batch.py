"""A batch of matches: fused on CPU threads or a GPU, in lock-step, or one after another."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.jit import kernel_name
from undercut.kernels.records import Array, Buffer, Columns, Floats, new, pack
from undercut.play.agent import AnyAgent, KernelAgent, MovableAgent
from undercut.play.event_agents import play_with_events
from undercut.play.fused.checked import checked_matches
from undercut.play.fused.threads import play_on_threads
from undercut.play.job import HERE, Backend, Job
from undercut.play.match import play_match
from undercut.play.records.seat_events import reads_events
from undercut.play.seating import line_ups
from undercut.play.series import make_series, result_layout, trace_type
from undercut.play.vector.lockstep import play_in_lockstep
from undercut.play.winners import WIN, wins_of
from undercut.text.errors import AgentError, OptionsError

FIRST_ROOM = 1024  # the first length of complete traces, in decisions; longer ones are replayed


@dataclass(frozen=True)
class Batch:
    """The results of matches that were played together."""

    game: Game
    agents: tuple[str, ...]
    series: Columns  # one record: play/series.py
    first: int  # the number of the first match
    results: Columns  # a record for each match: play/series.py
    traces: Array  # a row for each match; cut off where there was no room
    seconds: float

    def __len__(self) -> int:
        return len(self.results)

    @property
    def seed(self) -> int:
        """The seed of the series."""
        return int(self.series.seed[0])

    @property
    def max_deals(self) -> int:
        """The number of deals after which matches ended; 0: no limit."""
        return int(self.series.max_deals[0])

    @property
    def games_in_round(self) -> int:
        """The number of consecutive matches that share the same deals."""
        return int(self.series.games_in_round[0])

    @property
    def is_traced(self) -> bool:
        """Whether the traces are complete."""
        return bool((self.results.choices <= self.traces.shape[1]).all())

    @cached_property
    def lineups(self) -> Buffer:
        """For each match and seat, the number of the agent that sat there."""
        return line_ups(self.series, self.first, len(self))

    @property
    def forfeits(self) -> Buffer:
        """For each match and agent, 1 if the agent forfeited: see play/event_agents.py."""
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
    backend: Backend = HERE,
    *,
    max_deals: int = 0,
    trace: int | None = 0,
    first: int = 0,
) -> Batch:
    """Play `count` matches, each deal in all the seatings of play/seating.py.

    The same seed gives the same matches. `trace` is how many decisions of a match are kept; None
    keeps them all. `max_deals` ends matches early. `first` is the number of the first match: a
    long series can be played in several calls.
    """
    device, workers, progress = backend
    if device not in ("cpu", "cuda"):
        raise OptionsError(f"unknown device {device!r}: one of cpu, cuda")
    if workers is not None and workers < 1:
        raise OptionsError(f"{workers} workers: must be at least 1")
    if count < 1:
        raise OptionsError(f"{count} matches: must be at least 1")
    kernels = [agent for agent in agents if isinstance(agent, KernelAgent)]
    distinct, choosers = distinct_agents(kernels) if len(kernels) == len(agents) else ([], [])
    series = make_series(game, agents, seed, max_deals, choosers)
    if not distinct and device != "cpu":
        agents = _moved(agents, device)
    results = new(result_layout(game.rules), count)
    room = FIRST_ROOM if trace is None else trace
    traces = np.zeros((count, room), dtype=trace_type(game.rules))
    started = time.perf_counter()
    if not distinct:
        play_all = play_with_events if any(map(reads_events, agents)) else play_in_lockstep
        job = Job(game, agents, series, first, results, traces, progress)
        traces = play_all(job, trace is None)
    else:
        kernel_job = Job(game, distinct, series, first, results, traces, progress)
        play = _play_on(device, workers)
        play(kernel_job)
        _refuse_wrong(Job(game, agents, series, first, results, traces), checked_matches(device))
        if trace is None:
            traces = _trace_long(play, kernel_job)
    seconds = time.perf_counter() - started
    names = tuple(agent.name for agent in agents)
    return Batch(game, names, series, first, results, traces, seconds)


def _moved(agents: Sequence[AnyAgent], device: str) -> list[AnyAgent]:
    """The agents with their forms for a GPU; kernels play against these on the CPU."""
    moved = [
        agent.on_device(device) if isinstance(agent, MovableAgent) else agent for agent in agents
    ]
    if not any(isinstance(agent, MovableAgent) for agent in agents):
        raise OptionsError("--device cuda needs agents that are kernels; these also run on cpu")
    return moved


def _play_on(device: str, workers: int | None) -> Callable[[Job[KernelAgent]], None]:
    if device == "cuda":
        from undercut.play.gpu.batch import play_on_gpu

        return play_on_gpu
    return partial(play_on_threads, workers=workers)


def _trace_long(play: Callable[[Job[KernelAgent]], None], job: Job[KernelAgent]) -> Array:
    """Complete traces; matches whose trace was cut off are played again."""
    results, traces = job.results, job.traces
    count, room = traces.shape
    longest = int(results.choices.max())
    if longest <= room:
        return traces
    wider = np.zeros((count, longest), dtype=traces.dtype)
    wider[:, :room] = traces
    for place in np.flatnonzero(results.choices > room).tolist():
        row = slice(place, place + 1)
        again = job._replace(
            first=job.first + place, results=results[row].view(np.recarray), traces=wider[row]
        )
        play(again._replace(progress=None))
    return wider


def _refuse_wrong(job: Job[AnyAgent], checked: int) -> None:
    """Raise an AgentError for the first match that an illegal action stopped.

    The match is played again one decision at a time, which raises the full message.
    """
    stopped = np.flatnonzero(job.results.is_stopped[: max(0, checked - job.first)])
    if len(stopped) == 0:
        return
    number, series = job.first + int(stopped[0]), job.series
    players = [job.agents[place] for place in line_ups(series, number, 1)[0].tolist()]
    pair = number // int(series.games_in_round[0])
    seed, max_deals = int(series.seed[0]), int(series.max_deals[0])
    play_match(job.game, players, seed, number=number, pair=pair, max_deals=max_deals)
    raise AgentError(f"an agent's answer in match {number} was not legal, but only once")


def distinct_agents(agents: Sequence[KernelAgent]) -> tuple[list[KernelAgent], list[int]]:
    """The distinct agents, and for each given agent the index of its distinct one.

    Agents with the same kernel and the same settings are equal, whatever their names. Distinct
    agents are sorted by kernel name, so that a line-up in another order reuses the compiled loop.
    """
    plays = [(agent.choose, pack(agent.settings).tobytes()) for agent in agents]
    keys = sorted(dict.fromkeys(plays), key=lambda play: kernel_name(play[0]))
    return [agents[plays.index(key)] for key in keys], [keys.index(play) for play in plays]
