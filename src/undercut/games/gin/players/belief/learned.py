"""What the rest of the program knows of guessing the other hand at gin: see players/belief.py."""

import numpy as np

from undercut.cards.french import PACK
from undercut.games.gin.players.belief.features import FEATURES, fill_all_features
from undercut.games.gin.players.belief.marginals import counting_marginals, marginals_of
from undercut.games.gin.players.belief.network import (
    CARDS,
    HIDDEN_UNITS,
    Network,
    load_network,
    save_network,
)
from undercut.games.gin.rules.layout import Phase
from undercut.kernels.records import Array, Buffer, Columns
from undercut.players.belief import Belief


def _unknown(views: Columns) -> Buffer:
    unknown: Buffer = ~(views.hand | views.pile | views.theirs) & PACK
    return unknown


def _turns(views: Columns) -> Buffer:
    turns: Buffer = views.turn.astype(np.int64) // 2 + 1
    return turns


def _discards(views: Columns) -> Array:
    discards: Array = views.phase == Phase.DISCARD
    return discards


BELIEF = Belief(
    features=FEATURES,
    hidden_units=HIDDEN_UNITS,
    cards=CARDS,
    fill_features=fill_all_features,
    marginals=marginals_of,
    counting=counting_marginals,
    unknown=_unknown,
    turns=_turns,
    discards=_discards,
    network=Network,
    load_network=load_network,
    save_network=save_network,
)
