"""The paper's player with the paper's network: it guesses the other hand from how it was played."""

from typing import Any, NamedTuple

import numpy as np

from undercut.core.jit import cold_kernel, meet, specialise
from undercut.core.records import Buffer, Options, View
from undercut.core.spec import join_fields
from undercut.games.gin.agents import heuristic
from undercut.games.gin.belief.features import FEATURES, fill_features
from undercut.games.gin.belief.marginals import fit_marginals
from undercut.games.gin.belief.network import ACTIVATIONS, predict


class Network(NamedTuple):
    """What it guesses with."""

    weights: Any = None  # of the network, which no spec can write out


Settings: Any = join_fields("Settings", heuristic.Settings, Network)

REMEMBER = 1  # of both settings that follow: whether cards seen being taken are known to be held
PRINTED = Settings(remember=REMEMBER)
"""With the numbers that the paper prints."""
PUBLISHED = Settings(**heuristic.PUBLISHED._asdict())._replace(remember=REMEMBER)
"""With those of the agent that its authors published: with these the paper's results are reached."""

_FEATURE_WORDS = FEATURES // 8  # a byte for each
_GUESS_WORDS = ACTIVATIONS // 2  # four bytes for each
WORDS = _FEATURE_WORDS + _GUESS_WORDS  # of working space that `estimate` wants
WORKSPACE = heuristic.WORKSPACE + WORDS


@cold_kernel
def estimate(
    view: View,
    options: Options,
    settings: Any,
    workspace: Buffer,
    chances: Buffer,
    lane: int,
    lanes: int,
) -> None:
    """Write for each card the chance that the other seat holds it, or a lane's share of them."""
    features = workspace[:_FEATURE_WORDS].view(np.int8)
    activations = workspace[_FEATURE_WORDS:WORDS].view(np.float32)
    if lane == 0:
        fill_features(view, features)
    meet(lanes)
    predict(settings.weights[:], features, activations, chances, lane, lanes)
    if lane == 0:
        fit_marginals(view, settings.remember != 0, chances)
    meet(lanes)


choose = specialise(
    heuristic.template,
    "network",
    estimate=estimate,
    copy_settings=specialise(heuristic.copy_settings, "network"),
)
