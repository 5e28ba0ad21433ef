"""The weights of networks that play, and their files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from undercut.kernels.records import Array
from undercut.players import network_files, residual
from undercut.players.encoding import Encoding
from undercut.players.network_files import Format, Metadata, Shape, Shipped, Tensors, read_about
from undercut.players.residual import layers

FORMAT = Format("undercut-policy/1", "is no network that plays", "F16")

SCALE = 6.0  # of a network whose file does not say it


@dataclass(frozen=True)
class Policy:
    """A trained network: its layers and its origin."""

    tensors: Mapping[str, Array]  # by name; a row holds the weights from one input
    width: int
    blocks: int
    about: Mapping[str, object]

    @property
    def scale(self) -> float:
        """The value of a whole match, in the units of the value head."""
        config = self.about.get("config", {})
        found = config.get("scale", SCALE) if isinstance(config, Mapping) else SCALE
        return float(found)

    @property
    def weights(self) -> Array:
        """All weights in one flat buffer, in the order the kernel reads them."""
        return np.concatenate([self.tensors[name].ravel() for name in layers(self.blocks)])


def shapes(encoding: Encoding, width: int, blocks: int, inputs: int = 0) -> dict[str, Shape]:
    """The shape of each layer; the kernel trusts them. An earlier layout has fewer inputs."""
    return residual.shapes(inputs or encoding.inputs, width, blocks, encoding.outputs + 1)


def save_policy(path: Path, policy: Policy, encoding: Encoding) -> str:
    """Write weights as float16; returns their checksum."""
    tensors = {name: policy.tensors[name] for name in layers(policy.blocks)}
    size = {"width": str(policy.width), "blocks": str(policy.blocks)}
    facts = {"about": json.dumps(policy.about)}
    return network_files.save_network(
        path, FORMAT, tensors, {**_made_for(encoding, encoding.planes), **size}, facts
    )


def load_policy(source: Path | Shipped, encoding: Encoding) -> Policy:
    """Read weights, which must be made for this encoding or an earlier one.

    Inputs that were appended since then get weights of 0: the network plays as it did.
    """

    def shapes_of(tensors: Tensors, metadata: Metadata) -> dict[str, Shape]:
        return shapes(encoding, *residual.size(tensors), inputs=sum(json.loads(metadata["planes"])))

    made_for = [_made_for(encoding, planes) for planes in (encoding.planes, *encoding.earlier)]
    tensors, metadata = network_files.load_network(source, FORMAT, made_for, shapes_of)
    full = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    full["entry.weight"] = residual.append_inputs(full["entry.weight"], encoding.inputs)
    return Policy(full, *residual.size(tensors), read_about(source, metadata))


def _made_for(encoding: Encoding, planes: tuple[int, ...]) -> dict[str, str]:
    return {"planes": json.dumps(planes), "outputs": str(encoding.outputs)}


def policy_of(
    named: Mapping[str, Array],
    encoding: Encoding,
    width: int,
    blocks: int,
    about: Mapping[str, object],
) -> Policy:
    """A policy from the tensors of a network in training, without the heads that only training needs."""
    tensors = {}
    for name in layers(blocks):
        tensor = np.asarray(named[name], dtype=np.float32)
        if name == "entry.weight":
            tensor = tensor[:, : encoding.inputs]
        if name.startswith("heads"):
            tensor = tensor[: encoding.outputs + 1]
        tensors[name] = np.ascontiguousarray(tensor.T) if tensor.ndim == 2 else tensor
    return Policy(tensors, width, blocks, about)
