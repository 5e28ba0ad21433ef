"""Files of weights of networks that play: safetensors, float16, with checksum and origin."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.players.encoding import Encoding
from undercut.players.network_files import NetworkError, Shipped, path_of, read_about, read_network
from undercut.text import files

FORMAT = "undercut-policy/1"


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


def shapes(encoding: Encoding, width: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """The shape of each layer; the kernel trusts them."""
    found: dict[str, tuple[int, ...]] = {}
    for name in layers(blocks):
        inputs = encoding.inputs if name == "entry.weight" else width
        outputs = encoding.outputs + 1 if name.startswith("heads") else width
        is_matrix = name.endswith("weight") and "norm" not in name
        found[name] = (inputs, outputs) if is_matrix else (outputs,)
    return found


def save_policy(path: Path, policy: Policy, encoding: Encoding) -> str:
    """Write weights as float16; returns their checksum."""
    from safetensors.numpy import save

    tensors = {
        name: np.asarray(policy.tensors[name], dtype=np.float16) for name in layers(policy.blocks)
    }
    digest = checksum(tensors)
    about = {
        "format": FORMAT,
        "planes": json.dumps(encoding.planes),
        "outputs": str(encoding.outputs),
        "width": str(policy.width),
        "blocks": str(policy.blocks),
        "sha256": digest,
        "about": json.dumps(policy.about),
    }
    files.write_bytes(path, save(tensors, metadata=about))
    return digest


def load_policy(source: Path | Shipped, encoding: Encoding) -> Policy:
    """Read weights; they must be whole, and made for this encoding."""
    tensors, metadata = read_network(source, "F16")
    path = path_of(source)
    if metadata.get("format") != FORMAT:
        raise NetworkError(f"{str(path)!r} is no network that plays ({FORMAT})")
    if metadata.get("sha256") != checksum(tensors):
        raise NetworkError(f"the network {str(path)!r} is damaged: its checksum does not match")
    planes, outputs = metadata.get("planes"), metadata.get("outputs")
    if (planes, outputs) != (json.dumps(encoding.planes), str(encoding.outputs)):
        raise NetworkError(
            f"the network {str(path)!r} was made for another game, or another version"
        )
    width = tensors["norm.bias"].size if "norm.bias" in tensors else 0
    blocks = (len(tensors) - len(layers(0))) // (len(layers(1)) - len(layers(0)))
    found = {name: tensor.shape for name, tensor in tensors.items()}
    if width == 0 or found != shapes(encoding, width, blocks):
        raise NetworkError(f"the network {str(path)!r} has layers that do not fit each other")
    full = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    return Policy(full, width, blocks, read_about(path, metadata))


def checksum(tensors: Mapping[str, Any]) -> str:
    """The SHA-256 of the tensors, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


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
