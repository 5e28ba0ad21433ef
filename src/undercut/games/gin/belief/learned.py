"""What the rest of the program knows of guessing the other hand at gin: see games/belief.py."""

import numpy as np

from undercut.core.cards import PACK
from undercut.core.records import Array, Buffer, Columns
from undercut.games.belief import Belief
from undercut.games.gin.belief.features import FEATURES, fill_all_features
from undercut.games.gin.belief.marginals import counting_marginals, marginals_of
from undercut.games.gin.belief.network import (
    CARDS,
    HIDDEN_UNITS,
    Network,
    load_network,
    save_network,
)
from undercut.games.gin.layout import Phase


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
