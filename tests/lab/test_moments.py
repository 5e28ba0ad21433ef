"""Intervals hold the truth as often as they say."""

from typing import Any

import numpy as np
import pytest

from lab.tables import RULES, TRIALS, rounds_from, simulated_shares
from undercut.lab.moments import Moments, t_quantile, wilson
from undercut.lab.rounds import Rounds, places_of


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


def tables_of(places: Any) -> Rounds:
    """Rounds of one game, in which the agents come in at these places, 0 for the first."""
    count, seats = places.shape
    beats = [
        2 * (places[:, i] < places[:, j]) + 0 for i in range(seats) for j in range(i + 1, seats)
    ]
    return Rounds(
        shares=(places == 0) * 1.0,
        places=places_of(np.column_stack(beats), seats, 1),
        points=seats - places,
        dealt=np.ones((count, seats)),
        beats=np.column_stack(beats),
        games=np.ones(count),
        deals=np.ones(count),
        tally=np.zeros((count, 3)),
        seconds=0.0,
    )


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
@pytest.mark.parametrize("rounds", [50, 200])
def test_place_intervals_hold_the_truth(seats: int, rounds: int) -> None:
    chance = np.random.default_rng(5)
    held = {"place": 0, "first": 0}
    for _ in range(TRIALS):
        places = np.argsort(chance.random((rounds, seats)), axis=1)
        moments = Moments.of(tables_of(places))
        assert moments.place(0) == pytest.approx(1 + places[:, 0].mean())
        low, high = moments.place_interval(0)
        held["place"] += low <= (seats + 1) / 2 <= high
        low, high = moments.win_interval(0)
        held["first"] += low <= 1 / seats <= high
    for name, count in held.items():
        assert count / TRIALS >= 0.95 - 3.5 * (0.95 * 0.05 / TRIALS) ** 0.5, name


def test_two_places_are_the_wins_told_the_other_way() -> None:
    shares = simulated_shares(np.random.default_rng(6), 50, 0.7, 0.3)
    moments = Moments.of(rounds_from(shares))
    assert moments.place(0) == pytest.approx(2 - moments.win_rate(0))
    low, high = moments.win_interval(0)
    assert moments.place_interval(0) == pytest.approx((2 - high, 2 - low))


def counted(draws: Any, knocks: Any, points: Any, deals: Any) -> dict[str, Any]:
    tally = np.column_stack([draws, knocks, points])
    rounds = rounds_from(np.full(len(deals), 0.5), deals=deals, tally=tally)
    return Moments.of(rounds).statistics(RULES)


@pytest.mark.parametrize(
    ("share", "alike"), [(0.002, 0.0), (0.1, 0.0), (0.1, 0.6), (0.5, 0.6), (0.97, 0.0)]
)
def test_intervals_of_shares_hold_the_truth(share: float, alike: float) -> None:
    """Deals of a round may go alike: it counts for less then than so many trials."""
    chance = np.random.default_rng(7)
    held = 0
    rounds = 100
    for _ in range(TRIALS):
        deals = chance.integers(2, 12, rounds)
        single = chance.binomial(deals, share)
        together = deals * (chance.random(rounds) < share)
        knocks = np.where(chance.random(rounds) < alike, together, single)
        low, high = counted(knocks, knocks, knocks, deals)["knocks_per_deal"].interval
        held += low <= share <= high
    assert held / TRIALS >= 0.95 - 3.5 * (0.95 * 0.05 / TRIALS) ** 0.5


def test_what_was_never_seen_may_still_happen() -> None:
    nothing, deals = np.zeros(50), np.full(50, 4)
    found = counted(nothing, nothing, nothing, deals)
    for name in ("draws_per_deal", "knocks_per_deal"):
        assert found[name].value == 0
        assert found[name].interval == pytest.approx((0, 0.0188), abs=1e-4)
    assert found["points_per_knock"] == (0.0, None), "there was none"
    always = counted(deals, deals, deals, deals)["knocks_per_deal"]
    assert always.interval == pytest.approx((1 - 0.0188, 1), abs=1e-4)


def test_a_count_is_not_negative() -> None:
    draws = np.array([0] * 9 + [3])
    found = counted(draws, draws, draws, np.full(10, 4))["draws_per_deal"]
    assert found.interval[0] == 0
    assert found.interval[1] > 3 / 40


def test_wilson() -> None:
    """As in Brown, Cai and DasGupta (2001)."""
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
