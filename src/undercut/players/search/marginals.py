"""The chance that another seat holds each card, as the evaluator deals the hidden cards."""

import numpy as np

from undercut.cards.french import each
from undercut.kernels import rng
from undercut.kernels.records import Floats, View, new, pack
from undercut.players.search.evaluate import Evaluator

_DEALS = 512  # determinizations of a position without a joint belief


def marginals(evaluator: Evaluator, view: View) -> Floats:
    """A row for each other seat, in the order of play; a row's sum is the size of its hand."""
    if evaluator.believes(view):
        assert evaluator.belief is not None
        return evaluator.belief.marginals(view)
    game, generator = evaluator.game, new(rng.GENERATOR, 1)[0]
    state, options = new(game.rules.STATE, 1)[0], pack(game.options)
    found = np.zeros((game.seats - 1, len(state["deck"])))
    rng.start(generator, 0)
    for _ in range(_DEALS):
        game.rules.complete(view, options, generator, state)
        for other, row in enumerate(found, start=1):
            row[list(each(int(state["hands"][(int(view["me"]) + other) % game.seats])))] += 1
    return found / _DEALS
