"""`undercut rules` and `undercut agents`: what there is to play, and who plays it."""

from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen
from undercut.cli.rule_pages import rules_page

if TYPE_CHECKING:
    from rich.table import Table

    from undercut.games.contract import Family, Game
    from undercut.kernels.records import Settings
    from undercut.players.entry import Entry
    from undercut.players.strengths import Ladder, Strength


@click.command(short_help="List the games, or print the rules of one.")
@click.argument("game", required=False)
@click.option("--options", "is_brief", is_flag=True, help="Only what can be changed.")
@arguments.json_option
def rules(game: str | None, is_brief: bool, as_json: bool) -> None:
    """List the games, or print the rules of GAME, with what can be changed and its values.

    \b
    undercut rules
    undercut rules distilled+knock+long
    undercut rules gin:target=50,knock_limit=5 --options
    undercut rules rummy --json
    """
    from undercut.games.families import parse_game

    if game is None:
        _print_games(as_json)
    elif as_json:
        screen.print_json(_rules_to_json(parse_game(game)), "rules")
    else:
        _show_rules(parse_game(game), is_brief)


def _print_games(as_json: bool) -> None:
    if not as_json:
        _list_games()
        return
    from undercut.games.families import all_families

    rows = [
        {
            "game": name,
            "rules": family.name,
            "variants": list(family.rules.VARIANTS.get(name, {})),
            "players": list(family.rules.SEATS),
        }
        for family in all_families()
        for name in family.rules.PRESETS
    ]
    screen.print_json({"games": rows}, "rules")


def _rules_to_json(game: "Game") -> dict[str, object]:
    from undercut.text.spec import options_of

    options = {
        name: {
            "value": getattr(game.options, name),
            "low": option.low,
            "high": option.high,
            "meaning": option.meaning,
        }
        for name, option in options_of(game.rules.Options).items()
    }
    return {
        "game": game.name,
        "rules": game.family.name,
        "version": game.rules.VERSION,
        "players": list(game.rules.SEATS),
        "options": options,
        "page": rules_page(game),
    }


def _list_games() -> None:
    from undercut.games.families import all_families

    table = screen.plain_table()
    table.add_column("game", no_wrap=True)
    table.add_column("variants", overflow="fold")
    table.add_column("players", no_wrap=True)
    for family in all_families():
        module = family.rules
        for name in module.PRESETS:
            variants = " ".join(f"+{variant}" for variant in module.VARIANTS.get(name, {}))
            table.add_row(name, variants or "–", _span(*module.SEATS))
    console = screen.console()
    console.print(table)
    console.print("A game with variants and options: distilled+knock+long, gin:target=50.")
    console.print("What the options are: undercut rules GAME")


def _show_rules(game: "Game", is_brief: bool) -> None:
    from undercut.text.spec import options_of

    page = "" if is_brief else rules_page(game)
    if page:
        from rich.markdown import Markdown

        screen.console().print(Markdown(page))
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
        "brackets are those of the rules.",
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

    family = parse_game(game).family
    if as_json:
        screen.print_json(_agents_to_json(family), "agents")
    else:
        _show_agents(family)


def _ranked_agents(family: "Family") -> "tuple[Ladder | None, dict[str, Entry]]":
    """What was measured of the agents of a game, if anything, and the agents, the strongest first."""
    from undercut.players.catalog import all_agents
    from undercut.players.strengths import load_ladders, ranked

    ladder, found = load_ladders().get(family.name), all_agents(family)
    return ladder, {name: found[name] for name in ranked(list(found), ladder)}


def _show_agents(family: "Family") -> None:
    from undercut.players.strengths import strength_of

    ladder, entries = _ranked_agents(family)
    strengths = ladder.strengths if ladder else {}
    console = screen.console()
    if family.levels:
        levels = _agents_table("level", "how it plays, and which agent that is")
        for level in family.levels:
            found = strength_of(level, ladder)
            levels.add_row(level.name, _strength(found), f"{level.about} ({level.spec})")
        console.print(levels)
    table = _agents_table("agent", "how it plays, and its settings")
    for name, entry in entries.items():
        lines = [entry.about, *_settings(entry), *_presets(name, entry, ladder)]
        table.add_row(name, _strength(strengths.get(name)), "\n".join(lines))
    own = "Your own: a class with a method act or act_batch."
    table.add_row("python:FILE.py:CLASS", "", own)
    table.add_row("engine:COMMAND", "", "Any program that speaks the protocol of docs/protocol.md.")
    console.print(table)
    if ladder:
        against = f"games won against {ladder.reference} at {ladder.game}"
        console.print(f"Strength: {against}, ± half the 95 % interval.")
    console.print("python: and engine: run code with your rights: use only what you trust.")
    console.print("Settings are given as in thrifty:link=2; settings=NAME sets several at once.")


def _agents_table(first: str, last: str) -> "Table":
    table = screen.plain_table(show_lines=False)
    table.add_column(first, no_wrap=True)
    table.add_column("strength", justify="right", no_wrap=True)
    table.add_column(last, overflow="fold")
    return table


def _strength(found: "Strength | None") -> str:
    if found is None:
        return ""
    low, high = found.ci95
    return f"{100 * found.win_rate:.1f} %\n± {50 * (high - low):.1f}"


def _agents_to_json(family: "Family") -> dict[str, object]:
    from msgspec import to_builtins

    ladder, entries = _ranked_agents(family)
    return {
        "rules": family.name,
        "measured_at": family.measured_at,
        "reference": family.reference,
        "agents": {name: _agent_to_json(entry) for name, entry in entries.items()},
        "levels": {level.name: to_builtins(level) for level in family.levels},
        "strengths": {
            name: {**to_builtins(strength), "win_rate_ci95": list(strength.ci95)}
            for name, strength in (ladder.strengths if ladder else {}).items()
        },
    }


def _agent_to_json(entry: "Entry") -> dict[str, object]:
    return {
        "about": entry.about,
        "settings": _numbers(entry, entry.settings),
        "limits": {name: (option.low, option.high) for name, option in entry.options.items()},
        "presets": {name: _numbers(entry, preset) for name, preset in entry.presets.items()},
    }


def _numbers(entry: "Entry", settings: "Settings") -> dict[str, float]:
    """The settings that a spec can change; a network is not among them."""
    return {name: getattr(settings, name) for name in entry.options}


def _settings(entry: "Entry") -> list[str]:
    lines = []
    for name, option in entry.options.items():
        span = _span(f"{option.low:g}", f"{option.high:g}")
        lines.append(f"{name}={getattr(entry.settings, name)} ({span}): {option.meaning}")
    return lines


def _presets(owner: str, entry: "Entry", ladder: "Ladder | None") -> list[str]:
    """Settings with a name: what differs from what the agent usually plays with."""
    lines, usual = [], _numbers(entry, entry.settings)
    for name, preset in entry.presets.items():
        numbers = _numbers(entry, preset).items()
        changes = [f"{each}={value}" for each, value in numbers if value != usual[each]]
        strength, spec = "", f"{owner}:settings={name}"
        if ladder and spec in ladder.strengths:
            rate = ladder.strengths[spec].win_rate
            strength = f" ({100 * rate:.1f} % against {ladder.reference})"
        lines.append(f"settings={name}: {', '.join(changes) or 'the values above'}{strength}")
    return lines


def _span(low: object, high: object) -> str:
    return str(low) if low == high else f"{low} to {high}"
