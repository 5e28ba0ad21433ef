"""Training the estimator, block by block.

The paper specifies neither optimizer nor loss, batch size or epochs. We use binary cross-entropy
over all 52 outputs, as fits its sigmoid outputs. Adam's rate falls linearly from 0.001 to 0, in
batches of 1,024. `Plan` has the other defaults.

Examples come in the same order on every device. The weights depend on the plan, the data and the
kind of device. They do not depend on the number of threads, the storage of the rows, or
interruptions of the run.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from undercut import __version__
from undercut.learn.checkpoint import load_checkpoint, save_checkpoint
from undercut.learn.decisions import BLOCK, Decisions
from undercut.learn.model import build, check_device, export
from undercut.learn.rows import Lot, Rows, ahead, choose_rows
from undercut.learn.step import make_step, one_thread
from undercut.players.belief import Network
from undercut.text.errors import OptionsError

CHECKPOINT, REPORT = 10.0, 1.0  # seconds between two checkpoints, and two calls of `progress`

Clock = Callable[[], float]
Progress = Callable[[int, float], None]  # receives the number of new examples, and their loss


@dataclass(frozen=True)
class Plan:
    """The training plan; with the data and the device, it determines the weights."""

    epochs: int = 10
    batch: int = 1024
    rate: float = 0.001
    seed: int = 0


@dataclass(frozen=True)
class Trained:
    network: Network
    losses: list[float]  # mean loss of each epoch
    examples: int  # in all epochs
    seconds: float  # of this call, with the preparation of the data
    examples_per_second: float  # in this call


class Running(TypedDict, total=False):
    """How a run is executed; of this, only the kind of device affects the weights."""

    device: str
    workers: int | None
    block: int  # decisions that are replayed together, about
    clock: Clock


def train(
    folders: Sequence[Path],
    out: Path,
    plan: Plan,
    *,
    command: str = "",
    held_out: Callable[[Network], dict[str, object]] | None = None,
    restart: bool = False,
    progress: Progress | None = None,
    **running: Unpack[Running],
) -> Trained:
    """Train on all decisions of some folders and write the weights to `out`.

    The run writes a checkpoint next to `out` every ten seconds and after each epoch, and continues
    from it. `held_out` scores the finished network for its metadata.
    """
    if plan.epochs < 1 or plan.batch < 1 or not 0 < plan.rate <= 1:
        raise OptionsError(f"cannot train with {plan}")
    device, workers = running.get("device", "cpu"), running.get("workers")
    clock = running.get("clock", time.monotonic)
    check_device(device)
    began = clock()
    data = Decisions(folders, workers)
    run = _Run(data, plan, device, checkpoint_path(out), workers, progress, clock)
    if restart:
        run.path.unlink(missing_ok=True)
    run.resume()
    done_before = run.done
    rows = choose_rows(data, device)
    with one_thread():
        while run.epoch < plan.epochs:
            run.train_epoch(rows, running.get("block", BLOCK))
    seconds = clock() - began
    tensors = {name: tensor.astype(np.float16) for name, tensor in export(run.model).items()}
    network = data.belief.network(tensors, {})
    facts: dict[str, object] = {
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
    data.belief.save_network(out, tensors, facts)
    run.path.unlink(missing_ok=True)
    examples = len(data) * plan.epochs
    speed = (examples - done_before) / max(seconds, 1e-9)
    return Trained(network, run.losses, examples, seconds, speed)


def checkpoint_path(out: Path) -> Path:
    return out.with_name(out.name + ".checkpoint")


class _Alarm:
    """Rings when some seconds have passed since it last rang."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._last = clock()

    def rings(self) -> bool:
        now = self._clock()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


class _Run:
    """A model, its optimizer, and the progress of their training."""

    def __init__(
        self,
        data: Decisions,
        plan: Plan,
        device: str,
        path: Path,
        workers: int | None,
        progress: Progress | None,
        clock: Clock,
    ) -> None:
        # cuBLAS gives the same sums in every run only with this.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        self.data, self.plan, self.path, self.progress = data, plan, path, progress
        self.identity = {"plan": asdict(plan), "data": data.describe()}
        self.model = build(data.belief, plan.seed, device)
        self.step = make_step(self.model, plan.batch, device, workers)
        self.epoch, self.block, self.seen = 0, 0, 0  # blocks and examples of this epoch
        self.losses: list[float] = []
        self.reported, self.loss_reported = 0, 0.0  # examples and loss of the last report
        self.checkpoint_due, self.progress_due = _Alarm(clock, CHECKPOINT), _Alarm(clock, REPORT)

    @property
    def done(self) -> int:
        return len(self.data) * self.epoch + self.seen

    def resume(self) -> None:
        """Continue from the checkpoint, if there is one."""
        if not self.path.exists():
            return
        facts = load_checkpoint(self.path, self.model, self.step.optimizer, self.identity)
        self.epoch, self.block = facts["epoch"], facts["block"]
        self.losses, self.seen = facts["losses"], facts["seen"]
        self.step.loss_sum.fill_(facts["loss_sum"])
        self.reported, self.loss_reported = self.seen, facts["loss_sum"]
        if self.progress is not None:
            self.progress(self.done, facts["loss_sum"] / max(1, self.seen))

    def _save(self) -> None:
        facts = {
            **self.identity,
            "epoch": self.epoch,
            "block": self.block,
            "losses": self.losses,
            "loss_sum": float(self.step.loss_sum),
            "seen": self.seen,
        }
        save_checkpoint(self.path, self.model, self.step.optimizer, facts)

    def _report(self) -> None:
        """Report the new examples, and their mean loss."""
        if self.progress is None:
            return
        loss_sum, count = float(self.step.loss_sum), self.seen - self.reported
        mean = (loss_sum - self.loss_reported) / count
        self.reported, self.loss_reported = self.seen, loss_sum
        self.progress(count, mean)

    def train_epoch(self, rows: Rows, block: int) -> None:
        """Train on every decision once, with matches in a new random order."""
        seed = [self.plan.seed, self.epoch]
        order = np.random.default_rng(seed).permutation(self.data.matches)
        blocks = self.data.blocks(order, block)
        done = self.block

        def lot(number: int) -> Lot:
            chance = np.random.default_rng([*seed, done + number])
            return rows.lot(blocks[done + number], chance)

        for each in ahead(lot, len(blocks) - done):
            self._train_lot(each)
            self.block += 1
            is_last = self.block == len(blocks)
            if self.checkpoint_due.rings() or is_last:
                self._save()
            if self.progress_due.rings() or is_last:
                self._report()
        self.losses.append(float(self.step.loss_sum) / self.seen)
        self.step.loss_sum.zero_()
        self.epoch, self.block, self.seen = self.epoch + 1, 0, 0
        self.reported, self.loss_reported = 0, 0.0

    def _train_lot(self, lot: Lot) -> None:
        plan, total = self.plan, len(self.data) * self.plan.epochs
        for start in range(0, len(lot), plan.batch):
            rate = plan.rate * (1 - (self.done + start) / total)
            self.step.take(lot, slice(start, start + plan.batch), rate)
        self.seen += len(lot)
