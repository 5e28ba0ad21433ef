"""The last words on a gin deal."""

from types import SimpleNamespace
from typing import Any

import pytest

from undercut.cards.card import Cards
from undercut.games.gin.rules.deal import Options
from undercut.games.gin.table.summary import verdict
from undercut.games.table.melding.hand import Layout


def hand(deadwood: int) -> Layout:
    return Layout(melds=(), loose=Cards(), deadwood=deadwood, laid_off=Cards())


def ended(
    outcome: str, knocker: int | None, mine: int, theirs: int | None, stock: int = 2, **options: int
) -> Any:
    """As much of the view of seat 0 after a deal as a verdict reads."""
    return SimpleNamespace(
        options=Options(**options),
        outcome=outcome,
        me=0,
        knocker=knocker,
        stock=stock,
        hands=(hand(mine), None if theirs is None else hand(theirs)),
    )


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (ended("gin", 0, 0, 31), "Gin for you: 31 + 25 for gin = 56 points."),
        (ended("gin", 1, 4, 0), "Gin for simple: 4 + 25 for gin = 29 points."),
        (ended("knock", 0, 8, 24), "You knocked: 24 − 8 = 16 points for you."),
        (ended("knock", 0, 8, 9), "You knocked: 9 − 8 = 1 point for you."),
        (ended("knock", 1, 9, 3), "simple knocked: 9 − 3 = 6 points for simple."),
        (
            ended("undercut", 0, 8, 6),
            "Undercut! You knocked: 8 − 6 = 2, and 25 more: 27 points for simple.",
        ),
        (
            ended("undercut", 1, 8, 8),
            "Undercut! simple knocked: 8 − 8 = 0, and 25 more: 25 points for you.",
        ),
        (
            ended("void", None, 30, None),
            "Only 2 cards are left in the stock: nobody scores, the same player begins.",
        ),
        (
            ended("void", None, 30, None, stock=9),
            "50 cards have been taken from the pile: nobody scores, the same player begins.",
        ),
    ],
)
def test_how_a_deal_ended(table: Any, told: str) -> None:
    assert verdict(table, "simple") == told
    assert len(told) <= 78


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"gin_bonus": 0}, "Gin for you: 31 points."),
        ({"gin_bonus": 10}, "Gin for you: 31 + 10 for gin = 41 points."),
    ],
)
def test_a_bonus_is_told_where_there_is_one(options: dict[str, Any], told: str) -> None:
    assert verdict(ended("gin", 0, 0, 31, **options), "simple") == told


def test_the_deal_passes_on_after_a_void_hand_if_the_rules_say_so() -> None:
    told = verdict(ended("void", None, 30, None, void_alternates=1), "simple")
    assert told == "Only 2 cards are left in the stock: nobody scores."
