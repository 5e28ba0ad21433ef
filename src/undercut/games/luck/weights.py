"""Files of networks that value states: safetensors, float32, with checksum and origin."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.core import files
from undercut.core.errors import UndercutError
from undercut.games.luck.network import UNIT, Layers

FORMAT = "undercut-luck/1"
NAMES = ("entry", "inner", "heads")


class LuckError(UndercutError):
    """A file of weights that is missing, damaged or made for something else."""


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


def load_judge(path: Path, planes: tuple[int, ...]) -> Judge:
    """Read a network; it must be whole, and made for these inputs."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            about = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise LuckError(f"cannot read the network {str(path)!r}: {error}") from None
    if about.get("format") != FORMAT:
        raise LuckError(f"{str(path)!r} is no network that values states ({FORMAT})")
    if about["sha256"] != _checksum(tensors):
        raise LuckError(f"the network {str(path)!r} is damaged: its checksum does not match")
    if tuple(json.loads(about["planes"])) != planes:
        raise LuckError(f"the network {str(path)!r} was made for another game, or another version")
    return Judge(tensors, json.loads(about["about"]))


def _checksum(tensors: Mapping[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in NAMES:
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()
