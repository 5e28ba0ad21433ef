"""The kernels and the slow engine agree: legal actions, views and points, action by action."""

from random import Random
from typing import Any

import pytest

from helpers import helpers_for
from positions import Table, fresh_tables, lively_walk, scaled, walk
from rulesets import EVERY, each_of
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.gin import rules as gin
from undercut.games.rummy import rules as rummy

COMBINED = [
    "gin:face_points=13,knock_limit=20,eaai_auto_layoff=1",
    "gin:knock_limit=4,gin_bonus=31,undercut_bonus=1",
    "gin:max_discard_takes=4",
    "gin:automatic_gin=1",
    "gin:upcard=0",
    "distilled:face_points=13",
    "distilled+knock:layoffs=0",
    "rummy:may_discard_taken=0,turnovers=1,max_turns=60",
]
COMPARED = [name for name in EVERY + COMBINED if helpers_for(parse_game(name)).slow]
OF_A_MATCH = {"target", "first_starter", "max_rounds"}


@pytest.mark.parametrize("rules", [gin, rummy], ids=["gin", "rummy"])
def test_every_house_rule_is_tried(rules: Any) -> None:
    """Each option that bears on a deal differs from its usual value in some rule set here."""
    games = [parse_game(name) for name in COMPARED]
    options = [game.options for game in games if game.rules is rules]
    for field in set(rules.Options._fields) - OF_A_MATCH:
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


def _is_often_won(game: Game) -> bool:
    """Random play seldom makes gin, and a deal that allows few takes is often void."""
    options = game.options
    if game.rules is not gin:
        return True
    return options.knock and options.knock_limit >= 4 and options.max_discard_takes > 3


@each_of(COMPARED)
def test_the_slow_engine_agrees(game: Game) -> None:
    random = Random(1)
    outcomes = {
        _compare(table, random, lively=place % 8 > 0)
        for place, table in enumerate(fresh_tables(game, scaled(24, 8), seed=2))
    }
    if _is_often_won(game):
        assert outcomes - {"void", "tie"}
