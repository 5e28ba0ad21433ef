"""Training the estimator: features are recomputed from the compact form, block by block.

The paper names neither optimizer nor loss, batch size or epochs. Chosen here: binary cross-entropy
over all 52 outputs, as its sigmoid outputs ask for; Adam, whose rate falls in a straight line from
0.001 to nothing; batches of 1,024; the other defaults are those of `Plan`.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut import __version__
from undercut.belief.network import Network, save_network
from undercut.core.errors import OptionsError
from undercut.training.checkpoint import load_checkpoint, save_checkpoint
from undercut.training.decisions import BLOCK, Decisions
from undercut.training.extras import need
from undercut.training.model import build, check_device, export

Progress = Callable[[int, float], None]  # is told how many more examples, and their loss


@dataclass(frozen=True)
class Plan:
    """How to train; with the data and the device, it determines the weights."""

    epochs: int = 10
    batch: int = 1024
    rate: float = 0.001
    seed: int = 0


@dataclass(frozen=True)
class Trained:
    """A finished run."""

    network: Network
    losses: list[float]  # mean loss of each epoch
    examples: int  # in all epochs


def train(
    folders: Sequence[Path],
    out: Path,
    plan: Plan,
    *,
    device: str = "cpu",
    workers: int | None = None,
    command: str = "",
    held_out: Callable[[Network], dict[str, Any]] | None = None,
    restart: bool = False,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Trained:
    """Train on all decisions of some folders and write the weights to `out`.

    A checkpoint beside `out` is written after every block, and taken up again. `held_out` scores
    the finished network for its metadata.
    """
    if plan.epochs < 1 or plan.batch < 1 or not 0 < plan.rate <= 1:
        raise OptionsError(f"cannot train with {plan}")
    check_device(device)
    if workers is not None:
        need("torch", "train").set_num_threads(workers)
    data = Decisions(folders)
    run = _Run(data, plan, device, checkpoint_path(out))
    if restart:
        run.path.unlink(missing_ok=True)
    run.resume(progress)
    for epoch in range(run.epoch, plan.epochs):
        run.train_epoch(epoch, block, progress)
    tensors = {name: tensor.astype(np.float16) for name, tensor in export(run.model).items()}
    network = Network(tensors, {})
    facts: dict[str, Any] = {
        "command": command,
        "undercut": __version__,
        "game": data.game.name,
        **asdict(plan),
        "device": device,
        "data": data.describe(),
        "losses": run.losses,
    }
    if held_out is not None:
        facts["held_out"] = held_out(network)
    save_network(out, tensors, facts)
    run.path.unlink(missing_ok=True)
    return Trained(network, run.losses, len(data) * plan.epochs)


def checkpoint_path(out: Path) -> Path:
    """Where the run that writes `out` keeps its state."""
    return out.with_name(out.name + ".checkpoint")


class _Run:
    """A model, its optimizer, and how far they have come."""

    def __init__(self, data: Decisions, plan: Plan, device: str, path: Path) -> None:
        # cuBLAS gives the same sums in every run only with this.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        self.torch = need("torch", "train")
        self.data, self.plan, self.device, self.path = data, plan, device, path
        self.model = build(plan.seed, device)
        self.optimizer = self.torch.optim.Adam(self.model.parameters(), lr=plan.rate)
        self.epoch, self.block = 0, 0
        self.losses: list[float] = []
        self.loss_sum, self.seen = 0.0, 0  # in this epoch
        self.cards = self.torch.arange(52, device=device)

    @property
    def _identity(self) -> dict[str, Any]:
        return {"plan": asdict(self.plan), "data": self.data.describe()}

    def resume(self, progress: Progress | None) -> None:
        """Go on from the checkpoint, if there is one."""
        if not self.path.exists():
            return
        facts = load_checkpoint(self.path, self.model, self.optimizer, self._identity)
        self.epoch, self.block = facts["epoch"], facts["block"]
        self.losses, self.loss_sum, self.seen = facts["losses"], facts["loss_sum"], facts["seen"]
        if progress is not None:
            progress(len(self.data) * self.epoch + self.seen, self.loss_sum / max(1, self.seen))

    def _save(self) -> None:
        state = {
            "epoch": self.epoch,
            "block": self.block,
            "losses": self.losses,
            "loss_sum": self.loss_sum,
            "seen": self.seen,
        }
        save_checkpoint(self.path, self.model, self.optimizer, {**self._identity, **state})

    def train_epoch(self, epoch: int, block: int, progress: Progress | None) -> None:
        """Every decision once, matches in an order of this epoch's own."""
        order = np.random.default_rng([self.plan.seed, epoch]).permutation(self.data.matches)
        blocks = self.data.blocks(order, block)[self.block :]
        for features, hands in self._prefetched(blocks):
            before, seen = self.loss_sum, self.seen
            self._train_block(features, hands)
            self.block += 1
            self._save()
            if progress is not None:
                done = self.seen - seen
                progress(done, (self.loss_sum - before) / done)
        self.losses.append(self.loss_sum / self.seen)
        self.epoch, self.block, self.loss_sum, self.seen = epoch + 1, 0, 0.0, 0

    def _prefetched(self, blocks: list[Any]) -> Iterator[tuple[Any, Any]]:
        """The examples of each block; the next is played again while one is trained on."""
        with ThreadPoolExecutor(1) as pool:
            coming = [pool.submit(self.data.examples, rows) for rows in blocks[:1]]
            for number in range(len(blocks)):
                ready = coming.pop().result()
                if number + 1 < len(blocks):
                    coming.append(pool.submit(self.data.examples, blocks[number + 1]))
                yield ready

    def _train_block(self, features: Any, hands: Any) -> None:
        torch, plan = self.torch, self.plan
        chance = np.random.default_rng([plan.seed, self.epoch, self.block])
        order = torch.from_numpy(chance.permutation(len(hands))).to(self.device)
        inputs = torch.from_numpy(features).to(self.device)[order]
        masks = torch.from_numpy(hands).to(self.device)[order]
        total = len(self.data) * plan.epochs
        losses = []
        for start in range(0, len(hands), plan.batch):
            done = len(self.data) * self.epoch + self.seen + start
            for group in self.optimizer.param_groups:
                group["lr"] = plan.rate * (1 - done / total)
            rows = slice(start, start + plan.batch)
            losses.append(self._step(inputs[rows].float(), masks[rows]))
        self.loss_sum += float(torch.stack(losses).sum())
        self.seen += len(hands)

    def _step(self, inputs: Any, masks: Any) -> Any:
        """One step of Adam; returns the loss times the number of rows."""
        held = ((masks[:, None] >> self.cards) & 1).float()  # (rows, 52)
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.torch.nn.functional.binary_cross_entropy_with_logits(self.model(inputs), held)
        loss.backward()
        self.optimizer.step()
        return loss.detach() * len(masks)
