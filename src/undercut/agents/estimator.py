"""The paper's player with the paper's network: it guesses the other hand from how it was played."""

from typing import Any, NamedTuple

import numpy as np

from undercut.agents import heuristic
from undercut.belief.features import FEATURES, fill_features
from undercut.belief.marginals import fit_marginals
from undercut.belief.network import ACTIVATIONS, predict
from undercut.core.game import Buffer, Options, View
from undercut.core.jit import cold_kernel, specialise
from undercut.core.spec import join_fields


class Network(NamedTuple):
    """What it guesses with."""

    weights: Any = None  # put in by `catalog.parse_agent`


Settings: Any = join_fields("Settings", heuristic.Settings, Network)
LIMITS = heuristic.LIMITS

_FEATURE_WORDS = FEATURES // 8  # a byte for each
_GUESS_WORDS = ACTIVATIONS // 2  # four bytes for each
WORKSPACE = heuristic.WORKSPACE + _FEATURE_WORDS + _GUESS_WORDS


@cold_kernel
def estimate(
    view: View, options: Options, settings: Any, workspace: Buffer, chances: Buffer
) -> None:
    """Write for each card the chance that the other seat holds it."""
    features = workspace[:_FEATURE_WORDS].view(np.int8)
    activations = workspace[_FEATURE_WORDS : _FEATURE_WORDS + _GUESS_WORDS].view(np.float32)
    fill_features(view, features)
    predict(settings.weights[:], features, activations, chances)
    fit_marginals(view, chances)


choose = specialise(
    heuristic.template,
    "network",
    estimate=estimate,
    copy_settings=specialise(heuristic.copy_settings, "network"),
)
