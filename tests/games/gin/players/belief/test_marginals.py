"""Marginals agree with the seat's knowledge for any output of a network."""

from random import Random

import numpy as np
import pytest

from games.gin.reference.belief import marginals
from positions import lively_walk, random_table, scaled
from undercut.cards.french import each
from undercut.games.families import parse_game
from undercut.games.gin.players.belief.marginals import (
    counting_marginals,
    fit_marginals,
    marginals_of,
)
from undercut.kernels.records import new


@pytest.mark.parametrize("name", ["gin", "distilled+knock"])
def test_marginals_equal_the_slow_twin_and_add_up(name: str) -> None:
    random = Random(5)
    for _ in range(scaled(5, 2)):
        table = random_table(parse_game(name), random)
        for _ in lively_walk(table, random):
            for me in (0, 1):
                chances = [random.random() ** random.choice([1, 8]) for _ in range(52)]
                fitted, remember = np.array(chances), random.random() < 0.5
                view = table.view(me)
                fit_marginals(view, remember, fitted)
                slow = table.slow_twin()
                known = slow.known(me) if remember else frozenset()
                size = len(slow.hands[1 - me])
                expected = marginals(chances, slow.hands[me], slow.pile, known, size)
                assert fitted == pytest.approx(expected, abs=1e-9)
                assert fitted.sum() == pytest.approx(size)
                assert fitted.max() <= 1
                hidden = list(each(table.state["hands"][1 - me]))
                assert (fitted[hidden] > 0).all()


def test_impossible_chances_still_give_marginals() -> None:
    table = random_table(parse_game("gin"), Random(1))
    view = table.view(0)
    for chances in (np.zeros(52), np.full(52, np.nan), np.eye(52)[0]):
        fit_marginals(view, True, chances)
        assert chances.sum() == pytest.approx(10)
        assert chances.max() <= 1


def test_counting_gives_every_unseen_card_the_same_chance() -> None:
    table = random_table(parse_game("gin"), Random(2))
    views = new(table.rules.VIEW, 2)
    views[0], views[1] = table.view(0), table.view(1)
    rows = counting_marginals(views)
    for me in (0, 1):
        unseen = rows[me][rows[me] > 0]
        assert len(unseen) == 52 - 11
        assert unseen == pytest.approx(10 / 41)
    assert rows == pytest.approx(marginals_of(views, np.full((2, 52), 0.3)))
