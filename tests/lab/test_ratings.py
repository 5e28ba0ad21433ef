"""Ratings find the strengths that made the results."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from undercut.lab.ratings import ELO, rate
from undercut.lab.sprt import win_rate_of_elo

TRIALS = 40


def simulated_beats(chance: np.random.Generator, elo: list[float], rounds: int) -> Any:
    """Pairs of games between all agents, in halves of games won by the first of each two."""
    columns = []
    for i, j in combinations(range(len(elo)), 2):
        columns.append(2 * chance.binomial(2, win_rate_of_elo(elo[i] - elo[j]), rounds))
    return np.column_stack(columns)


def test_known_strengths_are_found() -> None:
    elo = [120.0, 0.0, -30.0, -200.0]
    ratings = rate(
        simulated_beats(np.random.default_rng(1), elo, 5000), 2, 4, np.random.default_rng()
    )
    found = np.array(ratings.elo) - ratings.elo[1]
    assert found == pytest.approx(elo, abs=10)


def test_intervals_hold_the_truth() -> None:
    chance = np.random.default_rng(2)
    elo = [80.0, 0.0, -80.0]
    held = 0
    for _ in range(TRIALS):
        ratings = rate(simulated_beats(chance, elo, 300), 2, 3, chance, resamples=200)
        for truth, (low, high) in zip(elo, ratings.intervals, strict=True):
            held += low <= truth <= high
    assert held / (3 * TRIALS) >= 0.95 - 3 * (0.95 * 0.05 / (3 * TRIALS)) ** 0.5


def test_two_agents_are_as_far_apart_as_their_win_rate() -> None:
    beats = np.array([[4]] * 64 + [[0]] * 36)  # 64 % of the games, a hundred points
    ratings = rate(beats, 2, 2, np.random.default_rng(3))
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(100, abs=4)
    assert ratings.elo[0] == pytest.approx(-ratings.elo[1])


def test_the_interval_of_two_agents_is_that_of_the_bayesian_bootstrap() -> None:
    """Exponential weights on 64 + 1 rounds won and 36 + 1 lost: the win rate is Beta(65, 37)."""
    beats = np.array([[4]] * 64 + [[0]] * 36)
    ratings = rate(beats, 2, 2, np.random.default_rng(8), resamples=6000)
    rates = stats.beta.ppf([0.025, 0.5, 0.975], 65, 37)
    low, middle, high = np.log(rates / (1 - rates)) * ELO / 2
    assert ratings.intervals[0] == pytest.approx((low, high), abs=0.04 * (high - low))
    assert ratings.elo[0] == pytest.approx(middle, abs=0.01 * (high - low))
    assert ratings.intervals[1] == pytest.approx(
        (-ratings.intervals[0][1], -ratings.intervals[0][0])
    )


def test_one_hopeless_agent_does_not_blur_the_others() -> None:
    chance = np.random.default_rng(4)
    even = simulated_beats(chance, [0.0, 0.0, 0.0], 1000)
    alone = rate(even, 2, 3, np.random.default_rng(5))
    # a fourth agent loses every game: columns 01 02 03 12 13 23
    with_loser = np.column_stack(
        [even[:, 0], even[:, 1], np.full(1000, 4), even[:, 2], np.full((1000, 2), 4)]
    )
    ratings = rate(with_loser, 2, 4, np.random.default_rng(5))
    for agent in range(3):
        width = np.diff(ratings.intervals[agent])[0]
        assert width < 1.3 * np.diff(alone.intervals[agent])[0]
    assert -4000 < ratings.elo[3] < -500
    assert sum(ratings.elo[:3]) == pytest.approx(0, abs=1e-6), "zero is the mean of the others"
    assert np.diff(ratings.intervals[3])[0] > 100


def test_very_many_rounds_are_rated_like_few() -> None:
    beats = simulated_beats(np.random.default_rng(6), [50.0, 0.0, -50.0], 20_001)
    ratings = rate(beats, 2, 3, np.random.default_rng(7))
    widths = [high - low for low, high in ratings.intervals]
    small = rate(beats[:2000], 2, 3, np.random.default_rng(7))
    assert widths == pytest.approx(
        [(high - low) / 10**0.5 for low, high in small.intervals], rel=0.15
    )
