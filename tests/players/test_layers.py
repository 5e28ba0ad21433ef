"""Sums of rows of weights: eight rows at once give the bits of one after another."""

import numpy as np
import pytest

from undercut.players.layers import AT_ONCE, NO_PLACES, add_row, add_rows, push


@pytest.mark.parametrize(("width", "lanes"), [(1, 1), (19, 1), (256, 1), (19, 4), (256, 32)])
def test_rows_added_together_give_the_same_bits(width: int, lanes: int) -> None:
    random = np.random.default_rng(width)
    rows = random.standard_normal(40 * width).astype(np.float32)
    places = tuple(random.permutation(40)[:AT_ONCE].tolist())
    factors = tuple(random.standard_normal(AT_ONCE).astype(np.float32))
    together = random.standard_normal(width).astype(np.float32)
    alone = together.copy()
    for lane in range(lanes):
        add_rows(together, rows, places, factors, lane, lanes)
        for place, factor in zip(places, factors, strict=True):
            add_row(alone, rows[place * width :][:width], factor, lane, lanes)
    assert together.tobytes() == alone.tobytes()


def test_a_queue_keeps_the_last_places() -> None:
    held = NO_PLACES
    for place in range(11):
        held = push(held, place)
    assert held == tuple(range(3, 11))
