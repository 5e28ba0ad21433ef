"""The sequential test errs as seldom as it says, and stops early."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab.tables import TRIALS, rounds_from, simulated_shares
from undercut.lab.compare import _until
from undercut.lab.sprt import HIGH, LOW, UNDECIDED, Sprt, win_rate_of_elo
from undercut.text.errors import OptionsError


def run(chance: np.random.Generator, low: float, high: float, truth: float, alike: float) -> Sprt:
    sprt = Sprt(low, high)
    while sprt.verdict == UNDECIDED:
        sprt.update(simulated_shares(chance, 256, truth, alike))
    return sprt


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.55), (0.5, 0.7)])
@pytest.mark.parametrize("alike", [0.0, 0.4])
def test_error_rates(low: float, high: float, alike: float) -> None:
    chance = np.random.default_rng(5)
    limit = 0.05 + 3 * (0.05 * 0.95 / TRIALS) ** 0.5
    wrong_high = sum(run(chance, low, high, low, alike).verdict == HIGH for _ in range(TRIALS))
    wrong_low = sum(run(chance, low, high, high, alike).verdict == LOW for _ in range(TRIALS))
    assert wrong_high / TRIALS <= limit
    assert wrong_low / TRIALS <= limit


def test_a_plain_answer_comes_sooner() -> None:
    chance = np.random.default_rng(6)
    close = np.mean([run(chance, 0.5, 0.55, 0.55, 0.2).pairs for _ in range(50)])
    plain = np.mean([run(chance, 0.5, 0.55, 0.70, 0.2).pairs for _ in range(50)])
    assert plain < close / 2


def test_it_stops_at_the_same_pair_however_results_come() -> None:
    shares = simulated_shares(np.random.default_rng(7), 5000, 0.58, 0.2)
    at_once, one_by_one = Sprt(0.5, 0.55), Sprt(0.5, 0.55)
    used = at_once.update(shares)
    assert used < 5000
    for share in shares:
        one_by_one.update([share])
        if one_by_one.verdict != UNDECIDED:
            break
    assert one_by_one.pairs == used == at_once.pairs
    assert one_by_one.ratio == pytest.approx(at_once.ratio)
    assert at_once.verdict == HIGH


@pytest.mark.parametrize(
    ("alpha", "beta", "lower", "upper"),
    [
        (0.05, 0.05, -2.9444389791664403, 2.9444389791664403),  # log 19
        (0.01, 0.01, -4.59511985013459, 4.59511985013459),  # log 99
        (0.05, 0.2, -1.55814461804655, 2.772588722239781),  # log (4 / 19), log 16
        (0.1, 0.02, -3.8066624897703196, 2.2823823856765264),  # log (1 / 45), log 9.8
    ],
)
def test_it_stops_at_walds_bounds(alpha: float, beta: float, lower: float, upper: float) -> None:
    sprt = Sprt(0.5, 0.55, alpha, beta)
    assert sprt.bounds == pytest.approx((lower, upper), rel=1e-12)
    assert sprt.to_json()["bounds"] == list(sprt.bounds)
    low, high = sprt.bounds
    for ratio, verdict in (
        (low - 1e-9, LOW),
        (low, LOW),
        (low + 1e-9, UNDECIDED),
        (0.0, UNDECIDED),
        (high - 1e-9, UNDECIDED),
        (high, HIGH),
        (high + 1e-9, HIGH),
    ):
        sprt.ratio = ratio
        assert sprt.verdict == verdict, ratio


def _ratio_by_hand(shares: list[float], low: float, high: float) -> float:
    """Ten pairs of variance 1/4 are mixed into the spread seen so far."""
    mean = sum(shares) / len(shares)
    spread = sum((share - mean) ** 2 for share in shares)
    variance = (spread + 10 / 4) / (len(shares) + 10)
    return (high - low) * sum(share - (low + high) / 2 for share in shares) / variance


@pytest.mark.parametrize(
    ("shares", "used", "verdict"),
    [
        ([1.0] * 40, 6, HIGH),  # 0.2 * 0.4 * 6 / (2.5 / 16) = 3.07; after five 2.4
        ([0.0] * 40, 5, LOW),  # 0.2 * 0.6 * 5 / (2.5 / 15) = 3.6; after four 2.69
        ([0.5] * 40, 15, LOW),  # 0.2 * 0.1 * 15 / (2.5 / 25) = 3; after fourteen 2.69
        ([1.0, 1.0, 0.5] * 13, 10, HIGH),  # 0.2 * 2.5 / ((0.525 + 2.5) / 20) = 3.31
        ([1.0, 0.5, 0.5, 0.5, 0.5] * 8, 40, UNDECIDED),  # just between the two
    ],
)
def test_known_results_are_decided_at_the_pair_where_the_ratio_passes_a_bound(
    shares: list[float], used: int, verdict: str
) -> None:
    sprt = Sprt(0.5, 0.7)
    assert sprt.update(shares) == used == sprt.pairs
    assert sprt.verdict == verdict
    assert sprt.ratio == pytest.approx(_ratio_by_hand(shares[:used], 0.5, 0.7), rel=1e-9)
    lower, upper = sprt.bounds
    before = _ratio_by_hand(shares[: used - 1], 0.5, 0.7)
    assert lower < before < upper, "not a pair too late"


@pytest.mark.parametrize(("share", "verdict"), [(1.0, HIGH), (0.0, LOW)])
def test_a_ratio_that_just_reaches_a_bound_stops_the_test(
    share: float, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = Sprt(0.5, 0.7)
    reached.update([share] * 3)
    bounds = tuple(sorted((reached.ratio, -9 * reached.ratio)))
    monkeypatch.setattr(Sprt, "bounds", bounds)
    sprt = Sprt(0.5, 0.7)
    assert sprt.update([share] * 5) == 3
    assert sprt.verdict == verdict


def test_nothing_new_changes_nothing() -> None:
    sprt = Sprt(0.5, 0.55)
    assert sprt.update([]) == 0
    assert sprt.to_json()["verdict"] == UNDECIDED


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": 0.6, "high": 0.5}, "--sprt 0.6,0.5"),
        ({"low": 0.0, "high": 0.5}, "--sprt 0,0.5"),
        ({"low": 0.5, "high": 0.5}, "--sprt 0.5,0.5"),
        ({"low": float("nan"), "high": 0.5}, "--sprt nan,0.5"),
        ({"low": 0.5, "high": 0.6, "alpha": 0.0}, "--alpha 0"),
        ({"low": 0.5, "high": 0.6, "beta": 0.7}, "--beta 0.7"),
    ],
)
def test_impossible_tests_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        Sprt(**options)


def test_elo_points_as_win_rates() -> None:
    assert win_rate_of_elo(0) == 0.5
    assert win_rate_of_elo(400) == pytest.approx(10 / 11)
    assert win_rate_of_elo(-400) == pytest.approx(1 / 11)


def test_the_luck_that_is_taken_out_is_that_of_the_first_agent() -> None:
    shares, luck = np.array([1.0, 0.5, 0.0]), np.array([0.2, -0.1, 0.3])
    rounds = replace(rounds_from(shares), luck=np.column_stack([luck, -luck]))
    seen: list[float] = []

    def update(results: Any) -> int:
        seen.extend(results)
        return len(results)

    test: Any = SimpleNamespace(update=update, verdict=UNDECIDED)
    assert len(list(_until(test, iter([rounds, rounds_from(shares)])))) == 2
    assert seen == pytest.approx([*(shares - luck), *shares])


@pytest.mark.parametrize("name", ["pairs", "ratio", "_sum", "_squares"])
def test_what_was_seen_cannot_be_given(name: str) -> None:
    """A test begins with nothing seen."""
    with pytest.raises(TypeError, match=name):
        Sprt(0.4, 0.6, **{name: 1.0})  # type: ignore[arg-type]
