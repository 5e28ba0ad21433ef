"""The part of the hidden hands that is given in training, as inputs and targets of a network."""

import torch

from undercut.learn.belief.kernels import mask_rows
from undercut.learn.positions.memory import Positions
from undercut.learn.selfplay.arena import Device, Kernels, Unpacked
from undercut.play.vector.rows import RowKernel
from undercut.players.encoding import Encoding


class Masking:
    """For each row the given cards, and for each hand and pool the missing and the possible ones."""

    def __init__(
        self, device: Device, encoding: Encoding, kernels: Kernels, name: str, rows: int
    ) -> None:
        self._device, self._rows = device, rows
        self._mask = RowKernel(mask_rows, name, device.name, pools=encoding.pools)
        hands, cards = len(encoding.hidden), encoding.hidden[0]
        slots = hands * encoding.pools
        self.words = [device.zeros(rows, each, kind=torch.int64) for each in (hands, slots, slots)]
        self._randoms = device.zeros(rows, 1 + cards, kind=torch.float32)
        self._unpacked = [
            Unpacked(device, kernels.unpack, planes, rows)
            for planes in (encoding.hidden, (cards,) * slots, (cards,) * slots)
        ]

    def fill(self, positions: Positions, share: float | None = None) -> None:
        """Give a part of the hidden hands, by default a random one."""
        self._randoms.uniform_()
        if share is not None:
            self._randoms[:, 0] = share
        device, found = self._device, (positions.hidden, positions.limits, self._randoms)
        arrays = map(device.array, (*found, *self.words))
        self._mask(self._rows, *arrays, stream=device.stream)
        for each, words in zip(self._unpacked, self.words, strict=True):
            each.fill(words)

    @property
    def given(self) -> torch.Tensor:
        """The known and the given cards of each hand."""
        return self._unpacked[0].bits

    @property
    def rest(self) -> torch.Tensor:
        """The cards that are still missing."""
        return self._unpacked[1].bits

    @property
    def possible(self) -> torch.Tensor:
        """The cards that could be among them."""
        return self._unpacked[2].bits
