"""Typed input at a Rummy table."""

import pytest

from undercut.games.rummy.table.words import number_of, read_action
from undercut.text.errors import NotationError

DRAW = ["draw", "take"]
PLAY = ["discard 8h", "discard Td", "meld 2c 3c 4c", "lay 8h on 7h", "lay 8h on eights"]
MELDS = [("5h", "6h", "7h"), ("8c", "8d", "8s"), ("9h", "Th", "Jh")]


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("d", "draw"),
        ("stock", "draw"),
        ("T", "take"),
        ("upcard", "take"),
        ("o", "turn over"),
        ("over", "turn over"),
        ("turn over", "turn over"),
        ("Turn  the pile over", "turn over"),
    ],
)
def test_draws(typed: str, action: str) -> None:
    assert read_action(typed, DRAW, MELDS) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("8H", "discard 8h"),
        ("10d", "discard Td"),
        ("d 8h", "discard 8h"),
        ("throw K♦", "discard Kd"),
        ("meld 4c 2c 3c", "meld 2c 3c 4c"),
        ("m", "meld 2c 3c 4c"),
        ("m 2c3c4c", "meld 2c 3c 4c"),
        ("2c 3c 4c", "meld 2c 3c 4c"),
        ("lay 8h on 1", "lay 8h on 7h"),
        ("L 8h ON 2", "lay 8h on eights"),
        ("lay 8h on 3", "lay 8h on 9h"),
        ("lay 4h on 1", "lay 4h on 5h"),
        ("lay 8h on 5h-7h", "lay 8h on 7h"),
        ("lay 8h on 7h", "lay 8h on 7h"),
        ("lay 8h on eights", "lay 8h on eights"),
    ],
)
def test_put_downs_and_throws(typed: str, action: str) -> None:
    assert read_action(typed, PLAY, MELDS) == action


def test_a_card_that_fits_one_meld_only_needs_no_meld_named() -> None:
    assert read_action("lay 8h", PLAY[:-1], MELDS) == "lay 8h on 7h"
    assert read_action("lay", PLAY[:-1], MELDS) == "lay 8h on 7h"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("hello", "not understood: 'hello'"),
        ("lay 8h", "which one\\? lay 8h on 7h, lay 8h on eights"),
        ("lay 2s", "there is nothing to lay with 2s"),
        ("lay 8h on 4", "there is no meld 4 on the table: 1 to 3"),
        ("lay 8h on 0", "there is no meld 0 on the table: 1 to 3"),
        ("lay 2c on 1", "2c does not fit on 1: 5h 6h 7h"),
        ("lay 2c on 2", "2c does not fit on 2: 8c 8d 8s"),
        ("lay 2c on 7h", "2c cannot be laid on '7h'"),
        ("lay 8x on 2", "not a card: '8x'"),
        ("meld 2c 3c 5c", "not a meld: '2c 3c 5c'"),
        ("k 8h", "not understood: 'k 8h'"),
        ("discard", "which one\\? discard 8h, discard Td"),
    ],
)
def test_what_is_not_understood(typed: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        read_action(typed, PLAY, MELDS)


def test_without_melds_nothing_can_be_laid_off() -> None:
    with pytest.raises(NotationError, match="there is no meld on the table yet"):
        read_action("lay 8h on 1", PLAY, [])


@pytest.mark.parametrize(
    ("layoff", "number"),
    [("lay 8h on 7h", 1), ("lay 8h on eights", 2), ("lay 8h on 9h", 3), ("lay 4c on fours", 0)],
)
def test_the_meld_that_a_lay_off_names(layoff: str, number: int) -> None:
    assert number_of(layoff, MELDS) == number
