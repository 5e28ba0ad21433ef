"""The weights of networks that value states, and their files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.players import network_files
from undercut.players.luck.network import UNIT, Layers
from undercut.players.network_files import Format, Metadata, Shape, Shipped, Tensors, read_about

NAMES = ("entry", "inner", "heads")
FORMAT = Format("undercut-luck/1", "is no network that values states", "F32", NAMES)


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
    about = {"about": json.dumps(judge.about)}
    return network_files.save_network(path, FORMAT, judge.tensors, _made_for(planes), about)


def load_judge(source: Path | Shipped, planes: tuple[int, ...]) -> Judge:
    """Read a network; it must be whole, and made for these inputs."""

    def shapes(tensors: Tensors, metadata: Metadata) -> dict[str, Shape]:
        """Each layer reads what the one before it says, and has a bias."""
        inputs, found = sum(planes), dict[str, Shape]()
        for name in NAMES:
            outputs = tensors[name].shape[-1] if name in tensors and tensors[name].ndim else 0
            found[name] = (inputs + 1, outputs)
            inputs = outputs
        return found

    tensors, metadata = network_files.load_network(source, FORMAT, [_made_for(planes)], shapes)
    return Judge(tensors, read_about(source, metadata))


def _made_for(planes: tuple[int, ...]) -> dict[str, str]:
    return {"planes": json.dumps(planes)}
