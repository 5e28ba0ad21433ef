"""The network's belief about the other hand: like `counting`, but it uses the other's actions."""

import numpy as np

from undercut.games.gin.players.belief.features import FEATURES, fill_features
from undercut.games.gin.players.belief.marginals import fit_marginals
from undercut.games.gin.players.belief.network import ACTIVATIONS, predict
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels.jit import cold_kernel, meet
from undercut.kernels.records import Buffer, Floats, Settings

_FEATURE_WORDS = FEATURES // 8  # one byte each
_GUESS_WORDS = ACTIVATIONS // 2  # four bytes each
WORDS = _FEATURE_WORDS + _GUESS_WORDS  # the workspace of `estimate`


@cold_kernel
def estimate(
    view: View,
    options: Options,
    settings: Settings,
    workspace: Buffer,
    chances: Floats,
    lane: int,
    lanes: int,
) -> None:
    """Write each card's probability to be in the other hand, or a lane's share of these."""
    features = workspace[:_FEATURE_WORDS].view(np.int8)
    activations = workspace[_FEATURE_WORDS:WORDS].view(np.float32)
    if lane == 0:
        fill_features(view, features)
    meet(lanes)
    predict(settings.weights[:], features, activations, chances, lane, lanes)
    if lane == 0:
        fit_marginals(view, settings.remember != 0, chances)
    meet(lanes)
