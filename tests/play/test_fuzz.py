"""Damaged records and positions: refused in one line of ours, or as good as any other."""

import json
from functools import cache
from random import Random

import msgspec
import pytest

import accounts
from play.fuzz import damage_position, damage_record
from play.line_up import deals_along, line_up, usual
from positions import Table, generator, random_table, scaled
from rulesets import EVERY, some_of
from undercut.cli.table import tell
from undercut.core.errors import RecordError, UndercutError
from undercut.games.position import format_position, parse_position
from undercut.play.deal import legal_actions
from undercut.play.events import Event
from undercut.play.match import play_match
from undercut.play.record import (
    format_record,
    header,
    parse_record,
    verify,
)

pytestmark = pytest.mark.compiled  # text in plain Python, around kernels that others test

RULES = some_of(EVERY)


@cache
def record_of(rules: str, seat: int | None) -> str:
    game, agents = line_up(rules)
    events: list[Event] = [header(game, usual(game), seat)]
    play_match(game, agents, 3, max_deals=2, note=events.append, seat=seat)
    return format_record(events)


def _is_one_line(error: Exception) -> None:
    assert str(error).isprintable(), repr(str(error))


def check_record(text: str) -> str:
    """How far a record comes: it is refused in one line, or read and shown; perhaps it verifies."""
    try:
        record = parse_record(text)
    except RecordError as error:
        _is_one_line(error)
        return "refused"
    events = msgspec.to_builtins([record.header, *record.events])
    assert all(tell(event, record.header.players) for event in events)
    assert json.loads(json.dumps(events)) == events
    assert parse_record(format_record([record.header, *record.events])) == record
    try:
        verify(record)
    except RecordError as error:
        _is_one_line(error)
        return "read"
    return "verified"


def fuzz_records(count: int, seed: int) -> dict[str, int]:
    random = Random(seed)
    came = {"refused": 0, "read": 0, "verified": 0}
    for number in range(count):
        rules = RULES[number % len(RULES)]
        text = record_of(rules, random.choice([None, 0, 1]))
        came[check_record(damage_record(text, random))] += 1
    return came


def test_damaged_records_are_refused_in_one_line_or_shown() -> None:
    came = fuzz_records(scaled(1_500, 300), 1)
    assert min(came.values()) > 0, came


@cache
def positions_of(rules: str) -> list[str]:
    random = Random(rules)
    return [
        format_position(deal.game, deal.observe(random.randrange(deal.game.seats)))
        for seed in range(scaled(6, 1))
        for deal in deals_along(rules, seed)
    ]


def check_position(text: str, chance: int) -> bool:
    """Whether a position is accepted; then it can be dealt, looks as it says and goes on."""
    try:
        game, view = parse_position(text)
    except UndercutError as error:
        _is_one_line(error)
        return False
    assert format_position(game, view) == text
    table = random_table(game, Random(1))
    game.rules.complete(view, table.options, generator(chance), table.state)
    accounts.check(game.rules, table.state)
    assert table.view(int(view["me"])).tobytes() == view.tobytes()
    if table.seat == view["me"] and not table.is_over:
        assert legal_actions(game, view) == table.actions() != []
    _play_on(table, Random(chance))
    return True


def _play_on(table: Table, random: Random) -> None:
    """A few actions; a hand dealt to somebody who has knocked may be one that cannot."""
    for _ in range(4):
        if actions := table.actions():
            table.apply(random.choice(actions))
            accounts.check(table.rules, table.state)


def fuzz_positions(count: int, seed: int) -> tuple[int, int]:
    """How many damaged positions were accepted, and how many of them were really damaged."""
    random = Random(seed)
    accepted = changed = 0
    for number in range(count):
        text = random.choice(positions_of(RULES[number % len(RULES)]))
        damaged = damage_position(text, random)
        if check_position(damaged, number):
            accepted += 1
            changed += damaged != text
    return accepted, changed


def test_damaged_positions_are_refused_in_one_line_or_can_be_played() -> None:
    accepted, changed = fuzz_positions(scaled(2_000, 300), 1)
    assert accepted > changed > 0


def test_good_positions_are_accepted() -> None:
    for rules in RULES:
        for number, text in enumerate(positions_of(rules)[:: scaled(25, 20)]):
            assert check_position(text, number), text
