"""What the tests of `play` share: short names for games, agents and batches."""

from collections.abc import Iterator
from typing import Any

from helpers import helpers_for
from rulesets import quick_agents
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.play.agent import Random
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent


def line_up(game_spec: str, *specs: str) -> tuple[Any, list[Any]]:
    """A game and its agents: those named, or two of the game's own in turn."""
    game = parse_game(game_spec)
    names = specs or usual(game)
    return game, [parse_agent(spec, game) for spec in names]


def usual(game: Game) -> list[str]:
    """An agent for each seat: one of the plainest and a better one, in turn."""
    return [helpers_for(game).usual[seat % 2] for seat in range(game.seats)]


def deals_along(game_spec: str, seed: int) -> Iterator[Deal]:
    """A deal after each of its actions, played by agents that change with the seed."""
    game = parse_game(game_spec)
    quick = quick_agents(game)
    names = [quick[seed // len(quick) ** seat % len(quick)] for seat in range(game.seats)]
    agents = [parse_agent(name, game) for name in names]
    random = Random.from_seed(seed)
    scores = (seed % 50, *range(3, game.seats + 2))
    deal = Deal(game, seed, starter=seed % game.seats, scores=scores)
    yield deal
    while not deal.is_over:
        deal.apply(agents[deal.seat].act(deal.observe(), deal.actions, random))
        yield deal
