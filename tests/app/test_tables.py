"""A game that says nothing of itself still sits down at the terminal, whatever its cards."""

import io
import re
from dataclasses import replace
from random import Random

import pytest
from rich.console import Console
from rich.text import Text

from typed_table import pressing, reader
from undercut.app.presentation import by_number
from undercut.app.result_text import verdict
from undercut.app.session import Session
from undercut.app.terminal.colours import Painter
from undercut.app.terminal.drawing import draw_areas, draw_hand, rows
from undercut.app.terminal.table import Terminal, invite
from undercut.app.warm_up import rehearse
from undercut.cards.packs import FRENCH, GERMAN, Pack, Suit
from undercut.games import families
from undercut.games.table.description import Area, Choice, Part
from undercut.text.errors import NotationError, OptionsError

SYMBOLS = Pack(
    "symbols", (("X", "10"), ("7", "7")), (Suit("H", "♥", "hearts", "red"),)
)  # a German pack of two


@pytest.fixture(autouse=True)
def undescribed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pharaoh without a description, and with a plainer opponent."""
    family = replace(
        families.find_family("pharaoh"), description=None, opponent="biggest", levels=()
    )
    monkeypatch.setitem(families.FAMILIES, "pharaoh", family)


def play(seats: int, *lines: str, width: int = 80) -> tuple[Session, str]:
    game, opponents = invite("pharaoh", [], seats)
    session = Session(game, opponents, seed=1)
    console = Console(file=io.StringIO(), width=width, highlight=False)
    Terminal(session, console, reader(lines) if lines else pressing("1")).run()
    return session, console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_any_number_of_players_play_to_the_end(seats: int) -> None:
    session, shown = play(seats)
    assert session.is_over
    assert len(session.names) == len(set(session.names)) == seats
    assert re.search(r"wins? the match|share the win", shown)
    for name in session.names:
        assert f"{name}: " in shown
    lines = [line for line in shown.splitlines()[2:] if "undercut verify" not in line]
    assert max(map(len, lines)) <= 80


def test_without_a_description_hand_choices_and_house_rules_are_shown() -> None:
    session, shown = play(2, "rules", "fly", "99", "play 7B 7H 7C")
    assert shown.startswith("\npharaoh: you against Biggest, one match\n")
    hand = session.view().hand.texts
    assert re.search(rf"^  Your hand( +\w\w){{{len(hand)}}}$", shown, re.M)
    assert "  What will you do?\n    1  draw\n    2  play " in shown
    assert "deal = 5: cards for each player; fewer where 5 would not remain [P 2]." in shown
    assert "  not understood: 'fly' (help lists the words)\n" in shown
    assert "  there is no choice 99: 1 to " in shown
    assert "  'play 7B 7H 7C' is not allowed now\n" in shown


def test_namesakes_have_a_letter_each() -> None:
    game, opponents = invite("pharaoh", ["biggest", "random", "biggest"])
    assert game.seats == 4
    session = Session(game, opponents, 1, person=1)
    assert session.names == ("Biggest A", "you", "Random", "Biggest B")


def test_one_opponent_takes_all_other_seats() -> None:
    game, opponents = invite("pharaoh", ["random"], 3)
    assert [opponent.name for opponent in opponents] == ["random"] * 2
    with pytest.raises(OptionsError, match="3 opponents: pharaoh is played against 1"):
        Session(invite("pharaoh", [], 2)[0], opponents + opponents[:1])
    rehearse(game, [None, *opponents])


def test_letters_and_symbols_are_those_of_the_pack() -> None:
    painter = Painter(SYMBOLS)
    assert painter.sentence("XH lies on 7H, not on 7C.").plain == "10♥ lies on 7♥, not on 7C."
    assert painter.to_ascii(painter.sentence("XH lies on 7H.")).plain == "10H lies on 7H."
    assert Painter(Pack("plain")).sentence("XH lies on 7H.").plain == "XH lies on 7H."
    named = Painter(GERMAN).sentence("H hearts, OH leaves")
    assert {str(span.style) for span in named.spans} == {"bold bright_red", "bold green"}


CHOICES = [
    Choice("play 7L", ""),
    Choice("play OH", "", more=(Choice("play OH suit hearts", "hearts"),)),
    Choice("draw", ""),
]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", "play 7L"),
        (" 3 ", "draw"),
        ("2", "play OH"),
        ("2 hearts", "play OH hearts"),
        ("2, H", "play OH H"),
        ("7L", "7L"),
        ("1x", "1x"),
    ],
)
def test_a_number_stands_for_a_choice(typed: str, meant: str) -> None:
    assert by_number(typed, CHOICES) == meant


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "type a number or a word (help lists the words)"),
        ("  ", "type a number or a word (help lists the words)"),
        ("0", "there is no choice 0: 1 to 3"),
        ("4", "there is no choice 4: 1 to 3"),
        ("3 leaves", "not understood: '3 leaves' (help lists the words)"),
    ],
)
def test_a_number_that_stands_for_nothing_is_refused(typed: str, answer: str) -> None:
    with pytest.raises(NotationError) as refused:
        by_number(typed, CHOICES)
    assert str(refused.value) == answer


def test_a_large_hand_takes_more_than_one_row() -> None:
    suits = [tuple(f"{rank}{suit}" for rank, _ in FRENCH.ranks) for suit in "cd"]
    area = Area("hand", "Your hand", (), note="many")
    lines = draw_hand(suits, area, {"Ac": 1, "Kd": 14}, Painter(FRENCH))
    assert len(lines) == 4
    assert max(len(line) for line in lines) <= 80
    assert lines[0].plain.startswith("  Your hand  A♣  2♣")
    assert lines[1].plain.split() == ["1"] + ["-"] * 15
    assert lines[2].plain.endswith("  K♦   many")
    assert lines[3].plain.split() == ["-"] * 9 + ["14"]


def test_places_of_a_kind_begin_in_the_same_column_and_what_cannot_be_seen_is_left_out() -> None:
    areas = [
        Area("laid", "You", (Part(("8h",)), Part(("Th",), "laid off"))),
        Area("laid", "somebody else kept", (Part(("9h",)),), note="deadwood 9"),
        Area("players", "Others", (Part(face_down=10, seat=1),)),
        Area("places", "first", (Part(before="you"), Part(before="2 points"))),
        Area("places", "second", (Part(before="somebody"), Part(before="0 points"))),
    ]
    assert [line.plain for line in draw_areas(areas, Painter(FRENCH))] == [
        "  You                 8♥ │ laid off 10♥",
        "  somebody else kept  9♥   deadwood 9",
        "  first      you        2 points",
        "  second     somebody   0 points",
    ]


def test_what_divides_cards_is_dim_and_the_cards_are_not() -> None:
    laid = Area("laid", "You", (Part(("8h",)), Part(("9h",))))
    piles = Area("piles", "On top", (Part(("OH",), after=", leaves asked for"),))
    lines = [*draw_areas([laid], Painter(FRENCH)), *draw_areas([piles], Painter(GERMAN))]
    styles = [[(line.plain[s.start : s.end], str(s.style)) for s in line.spans] for line in lines]
    assert styles == [
        [("8♥", "bold bright_red"), (" │ ", "dim"), ("9♥", "bold bright_red")],
        [("  OH", "bold bright_red"), ("leaves", "bold green")],
    ]


@pytest.mark.parametrize("seed", range(3))
def test_those_who_are_equal_share_the_win(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, opponents = invite("pharaoh", [], 4)
    session = Session(game, opponents, seed)
    winners = sorted(Random(seed).sample(range(4), 2 + seed % 2))
    monkeypatch.setattr(session, "winners", lambda: winners)
    monkeypatch.setattr(Session, "is_over", True)
    names = [session.names[seat].replace("you", "You") for seat in winners]
    told = f"{', '.join(names[:-1])} and {names[-1]} share the win, 1/{len(names)} each."
    assert verdict(session) == told


def test_a_part_that_no_row_has_room_for_is_broken_at_spaces() -> None:
    found = rows(Text("At: "), [Text(" one"), Text(" two three four five six")], width=17)
    assert [line.plain for line in found] == [
        "At:  one",
        "     two three",
        "     four five",
        "     six",
    ]
