"""`undercut play` and `undercut replay`: games of people, as they happen and afterwards."""

from pathlib import Path

import click

from undercut.cli import arguments, screen


@click.command()
@click.option("--game", default="gin", show_default=True, help="What to play: undercut rules.")
@click.option(
    "--opponent", default="simple", show_default=True, metavar="AGENT", help="undercut agents."
)
@click.option("--terminal", is_flag=True, help="Play in the terminal, as is done anyway for now.")
@click.option(
    "--seed",
    type=arguments.WholeNumber(0, arguments.SEED_LIMIT - 1),
    metavar="S",
    help="Names the cards; by default new cards are dealt each time.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the game down.",
)
def play(game: str, opponent: str, terminal: bool, seed: int | None, record: Path | None) -> None:
    """Play a game against the computer.

    \b
    undercut play
    undercut play --game distilled+knock --opponent thrifty
    undercut play --game gin:target=50 --record evening.jsonl
    """
    from undercut.app import terminal as table

    with screen.compiling():
        table.play(game, opponent, seed, record)


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Replay it by the rules, and check every line.")
@arguments.json_option
def replay(record: Path, verify: bool, as_json: bool) -> None:
    """Show a recorded game, one event a line.

    \b
    undercut replay evening.jsonl
    undercut replay evening.jsonl --verify
    undercut replay evening.jsonl --json
    """
    from undercut.play.record import read_record, verify_record

    if verify:
        verify_record(record)
        click.echo(f"{record}: every line follows from the rules", err=True)
    events = read_record(record)
    if as_json:
        screen.print_json({"record": str(record), "events": events})
        return
    for event in events:
        click.echo(_line(event))


def _line(event: dict[str, object]) -> str:
    return "  ".join(f"{name}={value}" for name, value in event.items())
