"""Typed input at a Gin table."""

import pytest

from undercut.games.gin.table.words import read_action
from undercut.text.errors import NotationError

THROW = ["discard 8h", "discard Td", "discard Kd", "knock 8h", "knock Kd"]
LAY = ["meld 5h 6h 7h", "lay 8h on 7h", "lay 9c on nines", "lay 9c on Tc", "done"]


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("d", "draw"),
        ("  DRAW ", "draw"),
        ("stock", "draw"),
        ("t", "take"),
        ("take", "take"),
        ("p", "pass"),
        ("8h", "discard 8h"),
        ("10d", "discard Td"),
        ("K♦", "discard Kd"),
        ("d 8h", "discard 8h"),
        ("throw KD", "discard Kd"),
        ("discard kd", "discard Kd"),
        ("k 8h", "knock 8h"),
        ("knock Kd", "knock Kd"),
        ("As", "discard As"),
    ],
)
def test_draws_and_throws(typed: str, action: str) -> None:
    assert read_action(typed, THROW) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("meld 7h 5h 6h", "meld 5h 6h 7h"),
        ("m 5h6h7h", "meld 5h 6h 7h"),
        ("5h 6h 7h", "meld 5h 6h 7h"),
        ("8h", "lay 8h on 7h"),
        ("lay 8h", "lay 8h on 7h"),
        ("l 8h on 5h-7h", "lay 8h on 7h"),
        ("lay 9c on nines", "lay 9c on nines"),
        ("lay 9c on Tc", "lay 9c on Tc"),
        ("done", "done"),
    ],
)
def test_laying_down(typed: str, action: str) -> None:
    assert read_action(typed, LAY) == action


@pytest.mark.parametrize(
    ("typed", "choices", "complaint"),
    [
        ("k", THROW, "which one\\? knock 8h, knock Kd"),
        ("9c", LAY, "which one\\? lay 9c on nines, lay 9c on Tc"),
        ("2s", LAY, "there is nothing to lay with 2s"),
        ("k", LAY, "there is nothing to knock now"),
        ("hello", THROW, "not understood: 'hello'"),
        ("8h 8h", THROW, "not understood: '8h 8h'"),
        ("5h 6h 8h", LAY, "not a meld: '5h 6h 8h'"),
        ("k 8x", THROW, "not a card: '8x'"),
        ("lay 8h on 2c", LAY, "8h cannot be laid on '2c'"),
        ("take 8h", THROW, "not an action: 'take 8h'"),
    ],
)
def test_what_is_not_understood(typed: str, choices: list[str], complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        read_action(typed, choices)
