"""`undercut rules` and `undercut agents`: what there is to play, and who plays it."""

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
    from undercut.core.spec import options_of

    table = screen.plain_table()
    for heading in ("option", "value", "allowed"):
        table.add_column(heading, no_wrap=True)
    table.add_column("meaning", overflow="fold")
    for name, option in options_of(game.rules.Options).items():
        value, allowed = str(getattr(game.options, name)), _span(option.low, option.high)
        table.add_row(name, value, allowed, option.meaning)
    console = screen.console()
    players = _span(*game.rules.SEATS)
    console.print(f"{game.name}: {players} players, version {game.rules.VERSION} of the rules")
    console.print(table)
    console.print(
        f"Change them with {game.name.partition(':')[0]}:option=value,option=value; numbers in "
        f"brackets are rules in docs/rules.",
    )


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
                "limits": {each: (rule.low, rule.high) for each, rule in entry.options.items()},
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
    return {name: getattr(settings, name) for name in entry.options}


def _settings(entry: Any) -> list[str]:
    lines = []
    for name, option in entry.options.items():
        span = _span(f"{option.low:g}", f"{option.high:g}")
        lines.append(f"{name}={getattr(entry.settings, name)} ({span}): {option.meaning}")
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
