"""The pages of rules, their tests and the code name the same rules and the same options."""

import ast
import re
from pathlib import Path

import pytest

from undercut.games import gin

ROOT = Path(__file__).parents[2]
PAGES = {"G": "gin", "D": "distilled"}


def _page(letter: str) -> str:
    return (ROOT / "docs" / "rules" / f"{PAGES[letter]}.md").read_text(encoding="utf-8")


def _numbered(letter: str) -> list[int]:
    """The rules a page states, each at the beginning of a paragraph."""
    return [int(number) for number in re.findall(rf"^\*\*\[{letter} (\d+)\]", _page(letter), re.M)]


@pytest.mark.parametrize("letter", PAGES)
def test_rules_are_numbered_from_one(letter: str) -> None:
    numbers = _numbered(letter)
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 11


@pytest.mark.parametrize("letter", PAGES)
def test_every_rule_has_a_test_named_after_it(letter: str) -> None:
    source = (Path(__file__).parent / f"test_{PAGES[letter]}.py").read_text(encoding="utf-8")
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    tested = {
        int(match[1])
        for name in names
        if (match := re.match(rf"test_{letter.lower()}(\d+)_", name))
    }
    assert tested == set(_numbered(letter))


def test_rules_mentioned_in_code_and_pages_exist(package: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (package / "games").glob("gin*.py")]
    mentioned = set()
    for text in [*texts, _page("G"), _page("D")]:
        for group in re.findall(r"\[((?:[GD] \d+(?:, )?)+)\]", text):
            mentioned |= set(re.findall(r"([GD]) (\d+)", group))
    known = {(letter, str(number)) for letter in PAGES for number in _numbered(letter)}
    assert mentioned <= known
    assert len(mentioned) > 20


def test_the_table_of_options_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (-?\d+) \| (-?\d+) \|", _page("G"), re.M)
    assert [row[0] for row in rows] == list(gin.Options._fields)
    for name, values, *defaults in rows:
        for preset, default in zip(("gin", "distilled"), defaults, strict=True):
            assert getattr(gin.PRESETS[preset], name) == int(default), name
        numbers = [int(number) for number in re.findall(r"-?\d+", values)]
        assert (numbers[0], numbers[-1]) == gin.LIMITS[name], name


def test_the_numbers_of_actions_on_the_page() -> None:
    assert f"{gin.ACTIONS} in all, never more than {gin.LEGAL} at once" in _page("G")
    assert f"{gin.VERSION}. " in _page("G").split("## Versions")[1]
