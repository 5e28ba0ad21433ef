"""Intervals hold the truth as often as they say."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from lab.tables import RULES, TRIALS, rounds_from, simulated_shares
from undercut.lab.rounds import Rounds, no_forfeits, no_luck, places_of
from undercut.lab.statistics import Moments, Z, wilson
from undercut.lab.student_t import t_quantile


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


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 7, 10, 30, 499, 500, 10**6])
def test_students_factors(freedom: int) -> None:
    assert t_quantile(freedom, 0.95) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-12)


# The exact ends of intervals, as the textbook has them


def _ends(sample: Any, factor: float) -> tuple[float, float]:
    """The mean of a sample, less and plus so many standard errors."""
    half = factor * stats.sem(sample)  # the sum of squares over n - 1, not n
    return float(np.mean(sample) - half), float(np.mean(sample) + half)


@pytest.mark.parametrize("rounds", [2, 3, 5, 12])
def test_the_interval_of_points_is_students(rounds: int) -> None:
    chance = np.random.default_rng(8)
    points = chance.integers(0, 90, (rounds, 2))
    moments = Moments.of(rounds_from(np.full(rounds, 0.5), points))
    expected = stats.t.interval(0.95, rounds - 1, points[:, 0].mean(), stats.sem(points[:, 0]))
    mean, interval = moments.points_per_deal(0)
    assert mean == pytest.approx(points[:, 0].mean())
    assert interval == pytest.approx(expected, rel=1e-9)
    leads = points[:, 0] - points[:, 1]
    assert moments.lead_per_deal(0).interval == pytest.approx(
        _ends(leads, t_quantile(rounds - 1, 0.95))
    )


def test_the_interval_of_a_ratio_is_that_of_what_is_left_over_in_each_round() -> None:
    """With as many deals in each round or not: the rests vary, not the points alone."""
    points, deals = np.array([[30, 2], [11, 5], [26, 9], [48, 1]]), np.array([3, 1, 2, 6])
    ratio, interval = Moments.of(rounds_from(np.full(4, 0.5), points, deals)).points_per_deal(0)
    assert ratio == pytest.approx(115 / 12)
    rests = points[:, 0] - ratio * deals
    half = t_quantile(3, 0.95) * stats.sem(rests) / deals.mean()
    assert interval == pytest.approx((ratio - half, ratio + half))


@pytest.mark.parametrize("shares", [[0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 0.5], [0.5] * 9 + [1.0]])
def test_the_interval_of_wins_is_that_of_two_more_rounds(shares: list[float]) -> None:
    """One round won and one lost are added; the sum of squares is taken over n - 1."""
    low, high = _ends([*shares, 0.0, 1.0], Z)
    found = Moments.of(rounds_from(np.array(shares))).win_interval(0)
    assert found == pytest.approx((max(0.0, low), min(1.0, high)))


def test_the_interval_of_places_is_that_of_a_round_in_each_place() -> None:
    places = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [0, 1, 2], [2, 0, 1], [0, 1, 2]])
    moments = Moments.of(tables_of(places))
    for agent in range(3):
        expected = _ends([*(1 + places[:, agent]), 1, 2, 3], Z)
        assert moments.place_interval(agent) == pytest.approx(expected)
        won = _ends([*(places[:, agent] == 0), 1, 0, 0], Z)
        clipped = (max(0.0, won[0]), min(1.0, won[1]))
        assert moments.win_interval(agent) == pytest.approx(clipped)


def test_the_interval_of_a_share_counts_as_many_trials_as_the_rounds_show() -> None:
    knocks, deals = np.array([1, 3, 0, 2, 4]), np.array([4, 5, 4, 6, 4])
    found = counted(knocks, knocks, knocks, deals)["knocks_per_deal"]
    share = 10 / 23
    error = stats.sem(knocks - share * deals) / deals.mean()
    trials = share * (1 - share) / (error * t_quantile(4, 0.95) / Z) ** 2
    assert found.value == pytest.approx(share)
    assert found.interval == pytest.approx(wilson(share, trials))


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
        luck=no_luck(count),
        forfeits=no_forfeits(count),
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


@pytest.mark.parametrize(("wins", "trials"), [(0, 7), (1, 7), (5, 9), (9, 9), (40, 1_000)])
def test_wilson_is_the_textbooks(wins: int, trials: int) -> None:
    exact = stats.binomtest(wins, trials).proportion_ci(0.95, method="wilson")
    assert wilson(wins / trials, trials) == pytest.approx((exact.low, exact.high), abs=1e-12)


def test_wilson() -> None:
    """As in Brown, Cai and DasGupta (2001)."""
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_luck_is_taken_out() -> None:
    chance = np.random.default_rng(7)
    luck = chance.normal(0, 0.2, size=4000)
    rounds = rounds_from(0.6 + luck + chance.normal(0, 0.1, size=4000))
    plain = Moments.of(rounds)
    assert not plain.is_adjusted
    moments = Moments.of(replace(rounds, luck=np.column_stack([luck, -luck])))
    halves = [Moments.of(replace(rounds, luck=np.column_stack([luck, -luck])).first(2000))] * 2
    assert moments.is_adjusted
    assert (halves[0] + halves[1]).is_adjusted
    assert moments.win_rate(0) == plain.win_rate(0)
    assert moments.statistics(RULES) == plain.statistics(RULES)
    rate, interval = moments.adjusted_rate(0)
    assert rate == pytest.approx((rounds.shares[:, 0] - luck).mean())
    assert interval is not None
    assert interval[1] - interval[0] == pytest.approx(2 * 1.96 * 0.1 / 4000**0.5, rel=0.05)
    assert moments.adjusted_rate(1).value == pytest.approx(1 - rate)
    assert moments.luck(0).value == pytest.approx(luck.mean())
    assert moments.worth_of_adjusting(0) == pytest.approx((0.2**2 + 0.1**2) / 0.1**2, rel=0.1)


@pytest.mark.parametrize("rounds", [2, 3, 7])
def test_the_interval_of_adjusted_results_is_students(rounds: int) -> None:
    chance = np.random.default_rng(9)
    shares, luck = chance.random(rounds), chance.normal(0, 0.2, rounds)
    moments = Moments.of(replace(rounds_from(shares), luck=np.column_stack([luck, -luck])))
    factor, rests = t_quantile(rounds - 1, 0.95), shares - luck
    assert moments.adjusted_rate(0).interval == pytest.approx(_ends(rests, factor))
    assert moments.luck(1).interval == pytest.approx(_ends(-luck, factor))
    assert moments.worth_of_adjusting(0) == pytest.approx(shares.var() / rests.var())


def test_results_that_never_vary_have_an_interval_of_no_width() -> None:
    """The sums of squares are rounded: their difference may come out a little below 0."""
    for share in np.linspace(0, 1, 41):
        luck = np.zeros((3, 2))
        moments = Moments.of(replace(rounds_from(np.full(3, share)), luck=luck))
        interval = moments.adjusted_rate(0).interval
        assert interval == pytest.approx((share, share), abs=1e-7)
        assert isinstance(interval[0], float), "no root of a negative number"


def test_luck_that_explains_everything_leaves_nothing_to_compare() -> None:
    shares = np.array([0.0, 1.0, 0.5])
    luck = np.column_stack([shares - 0.5, 0.5 - shares])
    moments = Moments.of(replace(rounds_from(shares), luck=luck))
    assert moments.worth_of_adjusting(0) is None
    one = Moments.of(replace(rounds_from(shares[:1]), luck=luck[:1]))
    assert one.adjusted_rate(0) == (0.5, None)
    assert one.worth_of_adjusting(0) is None
