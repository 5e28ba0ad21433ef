"""Whole matches at the terminal: every line and every colour of what is shown.

The files in `screens` say what was shown when they were written, and `golden.py` how they are
written anew.
"""

import io
import re
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from golden import check_golden
from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.terminal import match
from undercut.app.terminal.match import Terminal
from undercut.app.terminal.table import invite
from undercut.text.translation import ENGLISH, speaking

SCREENS = Path(__file__).parent / "screens"
WORDS = ["help", "rules", "score", "log", "pile", "hint", "undo", "save", "again", "table"]


def shown(
    spec: str,
    typed: Iterator[str],
    *,
    opponents: tuple[str, ...] = (),
    people: int = 1,
    width: int = 80,
    training: bool = False,
    language: str = ENGLISH,
    colours: bool = True,
) -> str:
    """All that a terminal shows of a match, each prompt with what was typed behind it.

    Colours are written as {code:text}. Whoever has typed all presses Ctrl-D. When the match is
    over, a record is wanted, then not, then another match.
    """
    file = io.StringIO()
    style = "standard" if colours else None
    console = Console(
        file=file, width=width, height=3, highlight=False, force_terminal=True, color_system=style
    )

    after = iter(["save", "", "nonsense", "again"])

    def read(prompt: str) -> str:
        is_over = prompt.startswith(("Enter: stop", "Write the record"))
        line = next(after if is_over else typed, None)
        file.write(f"{prompt}[{'Ctrl-D' if line is None else line}]\n")
        if line is None:
            raise EOFError
        return line

    with speaking(language):
        game, agents = invite(spec, opponents, people=people)
        host = Host(game, [*[None] * people, *agents], 1, training=training, asks_all=people > 1)
        how = Terminal(Session.at(host, 0), console, read, language != ENGLISH, kept=7).run()
    screen = re.sub(r"\x1b\[([\d;]+)m(.*?)\x1b\[0m", r"{\1:\2}", file.getvalue())
    return re.sub(r"\x1b\[(.*?)([HJ])", r"{\1\2}", screen) + f"{how}\n"


def steadily(*first: str, then: str = "1", most: int = 400) -> Iterator[str]:
    """Some lines, then always the same answer."""
    yield from first
    for _ in range(most):
        yield then


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long the compiler takes is not told."""
    monkeypatch.setattr(match, "patience", lambda console: nullcontext())


def test_gin() -> None:
    """A whole match, with every word that can be typed, and moves that are not understood."""
    first = [*WORDS, "nonsense", "99", "1 2", "", "take", "sort", "k Ks", "help", "yes", "quit", ""]
    found = shown("gin:first_starter=0,target=60", steadily(*first), opponents=("simple",))
    check_golden(SCREENS / "gin.txt", found)


def test_gin_as_training() -> None:
    """Moves are taken back; then the same cards are wanted again."""
    typed = steadily("help", "take", "1", "undo", "log", "1", "undo", "undo", "same")
    found = shown("gin:first_starter=1", typed, opponents=("simple",), training=True)
    check_golden(SCREENS / "training.txt", found)


def by_chance(seed: int, count: int) -> Iterator[str]:
    """Numbers, some of them too large, and now and then a word."""
    chance = Random(seed)
    for _ in range(count):
        yield chance.choice([*map(str, range(1, 15)), "1", "2", "auto", "yes", "sort", "log"])


@pytest.mark.parametrize(
    ("name", "spec", "given"),
    [
        ("rummy", "rummy", {"opponents": ("greedy",)}),
        ("narrow", "rummy-classic", {"opponents": ("greedy",), "width": 50}),
        ("czech", "prsi:players=3,max_moves=30", {"opponents": ("smallest",), "language": "cs"}),
        ("many", "pharaoh:players=7,max_moves=40", {"opponents": ("smallest",), "width": 40}),
        ("warned", "gin:first_starter=0,target=20", {"opponents": ("simple",), "seed": 8}),
        ("plain", "distilled:first_starter=0", {"opponents": ("simple",), "colours": False}),
    ],
)
def test_games_by_chance(name: str, spec: str, given: dict[str, Any]) -> None:
    """What is not understood, what gives points away, hands that need more than a line."""
    typed = chain(["score", "help"], by_chance(given.pop("seed", 3), 60), ["score", "log"])
    check_golden(SCREENS / f"{name}.txt", shown(spec, typed, **given))


def test_two_people_pass_the_screen_on_and_one_gives_up() -> None:
    typed = chain(["1", "", "1", "2", "", "1", "", "", "", "1", "score", "quit", "give up"])
    found = shown("prsi:players=3", typed, opponents=("smallest",), people=2)
    check_golden(SCREENS / "people.txt", found)
