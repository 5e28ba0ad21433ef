"""What is typed at a table of Pharaoh, read as moves."""

import pytest

from games.pharaoh.positions import placed
from undercut.app.terminal.pharaoh.words import offers, read_action
from undercut.core.errors import NotationError

CHOICES = ["play 7L", "play OH", "play 7L 7A", "draw"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7l", "play 7L"),
        ("play 7L", "play 7L"),
        (" PLAY  7l,7a ", "play 7L 7A"),
        ("7A7L", "play 7A 7L"),
        ("10h", "play XH"),
        ("xh 10b", "play XH XB"),
        ("OH acorns", "play OH suit acorns"),
        ("play OH suit acorns", "play OH suit acorns"),
        ("oh ob A", "play OH OB suit acorns"),
        ("oh l", "play OH suit leaves"),
        ("AA", "play AA"),
        ("d", "draw"),
        ("take", "draw"),
        ("p", "pass"),
        ("1", "play 7L"),
        ("2 hearts", "play OH suit hearts"),
        ("2 suit b", "play OH suit bells"),
        ("3", "play 7L 7A"),
        ("4", "draw"),
    ],
)
def test_words_and_numbers(typed: str, meant: str) -> None:
    assert read_action(typed, CHOICES) == meant


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "type a number or a word"),
        ("fly", "not understood: 'fly'"),
        ("1L", "not understood: '1L'"),
        ("play", "not understood: 'play'"),
        ("acorns", "not understood: 'acorns'"),
        ("play draw", "not understood"),
        ("4 leaves", "not understood: '4 leaves'"),
        ("0", "there is no choice 0: 1 to 4"),
        ("5", "there is no choice 5: 1 to 4"),
        ("7L 8L", "not a play: 'play 7L 8L' (one to four different cards of one value)"),
        ("7L 7L", "one to four different cards of one value"),
        ("7L acorns", "overs, and only overs, name a suit"),
        ("OH", "name a suit too: OH hearts, OH bells, OH acorns or OH leaves"),
        ("2", "name a suit too: OH hearts, OH bells, OH acorns or OH leaves"),
        ("OH spades", "not understood: 'OH spades'"),
    ],
)
def test_what_cannot_be_read_is_named(typed: str, answer: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_action(typed, CHOICES)
    assert answer in str(refused.value)


def test_only_whole_sets_are_offered_once_for_each_top() -> None:
    hand = placed("7H 7L 7A OB OL 8H", "KH", pile="9H")
    assert offers(hand.legal()) == [
        "play 7H",
        "play 8H",
        "play OB",
        "play OL",
        "play 7H 7A 7L",
        "play 7H 7L 7A",
        "play OB OL",
        "draw",
    ]


def test_offers_are_as_long_as_the_rules_allow() -> None:
    table = placed("7H 7L 7A", "KH", pile="9H", game="pharaoh:most_cards=2")
    assert offers(table.legal()) == ["play 7H", "play 7H 7A", "play 7H 7L", "draw"]
    table = placed("7H 7L 7A", "KH", pile="9H", game="prsi")
    assert offers(table.legal()) == ["play 7H", "draw"]
