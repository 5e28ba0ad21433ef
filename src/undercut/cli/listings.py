"""`undercut rules` and `undercut agents`: lists of games and agents."""

from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen
from undercut.cli.rule_pages import rules_page

if TYPE_CHECKING:
    from rich.table import Table

    from undercut.games.contract import Family, Game
    from undercut.kernels.records import Settings
    from undercut.players.entry import Declaration
    from undercut.players.strengths import Ladder, Strength
    from undercut.text.spec import Option


@click.command(short_help="List the games, or print the rules of one.")
@click.argument("game", required=False)
@click.option("--options", "is_brief", is_flag=True, help="Only the options.")
@arguments.json_option
def rules(game: str | None, is_brief: bool, as_json: bool) -> None:
    """List the games, or print the rules of GAME with its options and their values.

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
    console.print("A game's options: undercut rules GAME")


def _show_rules(game: "Game", is_brief: bool) -> None:
    from undercut.text.spec import options_of

    page = "" if is_brief else rules_page(game)
    if page:
        from rich.markdown import Markdown

        screen.console().print(Markdown(page))
    console = screen.console()
    players = _span(*game.rules.SEATS)
    console.print(f"{game.name}: {players} players, version {game.rules.VERSION} of the rules")
    console.print(_options_table("option", options_of(game.rules.Options), game.options))
    console.print(
        f"Change them with {game.name.partition(':')[0]}:option=value,option=value; numbers in "
        "brackets are those of the rules."
    )


def _options_table(first: str, options: "dict[str, Option]", values: "Settings") -> "Table":
    """Options or settings: for each its value, range and meaning."""
    table = screen.plain_table()
    for heading in (first, "value", "allowed"):
        table.add_column(heading, no_wrap=True)
    table.add_column("meaning", overflow="fold")
    for name, option in options.items():
        allowed = _span(f"{option.low:g}", f"{option.high:g}")
        table.add_row(name, str(getattr(values, name)), allowed, option.meaning)
    return table


@click.command(short_help="List the agents and their strength, or the settings of one.")
@click.argument("game", default="gin", required=False)
@click.argument("name", required=False)
@arguments.json_option
def agents(game: str, name: str | None, as_json: bool) -> None:
    """List the agents that play GAME, by default gin, with strength and time for a decision.

    With NAME, an agent or a level, show how it plays and its settings. Strength is the share of
    games won against one of the agents, as measured in docs/results.md.

    \b
    undercut agents
    undercut agents rummy --json
    undercut agents gin thrifty
    """
    from undercut.games.families import parse_game

    played = parse_game(game)
    if as_json:
        screen.print_json(_agents_to_json(played, name), "agents")
    elif name is None:
        _list_agents(played.family)
    else:
        _show_agent(played, name)


def _list_agents(family: "Family") -> None:
    from undercut.players.strengths import load_ladders, measured_specs, ranked

    ladder = load_ladders().get(family.name)
    strengths = ladder.strengths if ladder else {}
    levels = {level.spec: level.name for level in family.levels}
    table = screen.plain_table()
    table.add_column("agent", no_wrap=True)
    table.add_column("level", no_wrap=True)
    table.add_column("strength", justify="right", no_wrap=True)
    table.add_column("a decision", justify="right", no_wrap=True)
    for name in ranked(measured_specs(family.name), ladder):
        spec, found = family.played_by(name), strengths.get(name)
        measured = (_rate(found), _time(found)) if found else ("", "")
        table.add_row(spec, levels.get(spec, ""), *measured)
    console = screen.console()
    console.print(table)
    if ladder:
        against = f"games won against {ladder.reference} at {ladder.game}"
        console.print(f"Strength: {against}, ± half the 95 % interval.")
    console.print(f"An agent's play and its settings: undercut agents {family.name} NAME")
    console.print(
        "Your own: python:FILE.py:CLASS, or a program: engine:COMMAND (docs/protocol.md)."
    )
    console.print("Both run code with your rights: use only agents that you trust.")


def _rate(found: "Strength") -> str:
    low, high = found.ci95
    return f"{100 * found.win_rate:.1f} % ± {50 * (high - low):.1f}"


def _time(found: "Strength") -> str:
    if found.microseconds < 1000:
        return f"{found.microseconds:.0f} µs"
    return f"{found.microseconds / 1000:.1f} ms"


def _show_agent(game: "Game", name: str) -> None:
    from undercut.players.catalog import entry_of
    from undercut.players.strengths import load_ladders

    agent, entry, _ = entry_of(name, game)
    ladder = load_ladders().get(game.family.name)
    console = screen.console()
    console.print(f"{agent}: {entry.about}")
    for level in game.family.levels:
        if name in (level.name, level.spec):
            console.print(f"As {level.name} ({level.spec}): {level.about}")
    for spec in dict.fromkeys([name, game.family.played_by(name)]):
        if ladder and (found := ladder.strengths.get(spec)):
            won = f"{_rate(found)} of games won against {ladder.reference} at {ladder.game}"
            console.print(f"{won}, {_time(found)} a decision.")
    if entry.options:
        console.print(_options_table("setting", entry.options, entry.settings))
        for line in _presets(agent, entry, ladder):
            console.print(line)
        first, value = next(iter(_numbers(entry, entry.settings).items()))
        several = "; settings=NAME sets several at once" if entry.presets else ""
        console.print(f"Set them as in {agent}:{first}={value}{several}.")


def _agents_to_json(game: "Game", name: str | None) -> dict[str, object]:
    """The agents of a game, the strongest first, or one of them, with all measurements."""
    from msgspec import to_builtins

    from undercut.players.catalog import all_agents, entry_of
    from undercut.players.strengths import load_ladders, ranked

    family = game.family
    ladder = load_ladders().get(family.name)
    found = all_agents(family)
    names = [entry_of(name, game)[0]] if name else ranked(list(found), ladder)
    return {
        "rules": family.name,
        "measured_at": family.measured_at,
        "reference": family.reference,
        "agents": {name: _agent_to_json(found[name]) for name in names},
        "levels": {level.name: to_builtins(level) for level in family.levels},
        "strengths": {
            name: {**to_builtins(strength), "win_rate_ci95": list(strength.ci95)}
            for name, strength in (ladder.strengths if ladder else {}).items()
        },
    }


def _agent_to_json(entry: "Declaration") -> dict[str, object]:
    return {
        "about": entry.about,
        "settings": _numbers(entry, entry.settings),
        "limits": {name: (option.low, option.high) for name, option in entry.options.items()},
        "presets": {name: _numbers(entry, preset) for name, preset in entry.presets.items()},
    }


def _numbers(entry: "Declaration", settings: "Settings") -> dict[str, float]:
    """The settings that a spec can change, without networks."""
    return {name: getattr(settings, name) for name in entry.options}


def _presets(owner: str, entry: "Declaration", ladder: "Ladder | None") -> list[str]:
    """The named presets, as differences from the default settings."""
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
