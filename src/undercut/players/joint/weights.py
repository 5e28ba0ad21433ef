"""The weights of networks that guess hidden hands card by card, and their files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from undercut.kernels.records import Array
from undercut.players import network_files, residual
from undercut.players.encoding import Encoding
from undercut.players.network_files import Format, Shape, Shipped, Tensors, read_about

FORMAT = Format("undercut-belief/1", "is no network that guesses hidden hands", "F16")
CHOSEN = "chosen.weight"


@dataclass(frozen=True)
class JointWeights:
    """A trained network: its layers and its origin.

    Its inputs are the bits of the encoding (`entry.weight`) and the cards already chosen for every
    hidden hand (`chosen.weight`). It has an output for every card of every hidden hand.
    """

    tensors: Mapping[str, Array]  # by name; a row holds the weights from one input
    width: int
    blocks: int
    about: Mapping[str, object]


def shapes(encoding: Encoding, width: int, blocks: int, inputs: int = 0) -> dict[str, Shape]:
    """The shape of each layer. An earlier layout has fewer inputs."""
    hidden = sum(encoding.hidden)
    found = residual.shapes(inputs or encoding.inputs, width, blocks, hidden)
    return {**found, CHOSEN: (hidden, width)}


def save_joint(path: Path, weights: JointWeights, encoding: Encoding) -> str:
    """Write weights as float16; returns their checksum."""
    names = shapes(encoding, weights.width, weights.blocks)
    tensors = {name: weights.tensors[name] for name in names}
    size = {"width": str(weights.width), "blocks": str(weights.blocks)}
    made_for = {**_made_for(encoding, encoding.planes), **size}
    facts = {"about": json.dumps(weights.about)}
    return network_files.save_network(path, FORMAT, tensors, made_for, facts)


def load_joint(source: Path | Shipped, encoding: Encoding) -> JointWeights:
    """Read weights, which must be made for this encoding or an earlier one.

    Inputs that were appended since then get weights of 0: the network answers as it did.
    """

    def shapes_of(tensors: Tensors, metadata: Mapping[str, str]) -> dict[str, Shape]:
        inputs = sum(json.loads(metadata["planes"]))
        return shapes(encoding, *_size(tensors), inputs=inputs)

    made_for = [_made_for(encoding, planes) for planes in (encoding.planes, *encoding.earlier)]
    tensors, metadata = network_files.load_network(source, FORMAT, made_for, shapes_of)
    full = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    full["entry.weight"] = residual.append_inputs(full["entry.weight"], encoding.inputs)
    return JointWeights(full, *_size(tensors), read_about(source, metadata))


def joint_weights_of(
    named: Mapping[str, Array], encoding: Encoding, width: int, about: Mapping[str, object]
) -> JointWeights:
    """The weights of a network in training, without the rows that only pad its layers."""
    wanted = shapes(encoding, *_size(named))
    tensors = {}
    for name, shape in wanted.items():
        tensor = np.asarray(named[name], dtype=np.float32)
        whole = tensor.T if tensor.ndim == 2 else tensor  # torch keeps a row for each output
        tensors[name] = np.ascontiguousarray(whole[tuple(slice(length) for length in shape)])
    return JointWeights(tensors, width, _size(named)[1], about)


def _made_for(encoding: Encoding, planes: tuple[int, ...]) -> dict[str, str]:
    return {"planes": json.dumps(planes), "hidden": json.dumps(encoding.hidden)}


def _size(tensors: Mapping[str, Array]) -> tuple[int, int]:
    """The width of a network and its number of blocks."""
    return residual.size({name: each for name, each in tensors.items() if name != CHOSEN})
