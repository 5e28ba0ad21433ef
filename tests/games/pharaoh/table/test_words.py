"""Typed input at a table of Pharaoh."""

import pytest

from games.pharaoh.positions import Table, placed
from undercut.games.pharaoh.table.describe import DESCRIPTION
from undercut.games.pharaoh.table.words import read_action
from undercut.games.table.description import Company
from undercut.text.errors import NotationError


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7l", "play 7L"),
        ("play 7L", "play 7L"),
        (" PLAY  7l,7a ", "play 7L 7C"),
        ("7A7L", "play 7C 7L"),
        ("10h", "play XH"),
        ("xh 10b", "play XH XB"),
        ("OH acorns", "play OH suit acorns"),
        ("play OH suit acorns", "play OH suit acorns"),
        ("oh ob A", "play OH OB suit acorns"),
        ("oh l", "play OH suit leaves"),
        ("AC", "play AC"),
        ("d", "draw"),
        ("take", "draw"),
        ("p", "pass"),
    ],
)
def test_words_and_numbers(typed: str, meant: str) -> None:
    assert read_action(typed) == meant


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("fly", "not understood: 'fly'"),
        ("1L", "not understood: '1L'"),
        ("play", "not understood: 'play'"),
        ("acorns", "not understood: 'acorns'"),
        ("play draw", "not understood"),
        ("7L 8L", "not a play: 'play 7L 8L' (one to four different cards of one value)"),
        ("7L 7L", "one to four different cards of one value"),
        ("7L acorns", "overs, and only overs, name a suit"),
        ("OH", "name a suit too: OH hearts, OH bells, OH acorns or OH leaves"),
        ("OH spades", "not understood: 'OH spades'"),
    ],
)
def test_what_cannot_be_read_is_named(typed: str, answer: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_action(typed)
    assert answer in str(refused.value)


def offered(table: Table) -> list[str]:
    """The choices that are shown, in their order; those with overs without a suit."""
    company = Company(("you", *"ABCDEFG"[: table.game.seats - 1]))
    question = DESCRIPTION.question(table.readable(0), company)
    shown = [group for group in question.groups if group.place != "named"]
    return [choice.action for group in shown for choice in group.choices]


def test_only_whole_sets_are_offered_once_for_each_top() -> None:
    table = placed("7H 7L 7C OB OL 8H", "KH", pile="9H")
    assert offered(table) == [
        "play 7H",
        "play 8H",
        "play OB",
        "play OL",
        "play 7H 7C 7L",
        "play 7H 7L 7C",
        "play OB OL",
        "draw",
    ]


def test_offers_are_as_long_as_the_rules_allow() -> None:
    table = placed("7H 7L 7C", "KH", pile="9H", game="pharaoh:most_cards=2")
    assert offered(table) == ["play 7H", "play 7H 7C", "play 7H 7L", "draw"]
    table = placed("7H 7L 7C", "KH", pile="9H", game="prsi")
    assert offered(table) == ["play 7H", "draw"]


def test_other_orders_and_parts_are_only_named() -> None:
    table = placed("7H 7L 7C", "KH", pile="9H")
    company = Company(("you", "A"))
    question = DESCRIPTION.question(table.readable(0), company)
    (named,) = [group for group in question.groups if group.place == "named"]
    assert {choice.action for choice in named.choices} == {"play 7H 7L", "play 7H 7C"}
