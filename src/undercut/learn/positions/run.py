"""A run that learns from the positions of many matches: play, learn, measure.

A run consists of pieces. Each begins with new matches and random numbers from the seed and the
number of the piece. So a run that continues after a piece equals one without interruption, as far
as the device is deterministic. Every position is learned from once, or, with a memory, several times
on average.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import ClassVar, TypeAlias, TypedDict

import torch
from torch import nn

from undercut.games.families import parse_game
from undercut.kernels.records import Array
from undercut.learn.positions.config import Config
from undercut.learn.positions.memory import Positions
from undercut.learn.positions.tables import Tables
from undercut.learn.selfplay.adam import primed_adam
from undercut.learn.selfplay.arena import Device
from undercut.learn.selfplay.learner import Graph
from undercut.learn.settings import other_rule_sets

Scores: TypeAlias = dict[str, float]


class Point(TypedDict):
    """The measurement after a piece."""

    positions: int
    seconds: float
    opponents: dict[str, Scores]  # by the rule set and the kind of opponent


MEASURE_SEED = 1_000_003
IMPOSSIBLE = -1e9  # logit of a card or an action that cannot be


class PositionRun(ABC):
    """A run in progress. Subclasses say which network learns, what it learns, and how well."""

    FILE: ClassVar[str]  # the file of the averaged network

    def __init__(self, config: Config, device_name: str) -> None:
        self.config, self.device = config, Device(device_name, config.precision)
        self.game = parse_game(config.game)
        torch.manual_seed(config.seed)
        self.tables = Tables(
            config, [self.game, *other_rule_sets(self.game, config.also)], self.device
        )
        self._begin_network()
        self.memory = self.tables.memory(config.kept, config.batch) if config.kept else None
        self.pieces, self.updates, self.positions, self.seconds = 0, 0, 0, 0.0
        self.curve: list[Point] = []
        self._play_step()  # compiles, before the time counts; a piece begins with new matches
        self._play = Graph(self._play_step, self.device)
        self._learn = Graph(self._learn_step, self.device)

    def _begin_network(self) -> None:
        """The network, its master copy in full precision, its average, and the optimiser."""
        config, device = self.config, self.device
        torch.manual_seed(config.seed)
        network = self.new_network().to(device.name)
        self.names = [name for name, _ in network.named_parameters()]
        self.master = [torch.nn.Parameter(each.detach().clone()) for each in network.parameters()]
        self.average = [each.detach().clone() for each in self.master]
        self.network = network.to(device.number_type)
        self.weights = list(self.network.parameters())
        self.shown = deepcopy(self.network)
        self.rate = torch.tensor(config.rate, device=device.name)
        for each in self.weights:
            each.grad = torch.zeros_like(each)
        self.optimiser = primed_adam(self.master, self.rate if device.on_gpu else config.rate)

    def _play_step(self) -> None:
        self.tables.look()
        self.tables.play()
        if self.memory:
            self.memory.keep()

    def _learn_step(self) -> None:
        """The positions of every row, and the updates that learn from them."""
        self._play_step()
        for _ in range(self.config.updates):
            self._update(self.memory.draw() if self.memory else self.tables.now)

    def _update(self, positions: Positions) -> None:
        for each in self.weights:
            if each.grad is not None:
                each.grad.zero_()
        self.loss(positions).backward()  # type: ignore[no-untyped-call]
        with torch.no_grad():
            torch._foreach_copy_(_gradients(self.master), _gradients(self.weights))
            torch.nn.utils.clip_grad_norm_(self.master, self.config.most_gradient, foreach=True)
            self.optimiser.step()
            torch._foreach_copy_([*self.weights], [*self.master])
            torch._foreach_lerp_(self.average, [*self.master], 1 - self.config.averaging)

    @abstractmethod
    def new_network(self) -> nn.Module:
        """The network that learns, with random weights."""

    @abstractmethod
    def loss(self, positions: Positions) -> torch.Tensor:
        """The mean loss in some positions."""

    @abstractmethod
    def measure(self, positions: Positions) -> tuple[torch.Tensor, torch.Tensor]:
        """The figures of `shown` for each row, and which rows count."""

    @abstractmethod
    def scores(self, count: float, means: Sequence[float]) -> Scores:
        """The scores of an opponent, from the means of all figures."""

    @abstractmethod
    def save(self, path: Path, tensors: Mapping[str, Array], about: Mapping[str, object]) -> None:
        """Write the averaged network."""

    def play_piece(
        self, progress: Callable[[int, float], None], stops: Callable[[], bool] = lambda: False
    ) -> None:
        """Play and learn for the steps of a piece; `stops` ends it early."""
        began, config = time.perf_counter(), self.config
        last = began
        torch.manual_seed(Random(f"{config.seed} {self.pieces}").getrandbits(62))
        self.tables.restart(self.pieces + 1)
        if self.memory:
            self.memory.restart()
        for _ in range(config.mixing):
            self._play()
        for number in range(config.piece):
            self._set_rate()
            self._learn()
            self.updates += config.updates
            self.positions += self.tables.rows
            if number % 16 == 15 or number + 1 == config.piece:
                self.device.wait()
                now = time.perf_counter()
                progress(self.tables.rows * (number % 16 + 1), now - last)
                last = now
                if stops():
                    break
        self.pieces += 1
        self.seconds += time.perf_counter() - began

    def _set_rate(self) -> None:
        config, done = self.config, min(1.0, self.positions / self.config.planned)
        rate = config.last_rate * (config.rate / config.last_rate) ** (1 - done)
        rate *= min(1.0, (self.updates + 1) / config.warm_up)
        self.rate.fill_(rate)
        if not self.device.on_gpu:
            self.optimiser.param_groups[0]["lr"] = rate

    @torch.no_grad()
    def look_back(self) -> Point:
        """Measure the averaged network on the same fresh matches after every piece."""
        tables = self.tables
        for mine, theirs in zip(self.shown.parameters(), self.average, strict=True):
            mine.copy_(theirs)
        torch.manual_seed(MEASURE_SEED)
        tables.restart(0)
        for _ in range(self.config.mixing):
            self._play()
        sums = {each.name: _Sums() for each in tables.sittings}
        for _ in range(self.config.measured):
            self._play_step()
            figures, counted = self.measure(tables.now)
            for each in tables.sittings:
                sums[each.name].add(figures[:, each.part], counted[each.part])
        found = {name: self.scores(*each.means()) for name, each in sums.items()}
        point: Point = {"positions": self.positions, "seconds": self.seconds, "opponents": found}
        self.curve.append(point)
        return point


class _Sums:
    """The sums of figures at a table, over the rows that count."""

    def __init__(self) -> None:
        self._count = 0.0
        self._sums: list[float] = []

    def add(self, figures: torch.Tensor, counted: torch.Tensor) -> None:
        weights = counted.double()
        self._count += float(weights.sum())
        new = (figures.double() * weights).sum(1).tolist()
        self._sums = [
            old + each for old, each in zip(self._sums or [0.0] * len(new), new, strict=True)
        ]

    def means(self) -> tuple[float, list[float]]:
        return self._count, [each / max(self._count, 1.0) for each in self._sums]


def _gradients(weights: list[torch.nn.Parameter]) -> list[torch.Tensor]:
    return [each.grad for each in weights if each.grad is not None]
