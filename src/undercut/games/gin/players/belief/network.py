"""Inference of the paper's network, 208 - 500 - 500 - 52, without torch.

A kernel evaluates one view, on a CPU or in a GPU thread, with weights in one flat float32 buffer.
NumPy evaluates batches.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from undercut.games.gin.players.belief.features import FEATURES, VERSION
from undercut.kernels.jit import kernel, meet
from undercut.kernels.records import Array, Floats
from undercut.players import network_files
from undercut.players.layers import add_row, copy_row
from undercut.players.network_files import Format, NetworkError, Shipped, path_of

Weights: TypeAlias = NDArray[np.float32]

HIDDEN_UNITS = 500
CARDS = 52
SHAPES: dict[str, tuple[int, ...]] = {
    "hidden1.weight": (FEATURES, HIDDEN_UNITS),  # a row has the weights of one input
    "hidden1.bias": (HIDDEN_UNITS,),
    "hidden2.weight": (HIDDEN_UNITS, HIDDEN_UNITS),
    "hidden2.bias": (HIDDEN_UNITS,),
    "output.weight": (HIDDEN_UNITS, CARDS),
    "output.bias": (CARDS,),
}
FORMAT = Format(
    "undercut-estimator/1", "is not a model of the hand estimator", "F16", tuple(SHAPES)
)
MADE_FOR = {"features": str(VERSION)}
SHIPPED = {
    "paper": Shipped(
        Path(__file__).parent / "models" / "paper.safetensors",
        "23d44bf1fb841ddde1c2f720ccc672ab33850e00e1185a532da834aaf56d3e42",
    )
}

# Offsets in the flat buffer of weights.
_BIAS_1 = FEATURES * HIDDEN_UNITS
_WEIGHT_2 = _BIAS_1 + HIDDEN_UNITS
_BIAS_2 = _WEIGHT_2 + HIDDEN_UNITS * HIDDEN_UNITS
_WEIGHT_3 = _BIAS_2 + HIDDEN_UNITS
_BIAS_3 = _WEIGHT_3 + HIDDEN_UNITS * CARDS
PARAMETERS = _BIAS_3 + CARDS

ACTIVATIONS = 2 * HIDDEN_UNITS
"""The workspace of `predict` in float32 numbers."""

_STEEPEST = 80.0  # exponentials of larger logits, which are certain anyway, overflow float32
_ROWS = 1024  # the batch size: its activations fit into the processor's cache


@kernel
def predict(
    weights: Weights, features: Array, activations: Weights, out: Floats, lane: int, lanes: int
) -> None:
    """The probability of each card for one row of features, before `fit_marginals`.

    Most inputs and most activations after a ReLU are 0, so the kernel skips them. A lane computes
    its share of the units; a single lane is 0 of 1.
    """
    first, second = activations[:HIDDEN_UNITS], activations[HIDDEN_UNITS : 2 * HIDDEN_UNITS]
    copy_row(first, weights[_BIAS_1:_WEIGHT_2], lane, lanes)
    for i in range(FEATURES):
        value = int(features[i])
        if value != 0:
            row = weights[i * HIDDEN_UNITS : (i + 1) * HIDDEN_UNITS]
            add_row(first, row, np.float32(value), lane, lanes)
    copy_row(second, weights[_BIAS_2:_WEIGHT_3], lane, lanes)
    meet(lanes)
    for i in range(HIDDEN_UNITS):
        if first[i] > 0:
            start = _WEIGHT_2 + i * HIDDEN_UNITS
            add_row(second, weights[start : start + HIDDEN_UNITS], first[i], lane, lanes)
    meet(lanes)
    logits = first[:CARDS]
    copy_row(logits, weights[_BIAS_3:PARAMETERS], lane, lanes)
    for i in range(HIDDEN_UNITS):
        if second[i] > 0:
            start = _WEIGHT_3 + i * CARDS
            add_row(logits, weights[start : start + CARDS], second[i], lane, lanes)
    for card in range(lane, CARDS, lanes):
        logit = min(max(float(logits[card]), -_STEEPEST), _STEEPEST)
        out[card] = 1.0 / (1.0 + math.exp(-logit))
    meet(lanes)


@dataclass(frozen=True)
class Network:
    """Trained weights, by the names of SHAPES, and their metadata."""

    tensors: Mapping[str, Array]
    metadata: Mapping[str, str]

    @cached_property
    def weights(self) -> Weights:
        """All weights in one flat float32 buffer, as `predict` takes them."""
        parts = [np.asarray(self.tensors[name], dtype=np.float32).ravel() for name in SHAPES]
        return np.concatenate(parts)

    @cached_property
    def _layers(self) -> list[tuple[Weights, Weights]]:
        arrays = [np.asarray(self.tensors[name], dtype=np.float32) for name in SHAPES]
        return list(zip(arrays[::2], arrays[1::2], strict=True))

    def predict(self, features: Array) -> Weights:
        """The probabilities of the cards, a row for each row of features."""
        out = np.empty((len(features), CARDS), dtype=np.float32)
        for start in range(0, len(features), _ROWS):
            rows = features[start : start + _ROWS].astype(np.float32)
            out[start : start + _ROWS] = self._logits(rows)
        np.clip(out, -_STEEPEST, _STEEPEST, out=out)
        np.negative(out, out=out)
        np.exp(out, out=out)
        out += 1
        return np.reciprocal(out, out=out)

    def _logits(self, rows: Weights) -> Weights:
        *hidden, (weight, bias) = self._layers
        for layer, bias_of_layer in hidden:
            rows = rows @ layer
            rows += bias_of_layer
            np.maximum(rows, 0, out=rows)
        return rows @ weight + bias


def save_network(path: Path, tensors: Mapping[str, Array], facts: Mapping[str, object]) -> None:
    """Write weights as float16 and their metadata, atomically."""
    told = {
        key: value if isinstance(value, str) else json.dumps(value) for key, value in facts.items()
    }
    network_files.save_network(path, FORMAT, tensors, MADE_FOR, told)


def load_network(name: str | Path) -> Network:
    """Read weights from a file, or a shipped network by its name."""
    source = SHIPPED.get(str(name), Path(name))
    if not path_of(source).is_file():
        raise NetworkError(f"no model {str(name)!r}: give a file, or one of {', '.join(SHIPPED)}")
    return Network(*network_files.load_network(source, FORMAT, [MADE_FOR], lambda *_: SHAPES))
