"""Deals from a deck in a given order, without a seed that shuffles it."""

from collections.abc import Sequence

import numpy as np

from undercut.cards.french import Card
from undercut.games.contract import Game
from undercut.kernels.records import Seat, State, new, pack
from undercut.play.secret_seeds import Secret, deck_of, reshuffle_seed


def pack_size(game: Game) -> int:
    """The number of cards in the deck of a game."""
    return int(game.rules.STATE["deck"].shape[0])


def lay(game: Game, deck: Sequence[Card], starter: Seat, scores: Sequence[int]) -> State:
    """The beginning of a deal from a deck in this order."""
    state: State = new(game.rules.STATE, 1)[0]
    state["deck"][:] = deck
    game.rules.begin(state, pack(game.options), starter, np.array(scores, dtype=np.int64))
    return state


def lay_secret(game: Game, secret: Secret, starter: Seat, scores: Sequence[int]) -> State:
    """The first state of the deal that a secret determines."""
    state = lay(game, deck_of(secret, pack_size(game)), starter, scores)
    reseed = getattr(game.rules, "reseed", None)
    if reseed is not None:
        reseed(state, reshuffle_seed(secret))
    return state
