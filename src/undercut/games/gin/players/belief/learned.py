"""The learned belief of Gin, as the rest of the program uses it: see players/belief.py."""

import numpy as np

from undercut.cards.french import PACK
from undercut.games.gin.players.belief.features import FEATURES, fill_all_features
from undercut.games.gin.players.belief.marginals import counting_marginals, marginals_of
from undercut.games.gin.players.belief.network import (
    CARDS,
    HIDDEN_UNITS,
    SHIPPED,
    Network,
    load_network,
    save_network,
)
from undercut.games.gin.rules.layout import Phase
from undercut.players.belief import Belief

BELIEF = Belief(
    features=FEATURES,
    hidden_units=HIDDEN_UNITS,
    cards=CARDS,
    fill_features=fill_all_features,
    marginals=marginals_of,
    counting=counting_marginals,
    unknown=lambda views: ~(views.hand | views.pile | views.theirs) & PACK,
    turns=lambda views: views.turn.astype(np.int64) // 2 + 1,
    discards=lambda views: views.phase == Phase.DISCARD,
    network=Network,
    shipped=tuple(SHIPPED),
    load_network=load_network,
    save_network=save_network,
)
