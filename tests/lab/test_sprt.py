"""The sequential test errs as seldom as it says, and stops early."""

import numpy as np
import pytest

from lab.tables import TRIALS, simulated_shares
from undercut.core.errors import OptionsError
from undercut.lab.sprt import HIGH, LOW, UNDECIDED, Sprt, win_rate_of_elo


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
