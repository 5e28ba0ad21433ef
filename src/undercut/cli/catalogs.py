"""`undercut rules` and `undercut agents`: what there is to play, and who plays it."""

import inspect
import io
import tokenize
from typing import Any

import click

from undercut.cli import arguments, screen


@click.command(short_help="List the games, or the options of one.")
@click.argument("game", required=False)
def rules(game: str | None) -> None:
    """List the games, or the rules of GAME that can be changed, with their values.

    \b
    undercut rules
    undercut rules distilled+knock+long
    undercut rules gin:target=50,knock_limit=5
    """
    from undercut.games.families import parse_game

    if game is None:
        _list_games()
    else:
        _show_rules(parse_game(game))


def _list_games() -> None:
    from undercut.games.families import GAMES

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
@arguments.json_option
def agents(game: str, as_json: bool) -> None:
    """List the agents that play GAME (gin if not given), how strong they are, and their settings.

    Strength is the share of games won against one of them, as measured in docs/results.md.

    \b
    undercut agents
    undercut agents rummy --json
    """
    from undercut.games.families import parse_game

    rules = parse_game(game).rules.NAME
    if as_json:
        screen.print_json(_agents_to_json(rules))
    else:
        _show_agents(rules)


def _show_agents(rules: str) -> None:
    from undercut.games.agents import ENTRIES
    from undercut.games.strengths import load_ladders

    ladder = load_ladders()[rules]
    table = screen.plain_table(show_lines=False)
    table.add_column("agent", no_wrap=True)
    table.add_column("strength", justify="right", no_wrap=True)
    table.add_column("how it plays, and its settings", overflow="fold")
    for name, entry in ENTRIES[rules].items():
        lines = [entry.about, *_settings(entry), *_presets(name, entry, ladder)]
        table.add_row(name, _strength(ladder.strengths[name]), "\n".join(lines))
    own = "Your own: a class with a method act or act_batch."
    table.add_row("python:FILE.py:CLASS", "", own)
    console = screen.console()
    console.print(table)
    console.print(
        f"Strength: games won against {ladder.reference} at {ladder.game}, ± half the 95 % interval."
    )
    console.print("Settings are given as in thrifty:link=2; settings=NAME sets several at once.")


def _strength(found: Any) -> str:
    low, high = found.ci95
    return f"{100 * found.win_rate:.1f} %\n± {50 * (high - low):.1f}"


def _agents_to_json(rules: str) -> dict[str, Any]:
    from msgspec import to_builtins

    from undercut.games.agents import ENTRIES
    from undercut.games.strengths import load_ladders

    ladder = load_ladders()[rules]
    return {
        "rules": rules,
        "measured_at": ladder.game,
        "reference": ladder.reference,
        "agents": {
            name: {
                "about": entry.about,
                "settings": _numbers(entry, entry.settings),
                "limits": entry.limits or {},
                "presets": {
                    each: _numbers(entry, preset) for each, preset in entry.presets.items()
                },
            }
            for name, entry in ENTRIES[rules].items()
        },
        "strengths": to_builtins(ladder.strengths),
    }


def _numbers(entry: Any, settings: Any) -> dict[str, float]:
    """The settings that a spec can change; a network is not among them."""
    return {name: getattr(settings, name) for name in entry.limits or {}}


def _settings(entry: Any) -> list[str]:
    meanings = _meanings(type(entry.settings)) if entry.settings else {}
    lines = []
    for name, limits in (entry.limits or {}).items():
        span = _span(*(f"{limit:g}" for limit in limits))
        lines.append(f"{name}={getattr(entry.settings, name)} ({span}): {meanings[name]}")
    return lines


def _presets(owner: str, entry: Any, ladder: Any) -> list[str]:
    """Settings with a name: what differs from what the agent usually plays with."""
    lines, usual = [], _numbers(entry, entry.settings)
    for name, preset in entry.presets.items():
        numbers = _numbers(entry, preset).items()
        changes = [f"{each}={value}" for each, value in numbers if value != usual[each]]
        found = ladder.strengths.get(f"{owner}:settings={name}")
        strength = (
            "" if found is None else f" ({100 * found.win_rate:.1f} % against {ladder.reference})"
        )
        lines.append(f"settings={name}: {', '.join(changes) or 'the values above'}{strength}")
    return lines


def _span(low: Any, high: Any) -> str:
    return str(low) if low == high else f"{low} to {high}"
