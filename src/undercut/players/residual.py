"""The layers that all our residual networks share: their names, their shapes, their size."""

from collections.abc import Mapping

import numpy as np

from undercut.kernels.records import Array
from undercut.players.network_files import Shape


def layers(blocks: int) -> list[str]:
    """The names of the tensors, in the order a kernel reads them."""
    names = ["entry.bias", "entry.weight"]
    for block in range(blocks):
        start = f"blocks.{block}"
        names += [f"{start}.norm.weight", f"{start}.norm.bias"]
        for layer in ("first", "second"):
            names += [f"{start}.{layer}.bias", f"{start}.{layer}.weight"]
    return [*names, "norm.weight", "norm.bias", "heads.bias", "heads.weight"]


def shapes(inputs: int, width: int, blocks: int, outputs: int) -> dict[str, Shape]:
    """The shape of each layer."""
    found: dict[str, Shape] = {}
    for name in layers(blocks):
        rows = inputs if name == "entry.weight" else width
        columns = outputs if name.startswith("heads") else width
        is_matrix = name.endswith("weight") and "norm" not in name
        found[name] = (rows, columns) if is_matrix else (columns,)
    return found


def size(tensors: Mapping[str, Array]) -> tuple[int, int]:
    """The width of a network and its number of blocks."""
    width = tensors["norm.bias"].size if "norm.bias" in tensors else 0
    blocks = (len(tensors) - len(layers(0))) // (len(layers(1)) - len(layers(0)))
    return max(width, 1), max(blocks, 0)


def append_inputs(weights: Array, inputs: int) -> Array:
    """The rows of a first layer, with rows of 0 for inputs that were appended."""
    return np.pad(weights, ((0, inputs - len(weights)), (0, 0)))
