"""One step of Adam, as plain torch calls or, on a GPU, as a CUDA graph.

On a CPU a batch is cut into pieces of a fixed size. One thread computes the gradients of a piece.
They are added in the order of the pieces, so the weights do not depend on the number of threads.
(torch's own threads divide the sums, so their rounding depends on the number of threads.)

A step of this small network is about forty kernels of a few microseconds each: launching them
takes longer than running them. A graph launches them all together, but its inputs have fixed
addresses.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from undercut.lab.extras import need
from undercut.learn.rows import Lot

if TYPE_CHECKING:
    import torch

PIECE = 256  # rows of a batch that one thread works on
_WARM_UP = 3  # steps before a graph is captured, as in torch's manual


def make_step(
    model: "torch.nn.Module", batch: int, device: str, workers: int | None = None
) -> "PlainStep | StaticStep":
    """A graph on a GPU, plain calls elsewhere."""
    return StaticStep(model, batch, device) if device == "cuda" else PlainStep(model, workers)


@contextmanager
def one_thread() -> Iterator[None]:
    """In this context torch uses one thread for each of its sums."""
    torch = need("torch", "train")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _held(hands: "torch.Tensor", count: int) -> "torch.Tensor":
    """For each hand a number for each card, 1 where it holds the card."""
    cards = need("torch", "train").arange(count, device=hands.device)
    held: torch.Tensor = ((hands[:, None] >> cards) & 1).float()  # (rows, cards)
    return held


class PlainStep:
    """A plain torch step, except for the pieces; use it within `one_thread`."""

    optimizer: "torch.optim.Optimizer"
    loss_sum: "torch.Tensor"  # of this epoch; on a GPU, reading it waits for all steps

    def __init__(self, model: "torch.nn.Module", workers: int | None = None) -> None:
        self._torch = torch = need("torch", "train")
        self._loss = torch.nn.functional.binary_cross_entropy_with_logits
        # `one_thread` does not affect the first matrix products of a new thread, and the load of the
        # machine decides when the pool adds a thread.
        self._pool = ThreadPoolExecutor(
            workers or os.cpu_count(), initializer=torch.set_num_threads, initargs=(1,)
        )
        self._parameters = list(model.parameters())
        self._model, self._cards = model, len(self._parameters[-1])
        self.optimizer = torch.optim.Adam(self._parameters)
        self.loss_sum = torch.zeros((), dtype=torch.float64)

    def take(self, lot: Lot, rows: slice, rate: float) -> None:
        """Learn from a batch: some places of a lot's order."""
        chosen = lot.order[rows]
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        parts = chosen.split(PIECE)  # type: ignore[no-untyped-call]
        pieces = self._pool.map(lambda piece: self._learn(lot, piece), parts)
        total, gradients = next(pieces)
        for loss, more in pieces:
            total += loss
            for gradient, each in zip(gradients, more, strict=True):
                gradient += each
        for parameter, gradient in zip(self._parameters, gradients, strict=True):
            parameter.grad = gradient.div_(len(chosen) * self._cards)
        self.optimizer.step()
        self.loss_sum += total / self._cards

    def _learn(self, lot: Lot, chosen: "torch.Tensor") -> "tuple[torch.Tensor, list[torch.Tensor]]":
        """The loss of some rows, summed up, and its gradients."""
        logits = self._model(lot.features[chosen].float())
        total = self._loss(logits, _held(lot.hands[chosen], self._cards), reduction="sum")
        return total.detach(), list(self._torch.autograd.grad(total, self._parameters))


class StaticStep:
    """A step on inputs with fixed addresses, which a GPU can repeat as a graph.

    A batch that is not full leaves old rows after its own; they have weight 0.
    """

    optimizer: "torch.optim.Optimizer"
    loss_sum: "torch.Tensor"

    def __init__(self, model: "torch.nn.Module", batch: int, device: str) -> None:
        self._torch = torch = need("torch", "train")
        first, *_, last = model.parameters()
        self._model, self._cards = model, len(last)
        self._features = torch.zeros((batch, first.shape[1]), dtype=torch.int8, device=device)
        self._hands = torch.zeros(batch, dtype=torch.int64, device=device)
        self._places = torch.arange(batch, device=device)
        self._rows = torch.full((), batch, device=device)  # the number of the batch's own rows
        self.loss_sum = torch.zeros((), dtype=torch.float64, device=device)
        is_cuda = device == "cuda"
        self.optimizer = torch.optim.Adam(
            model.parameters(), lr=torch.zeros((), device=device), fused=True, capturable=is_cuda
        )
        self._rate = self.optimizer.param_groups[0]["lr"]
        self._repeat = self._captured() if is_cuda else self._learn

    def take(self, lot: Lot, rows: slice, rate: float) -> None:
        chosen = lot.order[rows]
        own = slice(len(chosen))
        pick, word = self._torch.index_select, self._torch.int64  # eight features at once
        pick(lot.features.view(word), 0, chosen, out=self._features.view(word)[own])
        pick(lot.hands, 0, chosen, out=self._hands[own])
        self._rows.fill_(len(chosen))
        self._rate.fill_(rate)
        self._repeat()

    def _learn(self) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        weights = (self._places < self._rows).float()[:, None]
        total = self._torch.nn.functional.binary_cross_entropy_with_logits(
            self._model(self._features.float()),
            _held(self._hands, self._cards),
            weight=weights,
            reduction="sum",
        )
        (total / (self._rows * self._cards)).backward()
        self.optimizer.step()
        self.loss_sum += total.detach() / self._cards

    def _captured(self) -> Callable[[], None]:
        """The graph of `_learn`; capturing it does not change the model."""
        cuda = self._torch.cuda
        self._torch.set_float32_matmul_precision("high")  # TF32
        side = cuda.Stream()
        side.wait_stream(cuda.current_stream())
        with cuda.stream(side):
            self._warm_up()
        cuda.current_stream().wait_stream(side)
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            self._learn()
        replay: Callable[[], None] = graph.replay
        return replay

    def _warm_up(self) -> None:
        """Some steps at rate 0: the weights stay; the moments are created, and reset to 0."""
        self._rate.zero_()
        for _ in range(_WARM_UP):
            self._learn()
        self.optimizer.zero_grad(set_to_none=True)  # the graph allocates its own gradients
        for state in self.optimizer.state.values():
            for moment in state.values():
                moment.zero_()
        self.loss_sum.zero_()
