"""The themes of errors of every game: functions of the view and of two moves."""

from collections import Counter
from random import Random

import pytest

from contract.redeal import redealt
from positions import Table, fresh_tables, lively_walk
from rulesets import each_of
from undercut.games.contract import Game
from undercut.games.families import all_families, find_family
from undercut.games.table.themes import themes_of

pytestmark = pytest.mark.compiled  # plain Python
PRESETS = [name for family in all_families() for name in family.rules.PRESETS]
every_game = each_of([*PRESETS, "pharaoh:players=5", "distilled+knock+upcard"])


def _themes(table: Table, moves: tuple[int, int]) -> tuple[str, ...]:
    return themes_of(table.game, table.readable(), moves, (0.5, 0.1))


def _outs(table: Table) -> list[str]:
    seen = table.readable()
    return [str(seen.outs(card)) for card in seen.hand]


@every_game
def test_themes_depend_on_no_hidden_card(game: Game) -> None:
    found, compared = Counter[str](), 0
    for table in fresh_tables(game, 6, Random(5)):
        random = Random(6)
        for _ in lively_walk(table, random):
            if table.is_over or len(table.actions()) < 2:
                continue
            played, better = random.sample(table.actions(), 2)
            themes = _themes(table, (played, better))
            found.update(themes)
            twin = redealt(table, table.seat, random) if compared < 8 else None
            if twin is not None:
                compared += 1
                assert _themes(twin, (played, better)) == themes
                assert _outs(twin) == _outs(table)
            assert _themes(table, (played, played)) == ()
    assert compared > 3
    assert len(found) >= len(game.family.themes) / 3


def test_a_name_stands_for_one_theme() -> None:
    for name in ("gin", "rummy", "pharaoh"):
        names = [theme.name for theme in find_family(name).themes]
        assert len(names) == len({*names}) > 5
