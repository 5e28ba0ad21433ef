"""The paper's player with the paper's network: it guesses the other hand from how it was played."""

from typing import Any

import numpy as np

from undercut.agents.heuristic import LIMITS, THOUGHT, Settings, copy_settings, decide
from undercut.agents.heuristic import WORKSPACE as HEURISTIC_WORKSPACE
from undercut.belief.features import FEATURES, fill_features
from undercut.belief.marginals import fit_marginals
from undercut.belief.network import ACTIVATIONS, predict
from undercut.core.game import Action, Buffer, Options, View
from undercut.core.jit import cold_kernel, kernel
from undercut.core.rng import Generator
from undercut.core.workspace import record_in

__all__ = ["LIMITS", "WORKSPACE", "Settings", "choose", "estimate"]

_THOUGHT = np.dtype(THOUGHT)
_FEATURE_WORDS = FEATURES // 8  # a byte for each
_GUESS = HEURISTIC_WORKSPACE + _FEATURE_WORDS
WORKSPACE = _GUESS + ACTIVATIONS // 2  # four bytes for each


@cold_kernel
def estimate(weights: Any, view: View, workspace: Buffer, chances: Buffer) -> None:
    """Write for each card the chance that the other seat holds it."""
    features = workspace[HEURISTIC_WORKSPACE:_GUESS].view(np.int8)
    fill_features(view, features)
    predict(weights, features, workspace[_GUESS:WORKSPACE].view(np.float32), chances)
    fit_marginals(view, chances)


@kernel
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: tuple[Settings, Any],
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """As the heuristic player, with a network's chances for the other hand."""
    numbers, weights = settings
    thought = record_in(workspace[:HEURISTIC_WORKSPACE], _THOUGHT)
    copy_settings(numbers, thought.settings)
    estimate(weights, view, workspace, thought.mine.chances)
    return decide(view, legal, options, generator, thought)
