"""learn/search: the champion for many games at once plays as the champion for one."""

from typing import Any

import numpy as np
import pytest

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import new
from undercut.kernels.rng import GENERATOR, start
from undercut.learn.search.champion import DeviceChampion
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.players.search.champion import Champion

pytestmark = pytest.mark.compiled
GIN = parse_game("gin")


def _champion(spec: str, game: Game = GIN) -> Champion:
    agent = parse_agent(spec, game)
    assert isinstance(agent, Champion)
    return agent


def _positions(count: int, game: Game = GIN) -> tuple[Any, Any, Any]:
    """Views with a choice, their legal actions and how many they are."""
    guide = parse_agent("blueprint", game)
    views, legal = new(game.rules.VIEW, count), np.zeros((count, game.rules.LEGAL), dtype=np.int64)
    counts, row, seed = np.zeros(count, dtype=np.int64), 0, 0
    while row < count:
        seed += 1
        scores = [50 * (seed % 2), 30] if game is GIN else None
        deal, random = Deal(game, seed, scores=scores), Random.from_seed(seed)
        while not deal.is_over and row < count:
            if len(deal.actions) > 1 and (seed + row) % 3:
                views[row], counts[row] = deal.observe(), len(deal.actions)
                legal[row, : counts[row]] = deal.actions
                row += 1
            deal.apply(guide.act(deal.observe(), deal.actions, random))
    return views, legal, counts


def _generators(count: int) -> Any:
    generators = new(GENERATOR, count)
    for row in range(count):
        start(generators[row], row)
    return generators


@pytest.mark.parametrize(
    ("name", "gate", "rows", "count"),
    [
        ("gin", 0.5, 1 << 13, 90),
        ("gin", 0, 200, 30),
        ("rummy", 0.5, 1 << 13, 60),
        ("pharaoh:players=3", 0.5, 1 << 13, 60),
    ],
)
def test_it_plays_as_the_champion_for_one_game(
    name: str, gate: float, rows: int, count: int
) -> None:
    """All searches at once, and two at a time with a gate that nearly every move passes."""
    game = parse_game(name)
    champion = _champion(f"champion:samples=24,moves=3,gate={gate}", game)
    device = DeviceChampion(champion, "cpu", rows)
    views, legal, counts = _positions(count, game)
    generators, own = _generators(count), _generators(count)
    actions = device.act_batch(views, legal, counts, generators)
    wanted = [
        champion.act(view, row[:size].tolist(), Random(generator))
        for view, row, size, generator in zip(views, legal, counts, own, strict=True)
    ]
    assert (actions == wanted).mean() >= 0.98
    assert (generators == own).all()
    guide = [
        champion.guide.act(view, row[:size].tolist(), Random.from_seed(0))
        for view, row, size in zip(views, legal, counts, strict=True)
    ]
    assert (actions != guide).sum() >= 2
