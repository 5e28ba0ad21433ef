"""Everything on the pages that looks like code works: commands, Python, sessions, JSON.

Pages run with compilation off: what they show is many line-ups, played for a moment each, and most
of that moment would be spent on compiling them. docs/tested.md tells a reader what is done here.
"""

import doctest
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from pages.blocks import LANGUAGES, PAGES, ROOT, Block, blocks, commands, inline_commands
from pages.commands import Shell, parse, run_undercut
from undercut.app.store import Store
from undercut.app.web import supervisor

CHECKS_ONLY = {"docs/paper.md": "the commands of the full reproduction: hours of a GPU"}
"""Pages whose commands are all checked and not run, with the reason."""

COMPILED = {"docs/review.md"}
"""Pages that run compiled: what they show is too much for plain Python."""

NOT_COMMANDS = {
    "undercut mix SEED WORDS",
    "undercut mix WORDS",
    "undercut deal SEED SALT",
    "undercut deal SECRET SALT",
    "undercut deal N",
    "undercut salt N",
    "undercut starter",
    "undercut agent SEAT",
    "undercut deck N",
    "undercut reshuffle",
}
"""What begins like a command and is not one: words that a digest is taken of."""

NUMBERS = {"N", "S", "SEED", "SECRET"}  # a reader puts a number there
UNFINISHED = (click.MissingParameter, click.BadOptionUsage)  # a command or an option by its name

MOST = 2  # games, tables or samples that Python may ask for


SHOWN = ("docs/tutorial/first-hand.md", "docs/tutorial/tournament.md")
"""Pages whose `text` blocks are what their first command prints."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the examples in it, games of its own, and no server that would stay."""
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNDERCUT_DATA", str(tmp_path / "games"))
    monkeypatch.setattr(supervisor, "supervise", _only_begin)
    return tmp_path


def _only_begin(
    folder: Path, host: str, port: int | None, is_new_key: bool, begin: Any, *_: Any
) -> int:
    """What a server does before it serves."""
    with closing(Store(folder)) as store:
        begin(store)
    return 0


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def with_code() -> list[Any]:
    """Pages with blocks that run, each for the run that it belongs to."""
    pages = [page for page in PAGES if any(b.language in ("sh", "python") for b in blocks(page))]
    ways = {True: pytest.mark.compiled, False: pytest.mark.interpreted}
    return [
        pytest.param(page, marks=ways[name_of(page) in COMPILED], id=name_of(page))
        for page in pages
    ]


@pytest.mark.parametrize("page", with_code())
def test_commands_and_python_run_in_the_order_of_the_page(page: Path, folder: Path) -> None:
    shell = Shell(folder, checks_only=name_of(page) in CHECKS_ONLY)
    names: dict[str, Any] = {"__name__": "__main__", "shows": shows}
    for block in blocks(page):
        if block.language == "python":
            exec(compile(_with_shown(_smaller(block.text)), block.place, "exec"), names)
        elif block.language == "sh":
            for words in commands(block.text):
                shell.do(words)


@pytest.mark.compiled
@pytest.mark.parametrize("name", SHOWN)
def test_what_a_page_shows_is_printed(name: str, folder: Path) -> None:
    page = ROOT / name
    command = next(block for block in blocks(page) if block.language == "sh")
    ((_, *words),) = commands(command.text)
    printed = [line.strip() for line in run_undercut(words).splitlines()]
    for block in blocks(page):
        if block.language == "text":
            lines = [line.strip() for line in block.text.splitlines()]
            begin = printed.index(lines[0])
            for expected, line in zip(lines, printed[begin : begin + len(lines)], strict=True):
                shows(expected, line)


def shows(expected: str, *values: object) -> None:
    """What is printed is what a page says, up to the first `…` there."""
    begin, more, _ = expected.partition("…")
    printed = " ".join(map(str, values))
    assert printed.startswith(begin) if more else printed == expected


def _with_shown(text: str) -> str:
    """The comment behind a `print` is compared with what is printed."""
    return re.sub(
        r"^print\((.+)\)  # (.+)$",
        lambda found: f"shows({found[2]!r}, {found[1]})",
        text,
        flags=re.MULTILINE,
    )


def _smaller(text: str) -> str:
    return re.sub(
        r"\b(games|count|num_envs|samples)=([\d_]+)",
        lambda found: f"{found[1]}={min(int(found[2]), MOST)}",
        text,
    )


@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_says_what_it_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert 2 * len(blocks(page)) == len(re.findall(r"^ *```", text, re.MULTILINE))
    unknown = [block.place for block in blocks(page) if block.language not in LANGUAGES]
    assert unknown == [], "a block begins with ```sh, ```python, ```text …"
    for block in blocks(page):
        _check(block)


def _check(block: Block) -> None:
    if block.language == "pycon":
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
        test = parser.get_doctest(block.text, {}, block.place, block.place, block.line)
        assert runner.run(test).failed == 0, block.place
    elif block.language == "json":
        try:
            json.loads(block.text)
        except json.JSONDecodeError:  # JSON Lines
            for line in block.text.splitlines():
                json.loads(line)


@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_in_sentences_can_be_given(page: Path) -> None:
    for text in inline_commands(page):
        if text in NOT_COMMANDS:
            continue
        (words,) = commands(text)
        try:
            parse(["2" if word in NUMBERS else word for word in words[1:]])
        except (click.exceptions.Exit, *UNFINISHED):
            pass
        except click.UsageError as error:
            pytest.fail(f"{text}: {error.format_message()}")
