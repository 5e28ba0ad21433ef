"""Match equity against chances worked out by hand and by playing."""

from random import Random

import numpy as np
import pytest

from undercut.players.equity import (
    LEVELS,
    MEASURES,
    count_outcomes,
    match_equity,
    measure_worths,
    measures,
)


def _played(outcomes: list[tuple[int, int]], mine: int, yours: int, target: int) -> float:
    random, wins, games = Random(1), 0.0, 20_000
    for _ in range(games):
        score = [mine, yours]
        while max(score) < target:
            gains = random.choice(outcomes)
            order = random.sample(range(2), 2)
            score = [score[0] + gains[order[0]], score[1] + gains[order[1]]]
        wins += 0.5 if score[0] == score[1] else float(score[0] > score[1])
    return wins / games


@pytest.mark.parametrize(("mine", "yours"), [(0, 0), (30, 10), (90, 60), (5, 95)])
def test_the_chance_to_win_is_that_of_matches_played_out(mine: int, yours: int) -> None:
    outcomes = [(0, 0), (13, 0), (25, 0), (40, 0), (7, 7)]
    equity = match_equity(count_outcomes(np.array(outcomes), 60), 100)
    assert equity[mine, yours] == pytest.approx(_played(outcomes, mine, yours, 100), abs=0.012)


def test_what_one_wins_the_other_loses() -> None:
    equity = match_equity(count_outcomes(np.array([(9, 0), (31, 0), (0, 4)]), 40), 50)
    assert np.allclose(equity + equity.T, 1)
    assert (np.diff(equity[:51, :50], axis=0) >= -1e-12).all(), "more points are never worse"


def test_a_deal_is_worth_what_it_changes_in_the_chance_to_win() -> None:
    """With one outcome only, and so one measure that counts, the change is met exactly."""
    points = np.zeros(31)
    points[30] = 5
    worths = measure_worths(points + 1e-9, 100)
    assert worths.shape == (LEVELS, LEVELS, MEASURES)
    equity = match_equity(count_outcomes(np.array([(30, 0)]), 30), 100)
    for mine, yours in ((0, 0), (40, 10), (10, 80)):
        gain = (
            measures(np.array([30]), np.array([0]))[0] - measures(np.array([0]), np.array([30]))[0]
        )
        change = equity[mine + 30, yours] - equity[mine, yours + 30]
        assert worths[mine, yours] @ gain == pytest.approx(change, abs=1e-6)


def test_deals_that_bring_nothing_are_played_again_and_change_no_worth() -> None:
    points = np.array([0.0, 3.0, 1.0, 0.0, 2.0, 1.0])
    worths = measure_worths(points, 20)
    with_voids = points.copy()
    with_voids[0] = 50
    assert measure_worths(with_voids, 20) == pytest.approx(worths)
    assert with_voids[0] == 50, "the counts of the caller stay as they are"
    assert measure_worths(1000 * points, 20) == pytest.approx(worths)
    points[1] = 0
    assert np.abs(measure_worths(points, 20) - worths).max() > 0.01, "but one point counts"


def test_a_deal_of_more_points_than_the_target_decides_the_match() -> None:
    points = np.zeros(31)
    points[[10, 20, 30]] = 1
    win = measures(np.array([20]), np.array([0]))[0] - measures(np.array([0]), np.array([20]))[0]
    assert measure_worths(points, 10) @ win == pytest.approx(1, abs=1e-6)


def test_points_between_two_levels_are_worth_what_lies_between() -> None:
    """Five points of 200 are two and a half of a hundred levels."""
    points = np.full(6, 1e-9)
    points[5] = 1
    gain = measures(np.array([5]), np.array([0]))[0] - measures(np.array([0]), np.array([5]))[0]
    equity = match_equity(count_outcomes(np.array([(5, 0)]), 5), 200)
    expected = equity[105, 100] - equity[100, 105]
    assert measure_worths(points, 200)[50, 50] @ gain == pytest.approx(expected, rel=0.05)


def test_a_deal_is_worth_less_the_longer_the_match() -> None:
    win = measures(np.array([20]), np.array([0]))[0]
    worths = [measure_worths(np.ones(31), target)[0, 0] @ win for target in (20, 100, 1000, 10_000)]
    assert worths == sorted(worths, reverse=True)
    assert worths[-1] < 0.02


@pytest.mark.parametrize("target", [1, 50, 10_000])
def test_worths_for_every_target(target: int) -> None:
    worths = measure_worths(np.arange(1, 61), target)
    assert np.isfinite(worths).all()
    win = measures(np.array([20]), np.array([0]))[0] - measures(np.array([0]), np.array([20]))[0]
    assert (worths @ win > -1e-9).all(), "it is better to win a deal than to lose it"
