"""The last words on a gin deal."""

from dataclasses import replace
from typing import Any

import pytest

from undercut.games.gin.rules.deal import Options, Outcome, Phase
from undercut.games.gin.table.sight import Sight
from undercut.games.gin.table.summary import verdict
from undercut.games.table.melding.hand import Hand


def hand(deadwood: int) -> Hand:
    return Hand(melds=(), laid_off=(), loose=(), deadwood=deadwood)


def ended(outcome: Outcome, knocker: int | None, mine: int, theirs: int | None) -> Sight:
    """The table of seat 0 after a deal."""
    return Sight(
        phase=Phase.OVER,
        outcome=outcome,
        me=0,
        seat=0,
        starter=0,
        knocker=knocker,
        stock=2,
        pile=20,
        piled=(),
        upcard=None,
        taken=None,
        hand=hand(mine),
        known=(),
        laid=((), ()),
        hands=(hand(mine), None if theirs is None else hand(theirs)),
    )


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            ended(Outcome.GIN, 0, 0, 31),
            "Gin for you: simple's deadwood 31 + bonus 25 = 56 points.",
        ),
        (
            ended(Outcome.GIN, 1, 4, 0),
            "Gin for simple: your deadwood 4 + bonus 25 = 29 points.",
        ),
        (ended(Outcome.KNOCK, 0, 8, 24), "You knocked with 8 against 24: 16 points for you."),
        (ended(Outcome.KNOCK, 0, 8, 9), "You knocked with 8 against 9: 1 point for you."),
        (ended(Outcome.KNOCK, 1, 9, 3), "simple knocked with 3 against 9: 6 points for simple."),
        (
            ended(Outcome.UNDERCUT, 0, 8, 6),
            "Undercut! You knocked with 8 against 6: 2 + bonus 25 = 27 points for simple.",
        ),
        (
            ended(Outcome.UNDERCUT, 1, 8, 8),
            "Undercut! simple knocked with 8 against 8: 0 + bonus 25 = 25 points for you.",
        ),
        (
            ended(Outcome.VOID, None, 30, None),
            "Only 2 cards are left in the stock: nobody scores, the same player begins.",
        ),
        (
            replace(ended(Outcome.VOID, None, 30, None), stock=9),
            "50 cards have been taken from the pile: nobody scores, the same player begins.",
        ),
    ],
)
def test_how_a_deal_ended(table: Sight, told: str) -> None:
    assert verdict(table, "simple", Options()) == told
    assert len(told) <= 78


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"gin_bonus": 0}, "Gin for you: 31 points."),
        ({"gin_bonus": 10}, "Gin for you: simple's deadwood 31 + bonus 10 = 41 points."),
    ],
)
def test_a_bonus_is_told_where_there_is_one(options: dict[str, Any], told: str) -> None:
    assert verdict(ended(Outcome.GIN, 0, 0, 31), "simple", Options(**options)) == told


def test_the_deal_passes_on_after_a_void_hand_if_the_rules_say_so() -> None:
    told = verdict(ended(Outcome.VOID, None, 30, None), "simple", Options(void_alternates=1))
    assert told == "Only 2 cards are left in the stock: nobody scores."
