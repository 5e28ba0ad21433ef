"""`undercut rules` and `undercut agents`: what there is to play, and who plays it."""

import inspect
import io
import tokenize
from typing import Any

import click

from undercut.cli import screen


@click.command(short_help="List the games, or the options of one.")
@click.argument("game", required=False)
def rules(game: str | None) -> None:
    """List the games, or the rules of GAME that can be changed, with their values.

    \b
    undercut rules
    undercut rules distilled+knock+long
    undercut rules gin:target=50,knock_limit=5
    """
    from undercut.games.catalog import parse_game

    if game is None:
        _list_games()
    else:
        _show_rules(parse_game(game))


def _list_games() -> None:
    from undercut.games.catalog import GAMES

    table = screen.plain_table()
    table.add_column("game", no_wrap=True)
    table.add_column("variants", overflow="fold")
    table.add_column("players", no_wrap=True)
    for name, (module, _) in GAMES.items():
        variants = " ".join(f"+{variant}" for variant in module.VARIANTS.get(name, {}))
        table.add_row(name, variants or "–", _span(*module.SEATS))
    console = screen.console()
    console.print(table)
    console.print("A game with variants and options: distilled+knock+long, gin:target=50.")
    console.print("What the options are: undercut rules GAME")


def _show_rules(game: Any) -> None:
    table = screen.plain_table()
    for heading in ("option", "value", "allowed"):
        table.add_column(heading, no_wrap=True)
    table.add_column("meaning", overflow="fold")
    meanings = _meanings(game.rules.Options)
    for name, value in zip(game.options._fields, game.options, strict=True):
        allowed = _span(*game.rules.LIMITS[name])
        table.add_row(name, str(value), allowed, meanings.get(name, ""))
    console = screen.console()
    players = _span(*game.rules.SEATS)
    console.print(f"{game.name}: {players} players, version {game.rules.VERSION} of the rules")
    console.print(table)
    console.print(
        f"Change them with {game.name.partition(':')[0]}:option=value,option=value; numbers in "
        f"brackets are rules in docs/rules.",
    )


def _meanings(options: Any) -> dict[str, str]:
    """What the fields mean: the comments beside them, so that it is written only once."""
    meanings: dict[str, str] = {}
    if hasattr(options, "parts"):
        for part in options.parts:
            meanings |= _meanings(part)
        return meanings
    field = ""
    for token in tokenize.generate_tokens(io.StringIO(inspect.getsource(options)).readline):
        if token.type == tokenize.NAME and token.string in options._fields and not field:
            field = token.string
        elif token.type == tokenize.COMMENT and field:
            meaning = token.string.removeprefix("#").strip()
            is_rule_only = meaning.startswith("[")
            meanings[field] = f"{field.replace('_', ' ')} {meaning}" if is_rule_only else meaning
        elif token.type == tokenize.NEWLINE:
            field = ""
    return meanings


@click.command(short_help="List the agents, how they play and their settings.")
@click.argument("game", default="gin", required=False)
def agents(game: str) -> None:
    """List the agents that play GAME (gin if not given), how they play, and their settings.

    \b
    undercut agents
    undercut agents distilled
    """
    from undercut.agents.catalog import ENTRIES
    from undercut.games.catalog import parse_game

    rule_set = parse_game(game)
    table = screen.plain_table(show_lines=False)
    table.add_column("agent", no_wrap=True)
    table.add_column("how it plays, and its settings", overflow="fold")
    for name, entry in ENTRIES[rule_set.rules.NAME].items():
        table.add_row(name, "\n".join([entry.about, *_settings(entry), *_presets(entry)]))
    table.add_row("python:FILE.py:CLASS", "Your own: a class with a method act or act_batch.")
    console = screen.console()
    console.print(table)
    console.print("Settings are given as in thrifty:link=2; settings=NAME sets several at once.")


def _settings(entry: Any) -> list[str]:
    meanings = _meanings(type(entry.settings)) if entry.settings else {}
    lines = []
    for name, limits in (entry.limits or {}).items():
        span = _span(*(f"{limit:g}" for limit in limits))
        lines.append(f"{name}={getattr(entry.settings, name)} ({span}): {meanings[name]}")
    return lines


def _presets(entry: Any) -> list[str]:
    """Settings with a name: what differs from what the agent usually plays with."""
    lines = []
    for name, preset in entry.presets.items():
        usual = entry.settings._asdict()
        changes = [f"{f}={value}" for f, value in preset._asdict().items() if value != usual[f]]
        lines.append(f"settings={name}: {', '.join(changes) or 'the values above'}")
    return lines


def _span(low: Any, high: Any) -> str:
    return str(low) if low == high else f"{low} to {high}"
