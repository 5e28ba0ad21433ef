"""Files of networks that value states: safetensors, float32, with checksum and origin."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.players.luck.network import UNIT, Layers
from undercut.players.network_files import NetworkError, Shipped, path_of, read_about, read_network
from undercut.text import files

FORMAT = "undercut-luck/1"
NAMES = ("entry", "inner", "heads")


@dataclass(frozen=True)
class Judge:
    """A network that values states: its layers, the bias the last row of each, and its origin."""

    tensors: Mapping[str, Any]  # by NAMES
    about: Mapping[str, Any]

    @property
    def layers(self) -> Layers:
        """As kernels read them."""
        whole = np.rint(self.tensors["entry"].astype(np.float64) * UNIT).astype(np.int32)
        return Layers(whole, self.tensors["inner"], self.tensors["heads"])


def save_judge(path: Path, judge: Judge, planes: tuple[int, ...]) -> str:
    """Write a network; returns its checksum."""
    from safetensors.numpy import save

    digest = _checksum(judge.tensors)
    about = {
        "format": FORMAT,
        "planes": json.dumps(planes),
        "sha256": digest,
        "about": json.dumps(judge.about),
    }
    files.write_bytes(path, save({**judge.tensors}, metadata=about))
    return digest


def load_judge(source: Path | Shipped, planes: tuple[int, ...]) -> Judge:
    """Read a network; it must be whole, and made for these inputs."""
    tensors, metadata = read_network(source, "F32")
    path = path_of(source)
    if metadata.get("format") != FORMAT:
        raise NetworkError(f"{str(path)!r} is no network that values states ({FORMAT})")
    if tensors.keys() != {*NAMES} or metadata.get("sha256") != _checksum(tensors):
        raise NetworkError(f"the network {str(path)!r} is damaged: its checksum does not match")
    if metadata.get("planes") != json.dumps(planes):
        raise NetworkError(
            f"the network {str(path)!r} was made for another game, or another version"
        )
    return Judge(tensors, read_about(path, metadata))


def _checksum(tensors: Mapping[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in NAMES:
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()
