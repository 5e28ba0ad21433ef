"""The kernels and the slow engine agree: legal actions, views and points, action by action."""

from random import Random

import pytest

from hands import rich_deck
from positions import Table, gin_view_in_words, lively_walk, random_table, scaled, walk
from undercut.core.game import Game
from undercut.games import gin
from undercut.games.catalog import parse_game, rule_sets

GIN_FAMILY = [name for name in rule_sets() if parse_game(name).rules is gin]
ODD = [
    "gin:face_points=13",
    "gin:face_points=13,knock_limit=20,eaai_auto_layoff=1",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0",
    "gin:knock_face_down=1",
    "gin:knock_limit=0",
    "gin:knock_limit=4,gin_bonus=31,undercut_bonus=1",
    "gin:knock_limit=99",
    "gin:void_stock=0",
    "gin:void_stock=30,void_alternates=1",
    "gin:max_discard_takes=1,void_alternates=1",
    "gin:max_discard_takes=4",
    "gin:automatic_gin=1",
    "gin:upcard=0",
    "distilled:face_points=13",
    "distilled+knock:face_points=13,knock_limit=30",
    "distilled+knock:layoffs=0",
    "distilled+upcard+knock:knock_face_down=1,eaai_auto_layoff=1,max_discard_takes=3",
]
every_option = pytest.mark.parametrize(
    "game", [parse_game(name) for name in GIN_FAMILY + ODD], ids=GIN_FAMILY + ODD
)


def test_every_house_rule_is_tried() -> None:
    """Each option that bears on a deal differs from its usual value in some rule set here."""
    games = [parse_game(name) for name in GIN_FAMILY + ODD]
    of_a_match = {"target", "first_starter"}
    for field in set(gin.Options._fields) - of_a_match:
        assert len({getattr(game.options, field) for game in games}) > 1, field


def _compare(table: Table, random: Random, lively: bool) -> str:
    """One deal on both engines; returns how it ended."""
    slow = table.slow_twin()
    for _ in (lively_walk if lively else walk)(table, random):
        if table.played:
            slow.apply(table.game.notation.format_action(table.played[-1]))
        assert sorted(table.legal()) == sorted(slow.legal())
        for seat in (0, 1):
            words, expected = gin_view_in_words(table.view(seat)), slow.view(seat)
            assert words == expected, _differences(words, expected)
    assert table.points() == slow.points()
    assert table.next_starter() == slow.next_starter()
    return slow.outcome


def _differences(words: dict[str, object], expected: dict[str, object]) -> list[object]:
    return [
        (name, words[name], expected[name]) for name in expected if words[name] != expected[name]
    ]


@every_option
def test_the_slow_engine_agrees(game: Game) -> None:
    random = Random(1)
    outcomes = set()
    for number in range(scaled(24, 8)):
        table = random_table(game, random)
        if number % 4:
            table = Table(game, rich_deck(random), random.randrange(2), (12, 34))
        outcomes.add(_compare(table, random, lively=number % 8 > 0))
    if game.options.knock and game.options.knock_limit >= 4:
        assert outcomes - {"void"}
