"""The pages of rules, their tests and the code name the same rules."""

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled  # pages and sources are read, no kernel is run

ROOT = Path(__file__).parents[2]


def _letter(path: Path) -> str:
    """The letter of a page's rules: of its first, or of its name; no other page has it."""
    first = re.search(r"^\*\*\[([A-Z]) 1\]", path.read_text(encoding="utf-8"), re.M)
    return first[1] if first else path.stem[0].upper()


PAGES = {_letter(path): path for path in (ROOT / "docs" / "rules").glob("*.md")}
"""By the letter of its rules; a rule set that is a game of its own to a reader has its own page."""


def _page(letter: str) -> str:
    return PAGES[letter].read_text(encoding="utf-8")


def _numbered(letter: str) -> list[int]:
    """The rules a page states, each at the beginning of a paragraph or of an item."""
    stated = re.findall(rf"^(?:\*\*\[{letter} (\d+)\]|(\d+)\. \*\*)", _page(letter), re.M)
    return [int(number or item) for number, item in stated]


def _tests(letter: str) -> Path:
    """`rules/test_deal.py` of the game, or in the folder of its family a file of its own."""
    games, name = ROOT / "tests" / "games", PAGES[letter].stem
    if (games / name).is_dir():
        return games / name / "rules" / "test_deal.py"
    (found,) = games.glob(f"*/rules/test_{name}.py")
    return found


@pytest.mark.parametrize("letter", PAGES)
def test_rules_are_numbered_from_one(letter: str) -> None:
    numbers = _numbered(letter)
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers


@pytest.mark.parametrize("letter", PAGES)
def test_every_rule_has_a_test_named_after_it(letter: str) -> None:
    source = _tests(letter).read_text(encoding="utf-8")
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    tested = {
        int(match[1])
        for name in names
        if (match := re.match(rf"test_{letter.lower()}(\d+)_", name))
    }
    assert tested == set(_numbered(letter))


def test_rules_mentioned_in_code_and_pages_exist(package: Path) -> None:
    paths = list((package / "games").rglob("*.py"))
    assert len(paths) > 20
    texts = [path.read_text(encoding="utf-8") for path in paths]
    letters = "".join(PAGES)
    mentioned = set()
    for text in [*texts, *map(_page, PAGES)]:
        for group in re.findall(rf"\[((?:[{letters}] \d+(?:, )?)+)\]", text):
            mentioned |= set(re.findall(rf"([{letters}]) (\d+)", group))
    known = {(letter, str(number)) for letter in PAGES for number in _numbered(letter)}
    assert mentioned <= known
    assert len(mentioned) > 20


def test_no_two_pages_have_one_letter() -> None:
    pages = [*(ROOT / "docs" / "rules").glob("*.md")]
    assert len(PAGES) == len(pages), "write **[X 1] … with a letter X that no other page has"
