"""`undercut check`, as one meets it who writes a game or an agent."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.test_cli import refused, undercut
from undercut.lab.check import check_interpreted
from undercut.text.errors import OptionsError

ROOT = Path(__file__).parents[2]
BOTS = """
import random as chance
from itertools import count

class Sound:
    def act(self, view, legal, random):
        return random.choice(legal)

class Cheat(Sound):
    def act(self, view, legal, random):
        return 99999

class Thrower(Sound):
    def act(self, view, legal, random):
        raise RuntimeError("I am lost")

class Forgetful(Sound):
    turn = count()
    def act(self, view, legal, random):
        return legal[next(self.turn) % 2]

class Gambler(Sound):
    def act(self, view, legal, random):
        return chance.choice(legal)

class Scribbler(Sound):
    def act(self, view, legal, random):
        view.hand = 0
        return legal[0]
"""
WRONG = {
    "Cheat": "answered 99999, which is not legal: take, pass",
    "Thrower": "raised RuntimeError: I am lost ({path}, line 15)",
    "Forgetful": "agents keep no memory, and their chance is `random` or `generator`",
    "Gambler": "agents keep no memory, and their chance is `random` or `generator`",
    "Scribbler": "changes its view, `hand`: ",
}


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("check") / "bots.py"
    path.write_text(BOTS)
    return str(path)


def test_a_sound_agent_passes(bots: str) -> None:
    report = check_interpreted("gin", f"python:{bots}:Sound", 3)
    assert report.passed, report.checks
    assert [check.found for check in report.checks] == ["180 answers", "4 of one deal"]


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_an_agent_is_named(name: str, bots: str) -> None:
    report = check_interpreted("gin", f"python:{bots}:{name}", 0)
    (failed,) = [check for check in report.checks if not check.passed]
    assert WRONG[name].format(path=bots) in failed.found
    assert "\n" not in failed.found


def test_an_unknown_agent_is_bad_input() -> None:
    with pytest.raises(OptionsError, match="unknown agent 'nobody' for gin: one of "):
        check_interpreted("gin", "nobody", 0)


# The command, with compilation off and on


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_game_of_one_s_own_is_checked_both_ways() -> None:
    done = run("duel", "check", "duel", "--json", folder=ROOT / "examples")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["passed"]
    assert len(told["scores"]) == 4
    names = [check["name"] for check in told["checks"]]
    assert "no view shows a hidden card" in names
    assert "miser: answers legally, and the same when asked again" in names
    assert names[-2:] == [
        "kernels compile, and play as they do interpreted",
        "matches end, and every answer in them is legal",
    ]


BROKEN = {  # a line of Duel, what is written in its place, and what is said of it
    "typo": (
        "state.played |= 1 << action",
        "state.plaid |= 1 << action",
        "AttributeError: 'record' object has no attribute 'plaid' (duel/rules.py, line {line})",
    ),
    "types": (  # which only a compiler minds
        "view.hand, view.me = state.hands[me], me",
        'view.hand, view.me = state.hands[me if me >= 0 else "you"], me',
        "duel/rules.py, line {line}: kernel 'observe' does not compile: Cannot unify",
    ),
    "gone": ("def score(", "def scores(", "duel/rules.py: score(state, options, out) is missing"),
    "syntax": ("was_led = state.card == NONE", "was_led = = NONE", "SyntaxError: invalid syntax"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_told_in_a_sentence(name: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "duel", tmp_path / "duel")
    path, (right, wrong, said) = tmp_path / "duel" / "rules.py", BROKEN[name]
    before, _, after = path.read_text().partition(right)
    path.write_text(before + wrong + after)
    done = run("duel", "check", "duel", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    (failed,) = [each for each in done.stdout.splitlines() if each.startswith("FAIL ")]
    assert said.format(line=before.count("\n") + 1) in failed
    assert "Traceback" not in done.stderr


def test_an_engine_is_checked_as_engines_are() -> None:
    mute = f"engine:{sys.executable} -c pass"
    done = undercut("check", "gin", mute)
    assert done.exit_code == 1
    assert "FAIL says hello: " in done.stdout
    told = json.loads(undercut("check", "gin", mute, "--json").stdout)
    assert (told["agent"], told["passed"], len(told["checks"])) == (mute, False, 1)


def test_bad_input_is_refused() -> None:
    assert "unknown game 'chess': one of gin" in refused("check", "chess")
    assert "must be a whole number" in refused("check", "gin", "--seed", "x")
    assert "Missing argument 'GAME'" in refused("check")
