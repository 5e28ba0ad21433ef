"""Match equity against chances worked out by hand and by playing."""

from random import Random

import numpy as np
import pytest

from undercut.learn.selfplay.equity import count_outcomes, match_equity


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
