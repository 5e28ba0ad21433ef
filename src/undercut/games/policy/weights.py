"""Files of weights of networks that play: safetensors, float16, with checksum and origin."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.core import files
from undercut.core.errors import UndercutError
from undercut.games.encoding import Encoding

FORMAT = "undercut-policy/1"


class PolicyError(UndercutError):
    """A file of weights that is missing, damaged or made for something else."""


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


def load_policy(path: Path, encoding: Encoding) -> Policy:
    """Read weights; they must be whole, and made for this encoding."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            about = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise PolicyError(f"cannot read the network {str(path)!r}: {error}") from None
    if about.get("format") != FORMAT:
        raise PolicyError(f"{str(path)!r} is no network that plays ({FORMAT})")
    if about["sha256"] != checksum(tensors):
        raise PolicyError(f"the network {str(path)!r} is damaged: its checksum does not match")
    if (
        tuple(json.loads(about["planes"])) != encoding.planes
        or int(about["outputs"]) != encoding.outputs
    ):
        raise PolicyError(
            f"the network {str(path)!r} was made for another game, or another version"
        )
    full = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    return Policy(full, int(about["width"]), int(about["blocks"]), json.loads(about["about"]))


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
