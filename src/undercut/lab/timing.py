"""The thinking time of an agent, measured in a separate short run: matches have no clock.

If the system has a fine clock for it, the measure is processor time of all threads, without other
programs.
"""

import time
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from undercut.games.contract import Game
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.deal import Deal
from undercut.play.match import Match
from undercut.play.records.seat_events import SeatLog, reads_events

DECISIONS = 500  # at most
SECONDS = 0.5  # at most, except for the first decisions
_FEWEST = 20

_IS_FINE = time.get_clock_info("process_time").resolution < 1e-6
_clock = time.process_time_ns if _IS_FINE else time.perf_counter_ns


class DecisionTime(NamedTuple):
    """Microseconds a decision, each one a call from Python, which is included."""

    mean: float
    percentile95: float
    decisions: int


def time_decisions(game: Game, agent: AnyAgent) -> DecisionTime:
    """Let an agent play against itself, always the same deals, and time its unforced choices."""
    stream = _nanoseconds_told(game, agent) if reads_events(agent) else _nanoseconds(game, agent)
    next(stream)  # compiles the agent's kernels
    taken: list[float] = []
    end = time.perf_counter() + SECONDS
    while len(taken) < _FEWEST or (len(taken) < DECISIONS and time.perf_counter() < end):
        taken.append(next(stream) / 1000)
    return DecisionTime(float(np.mean(taken)), float(np.percentile(taken, 95)), len(taken))


def _nanoseconds(game: Game, agent: AnyAgent) -> Iterator[int]:
    for number in count():
        deal, chance = Deal(game, number, number % game.seats), Random.from_seed(number)
        while not deal.is_over:
            legal = deal.actions
            if len(legal) == 1:
                deal.apply(legal[0])
                continue
            view = deal.observe()
            began = _clock()
            action = ask(game, agent, view, legal, chance)
            yield _clock() - began
            deal.apply(action)


def _nanoseconds_told(game: Game, agent: AnyAgent) -> Iterator[int]:
    """The same in wall-clock time, for an agent in another process, which receives events."""
    for number in count():
        seat_logs = [SeatLog(game, seat) for seat in range(game.seats)]
        chance = Random.from_seed(number)
        match = Match.from_seed(game, number, max_deals=1, seat_logs=seat_logs)
        while not match.is_over:
            deal, legal = match.deal, match.deal.actions
            if len(legal) == 1:
                match.apply(legal[0])
                continue
            view = deal.observe()
            began = time.perf_counter_ns()
            action = ask(game, agent, view, legal, chance, seat_logs[deal.seat])
            yield time.perf_counter_ns() - began
            match.apply(action)
