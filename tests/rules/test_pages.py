"""The pages of rules, their tests and the code name the same rules and the same options."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from undercut.games.gin import rules as gin
from undercut.games.pharaoh import rules as pharaoh

ROOT = Path(__file__).parents[2]
PAGES = {"G": "gin", "D": "distilled", "P": "pharaoh"}


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
    paths = [
        path for game in ("gin", "pharaoh") for path in (package / "games" / game).rglob("*.py")
    ]
    assert len(paths) > 20
    texts = [path.read_text(encoding="utf-8") for path in paths]
    mentioned = set()
    for text in [*texts, *map(_page, PAGES)]:
        for group in re.findall(r"\[((?:[GDP] \d+(?:, )?)+)\]", text):
            mentioned |= set(re.findall(r"([GDP]) (\d+)", group))
    known = {(letter, str(number)) for letter in PAGES for number in _numbered(letter)}
    assert mentioned <= known
    assert len(mentioned) > 20


@pytest.mark.parametrize(("letter", "rules"), [("G", gin), ("P", pharaoh)])
def test_the_numbers_of_actions_on_the_page(letter: str, rules: Any) -> None:
    assert f"{rules.ACTIONS} in all, never more than {rules.LEGAL} at once" in _page(letter)
    assert f"{rules.VERSION}. " in _page(letter).split("## Versions")[1]


def test_each_line_of_pharaoh_s_specification_has_its_code_and_its_test() -> None:
    source = (Path(__file__).parent / "test_pharaoh.py").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` \| `(\w+)` \| `(\w+)` \|$", _page("P"), re.M)
    assert len(rows) > 20
    for text, code, test in rows:
        assert f"def {test}(" in source
        assert _plain(text) in _plain(inspect.getsource(getattr(pharaoh, code))), code


def _plain(text: str) -> str:
    return " ".join(text.split())
