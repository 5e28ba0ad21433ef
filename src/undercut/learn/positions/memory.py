"""Positions side by side, and a memory of those of the last steps."""

import torch

from undercut.learn.selfplay.arena import Device, Kernels, Unpacked
from undercut.learn.selfplay.kernels import MASK_BITS
from undercut.players.encoding import Encoding

NOTED = ("words", "hidden", "limits", "masks", "answers")
"""The arrays of positions."""


class Positions:
    """Positions side by side: what is seen, what is hidden, and what the player answers."""

    def __init__(self, device: Device, encoding: Encoding, kernels: Kernels, rows: int) -> None:
        def words(count: int) -> torch.Tensor:
            return device.zeros(rows, count, kind=torch.int64)

        self.rows, self._outputs = rows, encoding.outputs
        self.words, self.hidden = words(len(encoding.planes)), words(len(encoding.hidden))
        self.limits, self.masks = words(encoding.limits), words(-(-encoding.outputs // MASK_BITS))
        self.answers = device.zeros(rows, encoding.outputs + 1, kind=torch.float32)
        self._seen = Unpacked(device, kernels.unpack, encoding.planes, rows)
        self._shifts = torch.arange(MASK_BITS, device=device.name)

    def unpack(self) -> None:
        """Compute `bits` from `words`."""
        self._seen.fill(self.words)

    @property
    def bits(self) -> torch.Tensor:
        """The inputs of a network."""
        return self._seen.bits

    def legal(self) -> torch.Tensor:
        """Which outputs were legal."""
        bits = self.masks.unsqueeze(2) >> self._shifts & 1
        return bits.flatten(1)[:, : self._outputs].bool()


class Memory:
    """The positions of the last steps, from which updates draw batches at random."""

    def __init__(self, device: Device, now: Positions, steps: int, batch: Positions) -> None:
        self._now, self._steps, self._batch = now, steps, batch
        self._kept = {
            name: device.zeros(steps, *part.shape, kind=part.dtype)
            for name, part in ((name, getattr(now, name)) for name in NOTED)
        }
        self._place = device.zeros(1, kind=torch.int64)
        self._drawn = device.zeros(batch.rows, kind=torch.int64)

    def keep(self) -> None:
        """Keep the positions of now in place of the oldest ones."""
        for name, kept in self._kept.items():
            kept.index_copy_(0, self._place, getattr(self._now, name).unsqueeze(0))
        self._place.add_(1).remainder_(self._steps)

    def restart(self) -> None:
        """Begin again with the first place: the next steps fill the whole memory."""
        self._place.zero_()

    def draw(self) -> Positions:
        """A batch of positions, drawn with replacement."""
        self._drawn.random_(self._steps * self._now.rows)
        for name, kept in self._kept.items():
            found = getattr(self._batch, name)
            torch.index_select(kept.flatten(0, 1), 0, self._drawn, out=found)
        self._batch.unpack()
        return self._batch
