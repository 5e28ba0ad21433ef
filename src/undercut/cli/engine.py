"""`undercut engine`: serve an agent to other programs, or check an engine."""

import sys

import click

from undercut.cli import arguments
from undercut.cli.check import print_checks


@click.command(short_help="Serve an agent to other programs, or check an engine.")
@click.argument("spec", metavar="AGENT")
@click.option(
    "--check", "is_check", is_flag=True, help="AGENT is the command of an engine: check it."
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="A game for the check; may be given many times.",
)
@arguments.seed_option
@arguments.json_option
def engine(spec: str, is_check: bool, games: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Serve AGENT as an engine: JSON Lines on standard input and output, see docs/protocol.md.

    With --check, AGENT is the command of an engine that you wrote. The check does everything that
    a host may do, and reports every failure. The exit code is 1 after a failure. An engine runs
    with your rights: check only engines that you trust.

    \b
    undercut engine simple
    undercut match gin "engine:undercut engine simple" patient -n 20
    undercut match gin "engine[seconds=2]:node bot.js" simple -n 100
    undercut engine --check "node bot.js"
    undercut engine --check "java Bot.java" --game gin --game gin:target=25
    """
    if is_check:
        _check(spec, games, seed, as_json)
        return
    if games or as_json:
        raise click.UsageError("--game and --json go with --check")
    from undercut.adapters.engine.serve import serve

    _check_name(spec)

    def write(line: bytes) -> None:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    serve(spec, seed, iter(sys.stdin.buffer.readline, b""), write)


def _check_name(spec: str) -> None:
    """Refuse an agent that no game knows before the host names a game."""
    from undercut.games.families import all_families
    from undercut.players.catalog import agent_names, is_foreign
    from undercut.text.errors import OptionsError
    from undercut.text.spec import one_of, split_spec

    known: dict[str, None] = {}
    for family in all_families():
        known |= dict.fromkeys([*agent_names(family), *(level.name for level in family.levels)])
    if not is_foreign(spec) and split_spec(spec)[0] not in known:
        listed = one_of([*known, "python:FILE:CLASS"], spec)
        raise OptionsError(f"unknown agent {spec!r}: {listed}")


def _check(command: str, games: tuple[str, ...], seed: int, as_json: bool) -> None:
    from undercut.adapters.engine.check import check_engine

    report = check_engine(command, games, seed)
    print_checks(report, as_json, "engine-check")
    if not report.passed:
        raise click.exceptions.Exit(1)
