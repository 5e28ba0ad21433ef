"""`undercut check`: the contract tests of a game or an agent, built in or your own."""

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.adapters.engine.check import Report as EngineReport
    from undercut.lab.check import Checks, Report

_INTERPRETED = "NUMBA_DISABLE_JIT"


@click.command(short_help="Check a game or an agent, built in or your own.")
@click.argument("game")
@click.argument("agent", default="")
@arguments.seed_option
@arguments.json_option
def check(game: str, agent: str, seed: int, as_json: bool) -> None:
    """Check that GAME, or AGENT in it, keeps its contract with the rest of the program.

    Every failure is a sentence with the file and the line. The check runs in plain Python first,
    where a debugger works, then compiled; both must play the same. A check of a game tries its
    rules, its text and its agents. An agent is a name, python:FILE:CLASS or engine:COMMAND. The
    exit code is 1 after a failure.

    \b
    undercut check gin
    undercut check gin thrifty:link=2
    undercut check gin python:examples/first_bot.py:Hasty
    python -m duel check duel        a game of your own, here in examples
    """
    from undercut.players.catalog import ENGINES

    if agent.startswith(ENGINES):
        checks = _engine(game, agent, seed, as_json)
    else:
        checks = _report(game, agent, seed, as_json)
    if not checks.passed:
        raise click.exceptions.Exit(1)


def _report(game: str, agent: str, seed: int, as_json: bool) -> "Report":
    from undercut.kernels.jit import COMPILED
    from undercut.lab.check import check_compiled, check_interpreted

    check_first = _interpreted if COMPILED else check_interpreted
    report = check_first(game, agent, seed)
    tried = len(report.checks)
    if not as_json:
        _show_checks(report)
    if COMPILED and report.passed:
        with screen.compiling():
            check_compiled(report, seed)
    print_checks(report, as_json, "check", first=tried)
    return report


def _interpreted(game: str, agent: str, seed: int) -> "Report":
    """Run the same command in a process without compilation, and read its report."""
    import msgspec

    from undercut.lab.check import Report

    if sys.stderr.isatty():
        click.echo("checking in plain Python first …", err=True)
    command = ["-m", "undercut", "check", game, *([agent] if agent else []), "--seed", str(seed)]
    again = (
        sys.orig_argv[1:] if "check" in sys.orig_argv else command
    )  # or the command of a game's own package
    done = subprocess.run(
        [sys.executable, *again, *([] if "--json" in again else ["--json"])],
        env={**os.environ, _INTERPRETED: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1) or not done.stdout:
        raise click.ClickException(
            done.stderr.strip().rpartition("\n")[2].removeprefix("undercut: ")
        )
    found = json.loads(done.stdout)
    found.pop("passed")
    return msgspec.convert(found, Report)


def _engine(game: str, agent: str, seed: int, as_json: bool) -> "Checks":
    from undercut.adapters.engine.check import check_engine
    from undercut.lab.check import Report

    report = Report(check_engine(agent.partition(":")[2], [game], seed).checks, game, agent)
    print_checks(report, as_json, "check")
    return report


def print_checks(
    report: "Report | EngineReport", as_json: bool, schema: str, first: int = 0
) -> None:
    """Print the checks as JSON, or a line for each of them from the index `first`."""
    if as_json:
        screen.print_json(report.to_json(), schema)
    else:
        _show_checks(report, first)


def _show_checks(report: "Checks", first: int = 0) -> None:
    for each in report.checks[first:]:
        mark = "ok  " if each.passed else "FAIL"
        screen.echo(f"{mark} {each.name}" + (f": {each.found}" if each.found else ""))
