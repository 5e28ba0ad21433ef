"""How long an agent thinks: a short run of its own, so that no clock ticks in a match.

Where there is a fine clock for it, processor time is taken: other programs do not count then.
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
from undercut.play.records.seat_events import Story, is_told

DECISIONS = 500  # timed at most
SECONDS = 0.5  # spent at most, but for the first decisions
_FEWEST = 5

_IS_FINE = time.get_clock_info("thread_time").resolution < 1e-6
_clock = time.thread_time_ns if _IS_FINE else time.perf_counter_ns


class DecisionTime(NamedTuple):
    """Microseconds a decision, asked from Python one at a time: the call itself takes some."""

    mean: float
    percentile95: float
    decisions: int


def time_decisions(game: Game, agent: AnyAgent) -> DecisionTime:
    """Let an agent play against itself, always the same deals, and time its real choices."""
    stream = _nanoseconds_told(game, agent) if is_told(agent) else _nanoseconds(game, agent)
    next(stream)  # compiles what the agent needs
    taken: list[float] = []
    began = time.perf_counter()
    while len(taken) < _FEWEST or (
        len(taken) < DECISIONS and time.perf_counter() - began < SECONDS
    ):
        taken.append(next(stream) / 1000)
    return DecisionTime(float(np.mean(taken)), float(np.percentile(taken, 95)), len(taken))


def _nanoseconds(game: Game, agent: AnyAgent) -> Iterator[int]:
    """The time of one decision after another."""
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
    """The same by the clock, for an agent in another process: it is told what happens."""
    for number in count():
        stories, chance = (
            [Story(game, seat) for seat in range(game.seats)],
            Random.from_seed(number),
        )
        match = Match.from_seed(game, number, max_deals=1, stories=stories)
        while not match.is_over:
            deal, legal = match.deal, match.deal.actions
            if len(legal) == 1:
                match.apply(legal[0])
                continue
            view = deal.observe()
            began = time.perf_counter_ns()
            action = ask(game, agent, view, legal, chance, stories[deal.seat])
            yield time.perf_counter_ns() - began
            match.apply(action)
