"""What the tests of `play` share: short names for games, agents and batches."""

from collections.abc import Iterator
from typing import Any

from undercut.agents.catalog import parse_agent
from undercut.core.agent import Random
from undercut.core.jit import COMPILED
from undercut.games.catalog import parse_game, rule_sets
from undercut.play.deal import Deal

ODD_RULES = [
    "gin:knock_face_down=1",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0,knock_limit=30",
    "gin:face_points=13,max_discard_takes=3,void_stock=20,void_alternates=1",
    "gin:automatic_gin=1",
]
EVERY_RULE_SET = rule_sets("gin") + ODD_RULES
AGENTS = ["random", "simple", "patient", "thrifty"]


def scaled(compiled: int, interpreted: int) -> int:
    """A sample size: interpreted kernels are a few hundred times slower."""
    return compiled if COMPILED else interpreted


def line_up(game_spec: str, *specs: str) -> tuple[Any, list[Any]]:
    """A game and its agents."""
    game = parse_game(game_spec)
    return game, [parse_agent(spec, game) for spec in specs]


def deals_along(game_spec: str, seed: int) -> Iterator[Deal]:
    """A deal after each of its actions, played by agents that change with the seed."""
    names = [AGENTS[seed % 4], AGENTS[seed // 4 % 4]]
    game, agents = line_up(game_spec, *names)
    random = Random.from_seed(seed)
    deal = Deal(game, seed, starter=seed % 2, scores=(seed % 50, 3))
    yield deal
    while not deal.is_over:
        deal.apply(agents[deal.seat].act(deal.view(), deal.legal, random))
        yield deal
