"""The command line as a contract: schemas, outputs refused at once, rules, completion, seeds."""

import io
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import jsonschema
import pytest
from click.testing import CliRunner, Result

import schemas as tool
from undercut.cli import main, screen
from undercut.cli.pages import rules_page
from undercut.games.families import parse_game
from undercut.lab.columns import percent, percents
from undercut.schemas import schema, schema_names


def undercut(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def every_command() -> dict[str, click.Command]:
    return {**main.commands, "games export": main.commands["games"].commands["export"]}  # type: ignore[attr-defined]


def options_of(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts}


def test_every_json_has_a_schema_and_every_schema_is_of_something() -> None:
    speaking = {name for name, each in main.commands.items() if "--json" in options_of(each)}
    assert "rules" in speaking
    extras = re.findall(r"\.\[([\w,]+)\]", "\n".join(lines))
    named = {extra for several in extras for extra in several.split(",")}
    assert named
    assert named <= {*project["optional-dependencies"]}


def test_a_progress_bar_begins_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of compiling is taken away first, and standard output is left alone."""
    written: list[str] = []

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    monkeypatch.setattr("sys.stderr", Terminal())
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    line = screen._Line()
    line.show("1 done")
    with screen.Bar(3, "games") as bar:
        assert "compiling" in written[0]
        assert written[1].endswith("\x1b[2K")
        line.show("2 done")
        print("for a file")
        bar.advance()
    line.clear()
    assert sum("compiling kernels: 1 done" in text for text in written) == 1
    assert out.getvalue() == "for a file\n"
