"""What is done with a command of a page: it is run, small, or its words are checked."""

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from joint_networks import random_weights
from pages.blocks import ROOT, commands
from undercut.cli import main
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.players.catalog import parse_agent
from undercut.players.encoding import encoding_of
from undercut.players.joint.weights import save_joint
from undercut.text.errors import OptionsError

SMALL: dict[str, dict[str, str]] = {
    "match": {"-n": "2"},
    "tournament": {"-n": "2"},
    "generate": {"--decisions": "40"},
    "train": {"--epochs": "1"},
    "hint": {"--samples": "2"},
    "play": {"--web": ""},
}
"""For each command the options that are set anew, or added, so that it takes a moment only."""

SHORT = {"match", "tournament", "generate"}
"""Commands whose games are shortened: whoever has a point wins the match."""

THOUGHTLESS = {
    "champion": "samples=1",
    "estimator": "samples=1",
    "heuristic": "samples=1",
    "published": "samples=1",
    "montecarlo": "samples=2",
    "mcts": "iterations=2",
}
"""Agents that think long, with the least thought they can be given, in games where they think."""

CHECKED: dict[str, str] = {
    "--device cuda": "needs a GPU",
    "--cluster": "needs a cluster; the tests of clusters start one",
    "undercut check": "takes ten seconds without compilation; tests/lab runs it",
    "undercut bench": "takes a minute, and means something on an idle machine alone",
    "undercut reproduce": "takes an hour or more; tests/paper runs it at --scale tiny",
    "undercut selfplay": "takes minutes; tests/learn/selfplay runs it small",
    "undercut exploit": "takes minutes; tests/learn/selfplay runs it small",
    "undercut belief": "takes minutes; tests/learn/belief runs it small",
    "undercut distil": "takes minutes; tests/learn/distil runs it small",
    "undercut review": "searches hundreds of positions; tests/lab/review runs it small",
    "undercut tune": "takes minutes; tests/learn runs it small",
    "examples/engines": "starts a program in another language; tests/adapters plays these",
    "undercut engine": "waits for a host to speak; tests/adapters speaks to it",
    "python benchmarks": "takes minutes to hours, and means something on an idle machine alone",
    "python tests": "takes a minute; the suite runs a part of it",
    "make": "would set up, test or serve in the middle of the tests",
    ".venv/bin/pip install": "would change what is installed",
    "pip install": "would change what is installed",
    "uvx": "would install it, and open a browser",
    "pipx run": "would install it, and open a browser",
    "python -m build": "takes a while; tests/package builds the wheel",
    ".venv/bin/python -m pytest": "would run the tests within the tests",
}
"""Commands that are only checked, by the words they have in them, with the reason.

`undercut` is parsed, with its game and its agents; a program must be there; `make -n` must know its
target; an extra must be one of ours.
"""


@dataclass(frozen=True)
class Shell:
    """Runs the commands of one page, one after the other, in one folder."""

    folder: Path
    checks_only: bool = False  # every command of this page

    def do(self, words: Sequence[str]) -> None:
        """Run a command, or check it; raises whatever is wrong."""
        words = [_expanded(word) for word in words]
        if reason(words) is not None or (self.checks_only and words[0] == "undercut"):
            check(words)
            self._stand_in(words)
        elif words[0] == "undercut":
            run_undercut(smaller(words[1:]))
        elif words[0] == "python" and words[1].endswith(".py"):
            run_program(words[1:])
        elif words[:2] == ["mkdir", "-p"]:
            (self.folder / words[2]).mkdir(parents=True)
        elif words[0] == "eval":
            subprocess.run(["bash", "-n", "-c", words[1]], check=True)
        else:
            pytest.fail(f"nothing is said about commands such as {' '.join(words)}: see CHECKED")

    def _stand_in(self, words: Sequence[str]) -> None:
        """After training that was only checked, a network stands for its result."""
        if words[:2] == ["undercut", "selfplay"]:
            family, folder = parse_game(words[2]).family.name, self.folder / words[3]
            folder.mkdir(parents=True, exist_ok=True)
            shipped = ROOT / "src" / "undercut" / "games" / family / "players"
            shutil.copy(shipped / "blueprint.safetensors", folder / "policy.safetensors")
        if words[:2] == ["undercut", "belief"]:
            encoding, folder = encoding_of(parse_game(words[2])), self.folder / words[3]
            folder.mkdir(parents=True, exist_ok=True)
            save_joint(folder / "belief.safetensors", random_weights(encoding), encoding)


def _expanded(word: str) -> str:
    """A word, or what the command in `$(…)` prints."""
    if not word.startswith("$("):
        return word
    ((program, *inner),) = commands(word[2:-1])
    assert program == "undercut", word
    return run_undercut(smaller(inner)).strip()


def reason(words: Sequence[str]) -> str | None:
    """Why a command is not run, or None if it is."""
    text = " ".join(words)
    return next((CHECKED[part] for part in CHECKED if _has(text, part)), None)


def _has(text: str, part: str) -> bool:
    if part.startswith(("--", "examples")):
        return part in text
    return f"{text} ".startswith((f"{part} ", f"{part}/"))


def smaller(words: Sequence[str]) -> list[str]:
    """The words of a command of ours with a small sample, short games and quick agents."""
    if words[0] in SHORT:
        words = _short(words)
    small = dict(SMALL.get(words[0], {}))
    kept, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        if small.get(word):
            rest.pop(0)
        else:
            kept.append(word)
        if word == "--pair":  # two agents, and how many decisions
            kept += [rest.pop(0), rest.pop(0), small.pop("--decisions", "40")]
            rest.pop(0)
    if "--terminal" in kept:
        small.pop("--web", None)
    return kept + [word for option in small.items() for word in option if word]


def _short(words: Sequence[str]) -> list[str]:
    """The words of a command; one point wins its games, and its agents think least."""
    place = 2 if words[0] == "generate" else 1
    game = parse_game(words[place])
    has_target = "target" in game.options._fields
    shorter = _with(words[place], "target=1") if has_target else words[place]
    return [*words[:place], shorter, *(quicker(word, game) for word in words[place + 1 :])]


def quicker(word: str, game: Game) -> str:
    """An agent that thinks least; any other word as it is.

    >>> quicker("published:samples=50", parse_game("gin")), quicker("simple", parse_game("gin"))
    ('published:samples=1', 'simple')
    """
    name = word.partition(":")[0]
    if name not in THOUGHTLESS:
        return word
    setting = THOUGHTLESS[name]
    option = setting.partition("=")[0]
    if f"{option}=" in word:
        return re.sub(rf"{option}=\d+", setting, word)
    try:
        parse_agent(f"{name}:{setting}", game)
    except OptionsError:  # in this game it does not think
        return word
    return _with(word, setting)


def _with(spec: str, setting: str) -> str:
    return f"{spec},{setting}" if ":" in spec else f"{spec}:{setting}"


def run_undercut(words: Sequence[str]) -> str:
    """Run a command of ours in this process."""
    result = CliRunner().invoke(main, list(words), input="quit\ny\n")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, f"undercut {' '.join(words)}\n{result.output}"
    return result.stdout


def run_program(words: Sequence[str]) -> None:
    """Run a program of the repository in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", list(words))
        runpy.run_path(words[0], run_name="__main__")


def check(words: Sequence[str]) -> None:
    """Check the words of a command that is not run."""
    if words[0] == "undercut":
        game = parse(words[1:]).params.get("game")
        if isinstance(game, str):
            parse_game(game)
    elif words[0] == "make":
        _make(words[1:])
    elif words[0] in ("uvx", "pipx"):
        parse(words[words.index("undercut") + 1 :])
    elif words[0].endswith("pip"):
        _extras(words)
    else:
        named = [word for word in words if word.endswith(".py") or "/" in word]
        made = (".venv", "runs/")  # by a reader
        assert all((ROOT / name).exists() or name.startswith(made) for name in named), words


def parse(words: Sequence[str]) -> click.Context:
    """Read a command of ours as click does when it is called, and go no further."""
    context = main.make_context("undercut", list(words))
    command: click.Command = main
    while isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
        name, found, rest = command.resolve_command(context, rest)
        assert found is not None, words
        command = found
        context = command.make_context(name, rest, parent=context)
    return context


def _make(targets: Sequence[str]) -> None:
    dry = ["make", "-n", *targets]
    done = subprocess.run(dry, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _extras(words: Sequence[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for word in words:
        if word.endswith("]"):
            named = set(word.partition("[")[2].removesuffix("]").split(","))
            assert named <= set(project["optional-dependencies"]), words
