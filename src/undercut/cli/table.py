"""`undercut play` and `undercut replay`: games of people, as they happen and afterwards."""

from pathlib import Path
from typing import Any

import click

from undercut.cli import arguments, screen


@click.command()
@click.option("--game", default="gin", show_default=True, help="What to play: undercut rules.")
@click.option(
    "--opponent",
    multiple=True,
    metavar="AGENT",
    help="undercut agents; by default a good one that answers at once. May stand several times,"
    " once for each opponent; the last takes the seats that are left.",
)
@click.option(
    "--seats",
    type=arguments.whole_number("--seats", 2, 8),
    metavar="N",
    help="How many play, where the game leaves it open.",
)
@click.option(
    "--seed",
    type=arguments.whole_number("--seed", 0, arguments.SEED_LIMIT - 1),
    metavar="S",
    help="Names the cards; by default new cards are dealt each time.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the game down.",
)
@click.option(
    "--language",
    metavar="LANGUAGE",
    help="Also call German cards by their names: english, czech or slovak.",
)
def play(
    game: str,
    opponent: tuple[str, ...],
    seats: int | None,
    seed: int | None,
    record: Path | None,
    language: str | None,
) -> None:
    """Play a game against the computer.

    \b
    undercut play
    undercut play --game rummy
    undercut play --game pharaoh --opponent annoying --opponent heuristic
    undercut play --game prsi --language czech
    undercut play --game distilled+knock --opponent thrifty
    undercut play --game gin:target=50 --record evening.jsonl
    """
    from undercut.app.terminal.table import play as play_at_terminal

    play_at_terminal(game, opponent, seats, seed, record, language)


@click.command(short_help="Show or verify a recorded game.")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Play it again by the rules and compare every line.")
@arguments.json_option
def replay(record: Path, verify: bool, as_json: bool) -> None:
    """Show a recorded game, one event a line, or verify it.

    \b
    undercut replay evening.jsonl
    undercut replay evening.jsonl --verify
    undercut replay evening.jsonl --json
    """
    from msgspec import to_builtins

    from undercut.play.record import read_record
    from undercut.play.record import verify as verify_events

    read = read_record(record)
    if verify:
        verify_events(read)
    events = to_builtins([read.header, *read.events])
    if as_json:
        screen.print_json({"record": str(record), "verified": verify, "events": events})
    elif verify:
        click.echo(f"{record}: verified, all {len(events)} events follow from the rules and seeds")
    else:
        for event in events:
            click.echo(tell(event, read.header.players))


def tell(event: dict[str, Any], players: list[str]) -> str:
    """An event as a spectator would tell it; what is special to a game as it stands."""
    fields = dict(event)
    kind = fields.pop("event")
    if kind == "match":
        return f"{fields['game']}: {' v '.join(players)}"
    if kind == "action":
        hidden = f" ({fields['cards']})" if "cards" in fields else ""
        return f"  {players[fields['seat']]}: {fields['action']}{hidden}"
    lines = [_heading(kind, fields, players)]
    for player, hand in zip(players, fields.pop("hands", []), strict=False):
        held = "hidden cards" if hand is None else hand or "no cards"
        lines.append(f"  {player} holds {held}")
    lines += [f"  {name}: {_plain(value)}" for name, value in fields.items()]
    return "\n".join(lines)


def _heading(kind: str, fields: dict[str, Any], players: list[str]) -> str:
    if kind == "deal":
        return f"deal {fields.pop('deal') + 1}: {players[fields.pop('starter')]} plays first"
    if kind == "end":
        return f"end of deal {fields.pop('deal') + 1}: {fields.pop('outcome')}"
    return "the match is over" if kind == "over" else kind


def _plain(value: Any) -> str:
    return " : ".join(str(each) for each in value) if isinstance(value, list) else str(value)
