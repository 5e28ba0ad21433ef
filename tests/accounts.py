"""Where all the cards of a game are, for the test that none is lost or doubled."""

from typing import Any

from helpers import helpers_for
from undercut.games.contract import Game


def check(rules: Any, state: Any) -> None:
    """Every card of the pack is in one place."""
    cards = rules.STATE["deck"].shape[0]
    assert sorted(helpers_for(rules).cards(state)) == list(range(cards))
    helpers_for(rules).check(state)


def stock(rules: Any, state: Any) -> list[int]:
    """The cards of the stock, the next one first."""
    return helpers_for(rules).stock(state)


def check_points(game: Game, points: list[int]) -> None:
    """The points of a deal can be what they are."""
    assert min(points) >= 0
    assert helpers_for(game).are_possible(game, points), points
