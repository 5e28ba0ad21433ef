"""A game with more players and other cards sits down by naming a screen."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from rich.console import Console
from rich.text import Text

from typed_table import pressing
from undercut.app.session import Event, Session
from undercut.app.terminal.painting import (
    Lines,
    Pack,
    paint,
    to_ascii,
)
from undercut.app.terminal.table import Terminal, invite, rehearse
from undercut.core.errors import IllegalAction, OptionsError
from undercut.core.german import SUITS, VALUES
from undercut.games import families

GERMAN = Pack(
    ranks={value: value for value in VALUES} | {"X": "10"},
    symbols=dict(zip(SUITS, "♥●♣♠", strict=True)),
    styles=dict(zip(SUITS, ("red", "yellow", "magenta", "green"), strict=True)),
)


class PlainScreen:
    """The least that a screen can be."""

    pack = GERMAN
    help = (("a number", "play that"),)
    title = "Pharaoh"
    goal = "one deal"
    is_new_turn = True

    def __init__(self, session: Session) -> None:
        self._session = session

    def aim(self) -> Lines:
        return [Text("Get rid of your cards.")]

    def rules(self) -> Lines:
        return [Text("1. Follow suit or value.")]

    def table(self) -> Lines:
        return [Text("  The table")]

    def question(self) -> Lines:
        choices = enumerate(self._session.choices(), start=1)
        return [paint(f"  {number}  {choice}", pack=GERMAN) for number, choice in choices]

    def tell(self, events: Sequence[Event]) -> Lines:
        names = self._session.names
        return [paint(f"{names[event.seat]}: {event.text}", pack=GERMAN) for event in events]

    def summary(self) -> Lines:
        return [Text("  It is over.")]

    def prepare(self) -> None:
        pass

    def play(self, text: str) -> None:
        choices = self._session.choices()
        if not text.isdecimal() or not 1 <= int(text) <= len(choices):
            raise IllegalAction(f"no choice {text!r}: not even AL")
        self._session.play(choices[int(text) - 1])


@pytest.fixture(autouse=True)
def plain_table(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_at(monkeypatch, f"{__name__}:PlainScreen")


def seat_at(monkeypatch: pytest.MonkeyPatch, screen: str) -> None:
    """Pharaoh with another screen, and a plainer opponent."""
    family = replace(families.find_family("pharaoh"), screen=screen, opponent="biggest")
    monkeypatch.setitem(families.FAMILIES, "pharaoh", family)


def play(seats: int, width: int = 80) -> tuple[Session, str]:
    game, opponents = invite("pharaoh", [], seats)
    session = Session(game, opponents, seed=1)
    console = Console(file=io.StringIO(), width=width, highlight=False)
    Terminal(session, console, pressing("1")).run()
    return session, console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_any_number_of_players_play_to_the_end(seats: int) -> None:
    session, shown = play(seats)
    assert session.is_over
    assert len(session.names) == len(set(session.names)) == seats
    assert re.search(r"wins? the match|share the win", shown)
    for name in session.names:
        assert f"{name}: " in shown
    assert max(len(line) for line in shown.splitlines()[2:]) <= 80


def test_namesakes_have_a_letter_each() -> None:
    game, opponents = invite("pharaoh", ["biggest", "random", "biggest"])
    assert game.seats == 4
    session = Session(game, opponents, 1, person=1)
    assert session.names == ("biggest A", "you", "random", "biggest B")


def test_one_opponent_takes_all_other_seats() -> None:
    game, opponents = invite("pharaoh", ["random"], 3)
    assert [opponent.name for opponent in opponents] == ["random"] * 2
    with pytest.raises(OptionsError, match="3 opponents: pharaoh is played against 1"):
        Session(invite("pharaoh", [], 2)[0], opponents + opponents[:1])
    rehearse(game, opponents)


def test_errors_and_letters_are_those_of_the_pack() -> None:
    game, opponents = invite("pharaoh", [])
    console = Console(file=io.StringIO(), width=80, highlight=False)
    lines = iter(["fly"])
    session = Session(game, opponents, 1)
    Terminal(session, console, lambda prompt: next(lines, "quit")).run()
    assert "no choice 'fly': not even A♠\n" in console.file.getvalue()  # type: ignore[attr-defined]
    assert to_ascii(paint("XH lies on 7A.", pack=GERMAN), GERMAN).plain == "10H lies on 7A."


def test_a_game_without_a_table_says_which_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_at(monkeypatch, "")
    with pytest.raises(OptionsError, match="prsi has no terminal table: one of gin, rummy"):
        invite("prsi", ["random"])


@pytest.mark.parametrize("seed", range(3))
def test_those_who_are_equal_share_the_win(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, opponents = invite("pharaoh", [], 4)
    session = Session(game, opponents, seed)
    winners = sorted(Random(seed).sample(range(4), 2 + seed % 2))
    monkeypatch.setattr(session, "winners", lambda: winners)
    terminal = Terminal(session, Console(file=io.StringIO()), input)
    names = [session.names[seat].replace("you", "You") for seat in winners]
    told = f"{', '.join(names[:-1])} and {names[-1]} share the win, 1/{len(names)} each."
    assert terminal._verdict() == told
