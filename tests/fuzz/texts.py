"""Readers of text: records, positions, actions, cards, specs, typed lines, histories, commands."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from click.testing import CliRunner

import accounts
from fuzz.damage import damage_bytes, damage_position, damage_record, damage_signs
from fuzz.readers import Failure, Reader, always, through_file
from play.line_up import deals_along, line_up, usual
from positions import Table, generator, random_table
from rulesets import EVERY, NAMES
from typed_table import Table as TypedTable
from undercut.adapters.decision_table import histories_of, read_histories, rows_of_history
from undercut.adapters.engine.agent import EngineSpec
from undercut.cards import french, german
from undercut.cli import main
from undercut.cli.play import tell
from undercut.games.families import all_families, parse_game
from undercut.games.table.position import format_position, parse_position
from undercut.play.deal import Deal, legal_actions
from undercut.play.match import play_match
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header, parse_record, verify
from undercut.players.catalog import all_agents, is_foreign, parse_agent
from undercut.players.observation import Observation

RECORDS = Path(__file__).parents[2] / "examples" / "records"


def damage_text(text: str, random: Random) -> str:
    """Any text: as it is now and then, mostly with a few accidents."""
    return text if random.random() < 0.1 else damage_signs(text, random)


def damage_second(sample: tuple[str, str], random: Random) -> tuple[str, str]:
    """The text of a pair; the first says what it is for."""
    return sample[0], damage_text(sample[1], random)


# Records


@cache
def records() -> list[str]:
    """A record of every rule set, in full and of one seat; and those of the examples."""
    return [
        *(_record(rules, seat) for rules in EVERY for seat in (None, 0, 1)),
        *(path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.jsonl"))),
    ]


def _record(rules: str, seat: int | None) -> str:
    game, agents = line_up(rules)
    events: list[Event] = [header(game, usual(game), seat)]
    play_match(game, agents, 3, max_deals=2, note=events.append, seat=seat)
    return format_record(events)


def read_record(text: str) -> bool:
    """A record that is read can be shown, and written again; perhaps it verifies."""
    record = parse_record(text)
    events = msgspec.to_builtins([record.header, *record.events])
    assert all(tell(event, record.header.players) for event in events)
    assert json.loads(json.dumps(events)) == events
    assert parse_record(format_record([record.header, *record.events])) == record
    verify(record)
    return True


# Positions


@cache
def positions() -> list[str]:
    """Positions of every rule set."""
    random = Random(1)
    return [
        format_position(deal.game, deal.observe(random.randrange(deal.game.seats)))
        for rules in EVERY
        for seed in range(6)
        for deal in deals_along(rules, seed)
    ]


def read_position(text: str) -> bool:
    """A position that is read can be dealt, looks as it says, goes on, and can be observed."""
    game, view = parse_position(text)
    assert parse_position(format_position(game, view))[1].tobytes() == view.tobytes()
    table = random_table(game, Random(1))
    game.rules.complete(view, table.options, generator(len(text)), table.state)
    accounts.check(game.rules, table.state)
    assert table.view(int(view["me"])).tobytes() == view.tobytes()
    if table.seat == view["me"] and not table.is_over:
        assert legal_actions(game, view) == table.actions() != []
    if game.family.encoding:
        assert _observation(game.name).of(view).max() <= 1
    _play_on(table, Random(text))
    return True


@cache
def _observation(name: str) -> Observation:
    return Observation(parse_game(name))


def _play_on(table: Table, random: Random) -> None:
    """A few actions; a hand dealt to somebody who has knocked may be one that cannot."""
    for _ in range(4):
        if actions := table.actions():
            table.apply(random.choice(actions))
            accounts.check(table.rules, table.state)


# Actions and cards


@cache
def actions() -> list[tuple[str, str]]:
    """Rule set, and an action that is legal somewhere in a deal."""
    return [
        (rules, text)
        for rules in NAMES
        for deal in deals_along(rules, 2)
        for text in deal.legal[:3]
    ]


def read_action(given: tuple[str, str]) -> bool:
    """An action that is read can be written, and is played only where it is legal."""
    rules, text = given
    notation = parse_game(rules).notation
    action = notation.parse_action(text)
    assert notation.parse_action(notation.format_action(action)) == action
    deal = Deal(parse_game(rules), 2)
    is_legal = action in deal.actions
    deal.play(text)
    assert is_legal
    return True


def read_cards(given: tuple[str, str]) -> bool:
    """A card, or several."""
    kind, text = given
    PARSERS[kind](text)
    return True


PARSERS: dict[str, Callable[[str], Any]] = {
    "card": french.parse_card,
    "cards": french.parse_cards,
    "german card": german.parse_card,
    "german cards": german.parse_cards,
    "suit": german.parse_suit,
}
CARDS = [
    *(("card", "Kh"), ("cards", "Ac 2c 3c"), ("cards", "10s,Jd")),
    *(("german card", "OH"), ("german cards", "7C XL AB"), ("suit", "acorns"), ("suit", "L")),
]


# Specs


@cache
def game_specs() -> list[str]:
    """Every rule set, with and without each option."""
    found = list(NAMES)
    for family in all_families():
        preset, options = next(iter(family.rules.PRESETS.items()))
        found += [f"{preset}:{name}={value}" for name, value in options._asdict().items()]
    return found


def read_game(text: str) -> bool:
    """A game can be dealt."""
    Deal(parse_game(text), 1)
    return True


@cache
def agent_specs() -> list[tuple[str, str]]:
    """Every agent and level of every game, with and without each setting."""
    found = []
    for family in all_families():
        game = next(iter(family.rules.PRESETS))
        found += [(game, level.name) for level in family.levels]
        for name, entry in all_agents(family).items():
            found += [(game, name), (game, f"{name}:model=none.safetensors")]
            found += [(game, f"{name}:{option}=1") for option in entry.options]
    return found


def read_agent(given: tuple[str, str]) -> bool:
    """An agent of ours is made; nothing is run that a stranger names."""
    game, spec = given
    if is_foreign(spec):
        return False
    parse_agent(spec, parse_game(game))
    return True


def read_engine(text: str) -> bool:
    """The spec of an engine is read; it is not started."""
    EngineSpec.parse(text)
    return True


ENGINES = ["engine:node bot.js", "engine[seconds=2,level=3]:./bot 'a b'", "engine[start=1e3]:x"]


# At the terminal


def typed() -> list[list[str]]:
    """Lines that a person may type."""
    moves = ["take", "draw", "1", "2", "a", "5h", "d 5h", "k 5h", "discard Ks", "knock Ks", "no"]
    return [moves, ["help", "?", "log", "rules", "scores", "undo", "n", "y", "", *moves]]


def damage_lines(lines: list[str], random: Random) -> list[str]:
    """Some of the lines, damaged."""
    return [damage_text(random.choice(lines), random) for _ in range(6)]


def read_typed(lines: list[str]) -> bool:
    """The table answers every line."""
    keeps = [line for line in lines if not line.strip().lower().startswith("save")]
    table = TypedTable(opponents=["simple"])
    table.type(*keeps)
    return table.session.acted > 3


# Files and commands


@cache
def histories() -> list[bytes]:
    """A deal as OpenSpiel writes it."""
    history = histories_of(parse_record(_record("gin", None)))
    return ["\n".join(" ".join(map(str, each)) for each in history).encode()]


def read_history(path: Path) -> bool:
    """The decisions of a history."""
    found = [list(rows_of_history(parse_game("gin"), each, "")) for each in read_histories(path)]
    return any(found)


def damage_any(data: bytes, random: Random) -> bytes:
    """As bytes, or as text."""
    if random.random() < 0.3:
        return damage_bytes(data, random)
    return damage_signs(data.decode(errors="replace"), random).encode(errors="replace")


def damage_file(text: str, random: Random) -> bytes:
    """A record as a file, damaged as one or as any bytes."""
    if random.random() < 0.3:
        return damage_bytes(text.encode(), random)
    return damage_record(text, random).encode(errors="surrogatepass")


def damage_most(text: str, random: Random) -> bytes:
    """A record as a file; now and then intact, since replays refuse most damage."""
    return text.encode() if random.random() < 0.1 else damage_file(text, random)


def command(*arguments: str) -> Callable[[Path], bool]:
    """A command with a file: it does its work, or says in one line why not."""

    def run(path: Path) -> bool:
        done = CliRunner().invoke(main, [*arguments, str(path)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        lines = done.stderr.splitlines()
        if done.exit_code not in (0, 1, 2) or (done.exit_code and len(lines) != 1):
            raise Failure(f"{arguments}: exit code {done.exit_code}, {done.stderr!r}")
        return done.exit_code == 0

    return run


READERS: list[Reader] = [
    Reader("records", 1500, records, damage_record, always(read_record)),
    Reader("positions", 2000, positions, damage_position, always(read_position)),
    Reader("actions", 1500, actions, damage_second, always(read_action)),
    Reader("cards", 1000, lambda: CARDS, damage_second, always(read_cards)),
    Reader("games", 1000, game_specs, damage_text, always(read_game)),
    Reader("agents", 500, agent_specs, damage_second, always(read_agent)),
    Reader("engines", 500, lambda: ENGINES, damage_text, always(read_engine)),
    Reader("typed", 60, typed, damage_lines, always(read_typed)),
    Reader("histories", 300, histories, damage_any, through_file(read_history)),
    Reader("replay", 60, records, damage_file, through_file(command("replay"))),
    Reader("verify", 60, records, damage_most, through_file(command("replay", "--verify"))),
]
