"""The kernels and the slow engine agree: legal actions, views and points, action by action."""

from random import Random

import pytest

from helpers import helpers_for
from positions import Table, fresh_tables, lively_walk, walk
from rulesets import EVERY, chance_of, each_of, sample
from undercut.games.contract import Family, Game
from undercut.games.families import all_families, parse_game

FAMILIES = [family for family in all_families() if helpers_for(family.rules).slow]
COMBINED = [name for family in FAMILIES for name in helpers_for(family.rules).combined]
COMPARED = [name for name in EVERY + COMBINED if helpers_for(parse_game(name)).slow]


@pytest.mark.parametrize("family", FAMILIES, ids=[family.name for family in FAMILIES])
def test_every_house_rule_is_tried(family: Family) -> None:
    """Each option that bears on a deal differs from its usual value in some rule set here."""
    games = [parse_game(name) for name in COMPARED]
    options = [game.options for game in games if game.family is family]
    fields = {*family.rules.Options._fields}
    of_a_match = helpers_for(family.rules).of_a_match
    assert of_a_match <= fields
    for field in fields - of_a_match:
        assert len({getattr(each, field) for each in options}) > 1, field


def _compare(table: Table, random: Random, lively: bool) -> str:
    """One deal on both engines; returns how it ended."""
    slow = table.slow_twin()
    in_words = helpers_for(table.game).in_words
    assert in_words is not None
    for _ in (lively_walk if lively else walk)(table, random):
        if table.played:
            slow.apply(table.game.notation.format_action(table.played[-1]))
        assert sorted(table.legal()) == sorted(slow.legal())
        for seat in range(table.game.seats):
            words, expected = in_words(table.view(seat)), slow.view(seat)
            assert words == expected, _differences(words, expected)
    assert table.points() == slow.points()
    assert table.next_starter() == slow.next_starter()
    return str(slow.outcome)


def _differences(words: dict[str, object], expected: dict[str, object]) -> list[object]:
    return [
        (name, words[name], expected[name]) for name in expected if words[name] != expected[name]
    ]


@each_of(COMPARED)
def test_the_slow_engine_agrees(game: Game) -> None:
    """On some deals, and on more until one is won."""
    random, enough = chance_of(game, 1), sample(game, 18, 8)
    is_often_won = helpers_for(game).is_often_won(game)
    outcomes: set[str] = set()
    for place, table in enumerate(fresh_tables(game, 24, random)):
        outcomes.add(_compare(table, random, lively=place % 8 > 0))
        if place + 1 >= enough and (outcomes - {"void", "tie"} or not is_often_won):
            return
    raise AssertionError(f"no deal was won: {outcomes}")
