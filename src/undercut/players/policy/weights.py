"""The weights of networks that play, and their files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.players import network_files
from undercut.players.encoding import Encoding
from undercut.players.network_files import Format, Shape, Shipped, read_about

FORMAT = Format("undercut-policy/1", "is no network that plays", "F16")


@dataclass(frozen=True)
class Policy:
    """A trained network: its layers, and what is known about them."""

    tensors: Mapping[str, Any]  # by name, each row the weights out of one input
    width: int
    blocks: int
    about: Mapping[str, Any]

    @property
    def weights(self) -> Any:
        """All of it in one flat buffer, as the kernel reads it."""
        return np.concatenate([self.tensors[name].ravel() for name in layers(self.blocks)])


def layers(blocks: int) -> list[str]:
    """The names of the tensors, in the order the kernel reads them."""
    names = ["entry.bias", "entry.weight"]
    for block in range(blocks):
        start = f"blocks.{block}"
        names += [f"{start}.norm.weight", f"{start}.norm.bias"]
        for layer in ("first", "second"):
            names += [f"{start}.{layer}.bias", f"{start}.{layer}.weight"]
    return [*names, "norm.weight", "norm.bias", "heads.bias", "heads.weight"]


def shapes(encoding: Encoding, width: int, blocks: int) -> dict[str, Shape]:
    """The shape of each layer; the kernel trusts them."""
    found: dict[str, Shape] = {}
    for name in layers(blocks):
        inputs = encoding.inputs if name == "entry.weight" else width
        outputs = encoding.outputs + 1 if name.startswith("heads") else width
        is_matrix = name.endswith("weight") and "norm" not in name
        found[name] = (inputs, outputs) if is_matrix else (outputs,)
    return found


def save_policy(path: Path, policy: Policy, encoding: Encoding) -> str:
    """Write weights as float16; returns their checksum."""
    tensors = {name: policy.tensors[name] for name in layers(policy.blocks)}
    size = {"width": str(policy.width), "blocks": str(policy.blocks)}
    facts = {"about": json.dumps(policy.about)}
    return network_files.save_network(path, FORMAT, tensors, {**_made_for(encoding), **size}, facts)


def load_policy(source: Path | Shipped, encoding: Encoding) -> Policy:
    """Read weights; they must be whole, and made for this encoding."""
    tensors, metadata = network_files.load_network(
        source, FORMAT, _made_for(encoding), lambda tensors: shapes(encoding, *_size(tensors))
    )
    full = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    return Policy(full, *_size(tensors), read_about(source, metadata))


def _made_for(encoding: Encoding) -> dict[str, str]:
    return {"planes": json.dumps(encoding.planes), "outputs": str(encoding.outputs)}


def _size(tensors: Mapping[str, Any]) -> tuple[int, int]:
    """The width of a network and its number of blocks."""
    width = tensors["norm.bias"].size if "norm.bias" in tensors else 0
    blocks = (len(tensors) - len(layers(0))) // (len(layers(1)) - len(layers(0)))
    return max(width, 1), blocks


def policy_of(
    named: Mapping[str, Any], encoding: Encoding, width: int, blocks: int, about: Mapping[str, Any]
) -> Policy:
    """A policy from the tensors of a network in training; what play does not need is left out."""
    tensors = {}
    for name in layers(blocks):
        tensor = np.asarray(named[name], dtype=np.float32)
        if name == "entry.weight":
            tensor = tensor[:, : encoding.inputs]
        if name.startswith("heads"):
            tensor = tensor[: encoding.outputs + 1]
        tensors[name] = np.ascontiguousarray(tensor.T) if tensor.ndim == 2 else tensor
    return Policy(tensors, width, blocks, about)
