"""How many action sequences there are to each depth, by kernels and by the slow engine.

A game's totals.json holds for each case the number of sequences of 1, 2, 3 ... actions. A deal that
ends sooner has no longer ones.
"""

import pytest

from counting import check_deal_by_seed, check_kernels, check_slow_engine, dealt
from games.gin.rules import counts as gin
from games.rummy.rules import counts as rummy

CASES = gin.CASES | rummy.CASES
TOTALS = gin.TOTALS | rummy.TOTALS
every_case = pytest.mark.parametrize("case", CASES)


def test_every_case_has_its_totals() -> None:
    assert set(TOTALS) == set(CASES)
    assert len(CASES) == len(gin.CASES) + len(rummy.CASES)


@every_case
def test_kernels_find_the_stored_totals(case: str) -> None:
    check_kernels(CASES[case](), TOTALS[case])


@every_case
def test_the_slow_engine_finds_the_same(case: str) -> None:
    check_slow_engine(CASES[case](), TOTALS[case])


@pytest.mark.parametrize("game", ["gin", "rummy"])
def test_deals_by_seed_are_those_of_the_package(game: str) -> None:
    for seed in (1, 2):
        check_deal_by_seed(dealt(game, seed), seed)
