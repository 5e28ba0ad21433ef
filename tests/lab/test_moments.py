"""Intervals hold the truth as often as they say."""

import numpy as np
import pytest

from lab.tables import TRIALS, rounds_from, simulated_shares
from undercut.lab.moments import Moments, t_quantile


@pytest.mark.parametrize("pairs", [5, 20, 200])
@pytest.mark.parametrize("alike", [0.0, 0.5])
@pytest.mark.parametrize("win_rate", [0.5, 0.7, 0.95])
def test_win_intervals_hold_the_truth(pairs: int, alike: float, win_rate: float) -> None:
    chance = np.random.default_rng(1)
    held = 0
    for _ in range(TRIALS):
        shares = simulated_shares(chance, pairs, win_rate, alike)
        low, high = Moments.of(rounds_from(shares)).win_interval(0)
        held += low <= win_rate <= high
    # 95 %, less what chance may take away in so many trials; small samples may be more careful.
    assert held / TRIALS >= 0.95 - 3 * (0.95 * 0.05 / TRIALS) ** 0.5
    if pairs == 200 and win_rate == 0.5:
        assert held / TRIALS <= 0.95 + 3 * (0.95 * 0.05 / TRIALS) ** 0.5


def test_an_interval_over_games_would_be_too_narrow() -> None:
    shares = simulated_shares(np.random.default_rng(2), 1000, 0.5, alike=1.0)
    low, high = Moments.of(rounds_from(shares)).win_interval(0)
    over_games = 2 * 1.96 * (0.25 / 2000) ** 0.5
    assert high - low > 1.35 * over_games


@pytest.mark.parametrize("pairs", [4, 30, 300])
def test_points_intervals_hold_the_truth(pairs: int) -> None:
    chance = np.random.default_rng(3)
    held = {"points": 0, "lead": 0}
    for _ in range(TRIALS):
        deals = chance.integers(8, 30, pairs)
        mine = chance.normal(10 * deals, 5 * np.sqrt(deals))
        theirs = chance.normal(7 * deals, 5 * np.sqrt(deals))
        rounds = rounds_from(np.full(pairs, 0.5), np.column_stack([mine, theirs]), deals)
        moments = Moments.of(rounds)
        for kind, truth in (("points", 10), ("lead", 3)):
            estimate = moments.points_per_deal(0) if kind == "points" else moments.lead_per_deal(0)
            interval = estimate[1]
            assert interval is not None
            held[kind] += interval[0] <= truth <= interval[1]
    margin = 3.5 * (0.95 * 0.05 / TRIALS) ** 0.5
    for kind, count in held.items():
        assert 0.95 - margin <= count / TRIALS <= 0.95 + margin, kind


def test_moments_of_parts_add_up() -> None:
    chance = np.random.default_rng(4)
    points = chance.integers(0, 200, (50, 2))
    whole = rounds_from(simulated_shares(chance, 50, 0.6, 0.2), points, chance.integers(1, 20, 50))
    rest = rounds_from(whole.shares[20:, 0], points[20:], whole.deals[20:])
    added = Moments.of(whole.first(20)) + Moments.of(rest)
    together = Moments.of(whole)
    assert added.rounds == together.rounds == 50
    assert added.win_interval(0) == pytest.approx(together.win_interval(0))
    assert added.points_per_deal(1)[0] == pytest.approx(together.points_per_deal(1)[0])
    assert added.deals == whole.deals.sum()


def test_all_games_won_still_leaves_doubt() -> None:
    low, high = Moments.of(rounds_from(np.ones(10))).win_interval(0)
    assert 0.6 < low < 0.9
    assert high == 1.0


def test_one_round_has_points_but_no_interval() -> None:
    rounds = rounds_from(np.array([0.5]), np.array([[30, 10]]), np.array([4]))
    assert Moments.of(rounds).points_per_deal(0) == (7.5, None)
    assert Moments.of(rounds).lead_per_deal(0) == (5.0, None)


@pytest.mark.parametrize(("freedom", "factor"), [(2, 4.303), (4, 2.776), (30, 2.042)])
def test_students_factors(freedom: int, factor: float) -> None:
    assert t_quantile(freedom) == pytest.approx(factor, rel=0.01)
