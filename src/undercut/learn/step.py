"""One step of Adam, as plain torch calls or, on a GPU, as a CUDA graph.

A step of this small network is some forty kernels of a few microseconds each: to launch them one by
one takes longer than to run them. A graph launches them all at once, but always reads its inputs
from the same place.
"""

from collections.abc import Callable
from typing import Any, Protocol

from undercut.games.gin.belief.features import FEATURES
from undercut.games.gin.belief.network import CARDS
from undercut.learn.extras import need
from undercut.learn.rows import Lot

_WARM_UP = 3  # steps before a graph is captured, as torch's manual has it


class Step(Protocol):
    """Adam for one model, and the loss of all rows since an epoch began."""

    optimizer: Any
    loss_sum: Any  # a tensor on the device: to read it waits for all steps

    def take(self, lot: Lot, rows: slice, rate: float) -> None:
        """Learn from a batch: some places of a lot's order."""
        ...


def make_step(model: Any, batch: int, device: str) -> Step:
    """A graph on a GPU, plain calls elsewhere."""
    return StaticStep(model, batch, device) if device == "cuda" else PlainStep(model)


def _held(hands: Any) -> Any:
    """For each hand 52 numbers, 1 where it holds the card."""
    cards = need("torch", "train").arange(CARDS, device=hands.device)
    return ((hands[:, None] >> cards) & 1).float()  # (rows, 52)


class PlainStep:
    """A step as torch is usually written."""

    def __init__(self, model: Any) -> None:
        torch = need("torch", "train")
        self._model = model
        self._loss = torch.nn.functional.binary_cross_entropy_with_logits
        self.optimizer = torch.optim.Adam(model.parameters())
        self.loss_sum = torch.zeros((), dtype=torch.float64)

    def take(self, lot: Lot, rows: slice, rate: float) -> None:
        """Learn from a batch: some places of a lot's order."""
        chosen = lot.order[rows]
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._loss(self._model(lot.features[chosen].float()), _held(lot.hands[chosen]))
        loss.backward()
        self.optimizer.step()
        self.loss_sum += loss.detach() * len(chosen)


class StaticStep:
    """A step on inputs that always lie in the same place, so that a GPU can repeat it as a graph.

    A batch that is not full leaves old rows behind its own; those weigh nothing.
    """

    def __init__(self, model: Any, batch: int, device: str) -> None:
        self._torch = torch = need("torch", "train")
        self._model = model
        self._features = torch.zeros((batch, FEATURES), dtype=torch.int8, device=device)
        self._hands = torch.zeros(batch, dtype=torch.int64, device=device)
        self._places = torch.arange(batch, device=device)
        self._rows = torch.full((), batch, device=device)  # how many of them are the batch's own
        self.loss_sum = torch.zeros((), dtype=torch.float64, device=device)
        is_cuda = device == "cuda"
        self.optimizer = torch.optim.Adam(
            model.parameters(),
            lr=torch.zeros((), device=device),
            fused=True,
            capturable=is_cuda,
        )
        self._rate = self.optimizer.param_groups[0]["lr"]
        self._repeat = self._captured() if is_cuda else self._learn

    def take(self, lot: Lot, rows: slice, rate: float) -> None:
        """Learn from a batch: some places of a lot's order."""
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
            _held(self._hands),
            weight=weights,
            reduction="sum",
        )
        (total / (self._rows * CARDS)).backward()
        self.optimizer.step()
        self.loss_sum += total.detach() / CARDS

    def _captured(self) -> Callable[[], None]:
        """The graph of `_learn`, which leaves the model as it was."""
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
        return graph.replay

    def _warm_up(self) -> None:
        """Some steps at rate 0: the weights stay; the moments exist then, and are put back to 0."""
        self._rate.zero_()
        for _ in range(_WARM_UP):
            self._learn()
        self.optimizer.zero_grad(set_to_none=True)  # the graph gets gradients of its own
        for state in self.optimizer.state.values():
            for moment in state.values():
                moment.zero_()
        self.loss_sum.zero_()
