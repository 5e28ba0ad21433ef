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
from undercut.cli.arguments import OutPath
from undercut.cli.rule_pages import rules_page
from undercut.games.families import parse_game
from undercut.lab.result_tables import percent, percents
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
    named = {"engine-check" if name == "engine" else name for name in speaking}
    assert {*schema_names()} == named | {"statistics", "record", "engine"}
    assert {*tool.OUTPUTS} == named | {"statistics"}


def test_what_does_not_fit_its_schema_fails_the_tests() -> None:
    with pytest.raises(jsonschema.ValidationError):
        screen.print_json({"game": "gin"}, "deal")
    deal = json.loads(undercut("deal", "gin", "7", "--json").stdout)
    with pytest.raises(jsonschema.ValidationError):
        screen.print_json({**deal, "extra": 1}, "deal")


CHANCE = {"match", "tournament", "hint", "generate", "train", "tune", "reproduce", "selfplay"}
CHANCE |= {"check", "review", "exploit", "belief", "distil", "play", "engine"}


def test_there_is_a_seed_where_chance_is() -> None:
    found = {name for name, each in main.commands.items() if "--seed" in options_of(each)}
    assert found == CHANCE


def test_rates_have_one_form() -> None:
    """A rate is a number from 0 to 1, its interval a list of two under the same name."""
    for name in tool.OUTPUTS:
        text = json.dumps(schema(name))
        assert '_error"' not in text.replace("calibration_error", "")
        for found in json.loads(text).get("properties", {}):
            if found.endswith("win_rate"):
                assert f"{found}_ci95" in schema(name)["properties"]
    assert (percent(0.5), percents((0.25, 1.0))) == ("50.0 %", "25.0 – 100.0 %")


# Outputs


WRITING = [
    "match gin simple simple --record {}",
    "match gin simple simple --resume {}",
    "tournament gin simple patient --resume {}",
    "tournament gin simple patient --plot {}.png",
    "play gin --terminal --record {}",
    "games export 1 {}",
    "export nothing.jsonl {}.parquet",
    "review nothing.jsonl --html {}.html",
    "generate {} gin simple simple",
    "train nothing --out {}",
    "score nothing --plot {}.png",
    "tune gin thrifty --against simple --study {}",
    "selfplay gin {}",
    "selfplay gin fine --plot {}.png",
    "exploit gin simple {}",
    "belief gin {}",
    "distil gin {}",
    "reproduce --folder {}",
    "reproduce --report {}",
]


@pytest.mark.parametrize("command", WRITING)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for place in ("/proc/nowhere", "file/below"):
        done = undercut(*command.format(place).split())
        assert done.exit_code == 2, done.output
        assert f"cannot write '{place}" in done.stderr
        assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_every_output_is_among_those_that_are_refused() -> None:
    for name, command in every_command().items():
        for parameter in command.params:
            if isinstance(parameter.type, OutPath):
                option = parameter.opts[0] if parameter.opts[0].startswith("-") else ""
                assert any(line.startswith(name) and option in line for line in WRITING), name
            elif isinstance(parameter.type, click.Path):
                assert parameter.name in {"folders", "test", "record", "records", "data"}, (
                    name,
                    parameter,
                )


# Rules, completion


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("gin:target=50", "[G 1] The starter."),
        ("distilled+knock", "Distilled Gin"),
        ("rummy-classic", "Rummy"),
        ("prsi", "Pharaoh"),
    ],
)
def test_the_rules_themselves_are_printed(game: str, said: str) -> None:
    shown = undercut("rules", game).stdout
    assert said in shown
    assert f"{game}:" in shown
    brief = undercut("rules", game, "--options").stdout
    assert shown.endswith(brief)
    assert len(brief) < len(shown) / 2
    told = json.loads(undercut("rules", game, "--json").stdout)
    assert told["page"] == rules_page(parse_game(game))
    assert told["options"]


def test_the_games_are_listed_for_programs() -> None:
    told = json.loads(undercut("rules", "--json").stdout)["games"]
    assert {"game": "prsi", "rules": "pharaoh", "variants": [], "players": [2, 8]} in told
    assert rules_page(parse_game("duel")) == ""
    assert undercut("rules", "duel").exit_code == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes(shell: str, tmp_path: Path) -> None:
    done = undercut("completion", shell)
    assert done.exit_code == 0
    script = tmp_path / "script"
    script.write_text(done.stdout)
    assert "_UNDERCUT_COMPLETE" in done.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n", script], check=True)
    words = {"COMP_WORDS": "undercut tour", "COMP_CWORD": "1"}
    if shell == "fish":
        words = {"COMP_WORDS": "undercut tour", "COMP_CWORD": "tour"}
    asked = {**words, "_UNDERCUT_COMPLETE": f"{shell}_complete"}
    found = CliRunner().invoke(main, [], env=asked, prog_name="undercut")
    assert "tournament" in found.stdout


def test_the_quick_start_installs_the_versions_that_are_tested() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "start.md").read_text()
    lines = [line for line in page.splitlines() if "pip install" in line]
    wrong = [line for line in lines if " -e " in line and "-c constraints.txt" not in line]
    assert wrong == []
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = re.findall(r"\.\[([\w,]+)\]", "\n".join(lines))
    assert extras
    named = {extra for several in extras for extra in several.split(",")}
    assert named <= {*project["optional-dependencies"]}


def test_a_progress_bar_begins_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of compiling is taken away first, and standard output is left alone."""
    written: list[str] = []

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            written.append(text)
            return super().write(text)  # which takes no bytes

    monkeypatch.setattr("sys.stderr", Terminal())
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    line = screen._Line()
    line.show("1 done")
    with screen.Bar(3, "games") as bar:
        before = [text for text in written if text]
        assert "compiling kernels: 1 done" in before[0]
        assert before[1].endswith("\x1b[2K")
        line.show("2 done")
        print("for a file")
        bar.advance()
    line.clear()
    assert out.getvalue() == "for a file\n"
