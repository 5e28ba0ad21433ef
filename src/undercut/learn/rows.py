"""The training rows of a network: computed for each block, or all in memory.

Both give the same rows in the same order: matches file by file within a block, then the rows of the
block shuffled on the host. So the weights do not depend on the choice.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from undercut.kernels.records import Array, Buffer
from undercut.lab.extras import need
from undercut.learn.decisions import Decisions

if TYPE_CHECKING:
    import torch

_HAND_BYTES = 8
_LOADED = 1 << 20  # decisions in a copy to the device, about
_SPARE = 4 << 30  # bytes of a GPU that rows leave free
_AHEAD = 3  # blocks that are prepared during the training on one

Made = TypeVar("Made")


@dataclass(frozen=True)
class Lot:
    """A block on its device: some rows of features and hands, in random order."""

    features: "torch.Tensor"  # a row of small integers for each decision
    hands: "torch.Tensor"
    order: "torch.Tensor"

    def __len__(self) -> int:
        return len(self.order)


class StreamedRows:
    """Rows are computed from the compact form whenever they are needed."""

    def __init__(self, data: Decisions, device: str) -> None:
        self._data, self._device = data, device

    def lot(self, matches: Buffer, chance: np.random.Generator) -> Lot:
        """The decisions of some matches, in a random order; thread-safe."""
        features, hands = self._data.examples(matches)
        order = chance.permutation(len(hands))
        return Lot(*(_moved(array, self._device) for array in (features, hands, order)))


class ResidentRows:
    """All rows are computed once and stay on the device."""

    def __init__(self, data: Decisions, device: str) -> None:
        torch = need("torch", "train")
        self._data, self._device = data, device
        self._features = torch.empty(
            (len(data), data.belief.features), dtype=torch.int8, device=device
        )
        self._hands = torch.empty(len(data), dtype=torch.int64, device=device)
        parts = data.blocks(np.arange(data.matches), _LOADED)
        done = 0
        for features, hands in ahead(lambda number: data.examples(parts[number]), len(parts)):
            place = slice(done, done + len(hands))
            self._features[place].copy_(torch.from_numpy(features))
            self._hands[place].copy_(torch.from_numpy(hands))
            done = place.stop

    def lot(self, matches: Buffer, chance: np.random.Generator) -> Lot:
        places = self._data.places(matches)
        order = places[chance.permutation(len(places))]
        return Lot(self._features, self._hands, _moved(order, self._device))


Rows: TypeAlias = StreamedRows | ResidentRows


def choose_rows(data: Decisions, device: str) -> Rows:
    """All rows stay on a GPU that has room for them; on a CPU they are computed when needed."""
    if device == "cuda" and _has_room(len(data) * (data.belief.features + _HAND_BYTES)):
        return ResidentRows(data, device)
    return StreamedRows(data, device)


def _has_room(size: int) -> bool:
    cuda = need("torch", "train").cuda
    cuda.empty_cache()  # memory of an earlier run counts as free
    free, _ = cuda.mem_get_info()
    return bool(size + _SPARE <= free)


def _moved(array: Array, device: str) -> "torch.Tensor":
    """An array on its device; a GPU continues to work during the transfer."""
    tensor: torch.Tensor = need("torch", "train").from_numpy(array)
    if device == "cuda":
        tensor = tensor.pin_memory().to(device, non_blocking=True)
    return tensor


def ahead(make: Callable[[int], Made], count: int) -> Iterator[Made]:
    """make(0), make(1), ..., computed ahead of time in other threads."""
    with ThreadPoolExecutor(_AHEAD) as pool:
        coming = deque(pool.submit(make, number) for number in range(min(_AHEAD, count)))
        for number in range(count):
            ready = coming.popleft().result()
            if number + _AHEAD < count:
                coming.append(pool.submit(make, number + _AHEAD))
            yield ready
