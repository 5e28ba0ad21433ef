"""The winners of one match, of many, and inside kernels: the same each way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from undercut.games.contract import MAX_SEATS
from undercut.play.winners import WIN, add_wins, winners, wins_of

tables = st.lists(st.integers(-3, 3), min_size=2, max_size=MAX_SEATS)


@given(tables)
def test_the_highest_score_wins_and_ties_split_the_win(scores: list[int]) -> None:
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    assert winners(scores) == best
    expected = [WIN // len(best) if seat in best else 0 for seat in range(len(scores))]
    assert sum(expected) == WIN, "nothing of a win is lost"
    assert wins_of(scores).tolist() == expected
    assert wins_of([scores, scores]).tolist() == [expected, expected]
    found = np.zeros(len(scores), dtype=np.int64)
    add_wins(np.array(scores), found)
    add_wins(np.array(scores), found)
    assert found.tolist() == [2 * wins for wins in expected]
