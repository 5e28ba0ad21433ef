"""`undercut check`: the contract for a game or an agent, also for the user's own."""

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.lab.check import Checks, Report

_INTERPRETED = "NUMBA_DISABLE_JIT"


@click.command(short_help="Check a game or an agent, also of your own.")
@click.argument("game")
@click.argument("agent", default="")
@arguments.seed_option
@arguments.json_option
def check(game: str, agent: str, seed: int, as_json: bool) -> None:
    """Check GAME, or AGENT in it, against what the rest of the program asks of it.

    Every failure is a sentence with the file and the line. The check runs in plain Python first,
    where a debugger can follow, then compiled; both must play the same. A check of a game tries its
    rules, its text and its agents. An agent is a name, python:FILE:CLASS or engine:COMMAND. Exit
    code 1: something fails.

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

    if not COMPILED:
        report = check_interpreted(game, agent, seed)
        if not as_json:
            show_checks(report)
    else:
        report = _interpreted(game, agent, seed)
        if not as_json:
            show_checks(report)
        if report.passed:
            tried = len(report.checks)
            with screen.compiling():
                check_compiled(report, seed)
            if not as_json:
                show_checks(report, tried)
    if as_json:
        screen.print_json(report.to_json(), "check")
    return report


def _interpreted(game: str, agent: str, seed: int) -> "Report":
    """Run this same command with compilation off, in another process, and read its report."""
    import msgspec

    from undercut.lab.check import Report

    if sys.stderr.isatty():
        click.echo("checking in plain Python first …", err=True)
    command = ["-m", "undercut", "check", game, *([agent] if agent else []), "--seed", str(seed)]
    again = sys.orig_argv[1:] if "check" in sys.orig_argv else command  # or one of a game's own
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
    if as_json:
        screen.print_json(report.to_json(), "check")
    else:
        show_checks(report)
    return report


def show_checks(report: "Checks", first: int = 0) -> None:
    """A line for each check, from one of them on."""
    for each in report.checks[first:]:
        mark = "ok  " if each.passed else "FAIL"
        screen.echo(f"{mark} {each.name}" + (f": {each.found}" if each.found else ""))
