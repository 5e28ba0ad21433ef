"""A run that trains a joint belief: play, learn, measure.

A run consists of pieces. Each begins with new matches and random numbers from the seed and the
number of the piece. So a run that continues after a piece equals one without interruption, as far
as the device is deterministic. Every position is learned from once.
"""

import time
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import TypeAlias, TypedDict

import torch
from torch.nn import functional

from undercut.games.families import parse_game
from undercut.learn.belief.config import Config
from undercut.learn.belief.network import JointNetwork
from undercut.learn.belief.tables import Tables
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
KS = (10, 15, 20, 25)  # of recall
IMPOSSIBLE = -1e9  # logit of a card that cannot be in a hand


class Run:
    """A run in progress."""

    def __init__(self, config: Config, device_name: str) -> None:
        self.config, self.device = config, Device(device_name)
        self.game = parse_game(config.game)
        torch.manual_seed(config.seed)
        self.tables = Tables(
            config, [self.game, *other_rule_sets(self.game, config.also)], self.device
        )
        self._begin_network()
        self.pieces, self.updates, self.positions, self.seconds = 0, 0, 0, 0.0
        self.curve: list[Point] = []
        self._play_step()  # compiles, before the time counts; a piece begins with new matches
        self._play = Graph(self._play_step, self.device)
        self._learn = Graph(self._learn_step, self.device)

    def _begin_network(self) -> None:
        """The network, its master copy in full precision, its average, and the optimiser."""
        encoding, config, device = self.tables.encoding, self.config, self.device
        torch.manual_seed(config.seed)
        network = JointNetwork(
            encoding.inputs, sum(encoding.hidden), config.width, config.blocks
        ).to(device.name)
        self.names = [name for name, _ in network.named_parameters()]
        self.master = [torch.nn.Parameter(each.detach().clone()) for each in network.parameters()]
        self.average = [each.detach().clone() for each in self.master]
        self.network = network.to(device.number_type)
        self.weights = list(self.network.parameters())
        self.shown = deepcopy(self.network)
        self.rate = torch.tensor(config.rate, device=device.name)
        self.optimiser = torch.optim.Adam(
            self.master,
            lr=self.rate if device.on_gpu else config.rate,
            capturable=device.on_gpu,
            fused=device.on_gpu,
        )
        for each in (*self.master, *self.weights):
            each.grad = torch.zeros_like(each)
        self.optimiser.step()  # allocates its state; all gradients are 0
        for each in self.master:
            self.optimiser.state[each]["step"].zero_()

    def _play_step(self) -> None:
        self.tables.look()
        self.tables.play()

    def _learn_step(self) -> None:
        """One update from the position of every row, then the next position."""
        self.tables.look()
        self.tables.mask()
        for each in self.weights:
            if each.grad is not None:
                each.grad.zero_()
        losses, _, counted = self._losses(self.network)
        (losses.sum() / counted.sum().clamp(min=1)).backward()  # type: ignore[no-untyped-call]
        with torch.no_grad():
            torch._foreach_copy_(_gradients(self.master), _gradients(self.weights))
            torch.nn.utils.clip_grad_norm_(self.master, self.config.most_gradient, foreach=True)
            self.optimiser.step()
            torch._foreach_copy_([*self.weights], [*self.master])
            torch._foreach_lerp_(self.average, [*self.master], 1 - self.config.averaging)
        self.tables.play()

    def _losses(self, network: JointNetwork) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """For each row the log-loss of a missing card, that of counting, and whether one is missing."""
        tables, encoding = self.tables, self.tables.encoding
        hands, pools, cards = len(encoding.hidden), encoding.pools, encoding.hidden[0]
        shape = (tables.rows, hands, pools, cards)
        logits = network(tables.seen.bits, tables.given_bits.bits).float()[:, : hands * cards]
        used = hands * pools * cards
        rest = tables.rest_bits.bits[:, :used].float().view(shape)
        possible = tables.possible_bits.bits[:, :used].view(shape) > 0
        each = logits.view(tables.rows, hands, 1, cards).expand(shape)
        logs = functional.log_softmax(each.masked_fill(~possible, IMPOSSIBLE), dim=3)
        missing = rest.sum((1, 2, 3))
        counting = possible.float().sum(3).clamp(min=1).log()
        losses = -(rest * logs).sum((1, 2, 3)) / missing.clamp(min=1)
        evenly = (rest.sum(3) * counting).sum((1, 2)) / missing.clamp(min=1)
        return losses, evenly, (missing > 0).float()

    def play_piece(self, progress: Callable[[int], None]) -> None:
        """Play and learn for the updates of a piece."""
        began, config = time.perf_counter(), self.config
        torch.manual_seed(Random(f"{config.seed} {self.pieces}").getrandbits(62))
        self.tables.restart(self.pieces + 1)
        for _ in range(config.mixing):
            self._play()
        for number in range(config.piece):
            self._set_rate()
            self._learn()
            self.updates += 1
            self.positions += self.tables.rows
            if number % 16 == 15 or number + 1 == config.piece:
                self.device.wait()
                progress(self.tables.rows * (number % 16 + 1))
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
            tables.look()
            tables.mask()
            losses = self._losses(self.shown)
            found = self._recall()
            for each in tables.sittings:
                sums[each.name].add([part[each.part] for part in losses], found[:, each.part])
            tables.play()
        point: Point = {
            "positions": self.positions,
            "seconds": self.seconds,
            "opponents": {name: each.scores(self._is_single) for name, each in sums.items()},
        }
        self.curve.append(point)
        return point

    @property
    def _is_single(self) -> bool:
        """Whether one hand is hidden."""
        return len(self.tables.encoding.hidden) == 1

    def _recall(self) -> torch.Tensor:
        """For each K and row the share of the hidden hand among its K likeliest cards.

        First by the network, then by counting. Known cards come first.
        """
        tables, cards = self.tables, self.tables.encoding.hidden[0]
        if not self._is_single:
            return self.device.zeros(2 * len(KS), tables.rows, kind=torch.float32)
        tables.mask(0.0)
        logits = self.shown(tables.seen.bits, tables.given_bits.bits).float()[:, :cards]
        rest = tables.rest_bits.bits[:, :cards].float()
        possible = tables.possible_bits.bits[:, :cards] > 0
        known = tables.given_bits.bits[:, :cards].float().sum(1)
        missing, unseen = rest.sum(1), possible.float().sum(1).clamp(min=1)
        order = logits.masked_fill(~possible, IMPOSSIBLE).argsort(dim=1, descending=True)
        found = rest.gather(1, order).cumsum(1)
        by_network, by_counting = [], []
        for k in KS:
            places = (k - known).clamp(min=0)
            last = (places.long() - 1).clamp(min=0, max=cards - 1).unsqueeze(1)
            hits = torch.where(places > 0, found.gather(1, last).squeeze(1), 0.0)
            evenly = missing * (places / unseen).clamp(max=1)
            size = (known + missing).clamp(min=1)
            by_network.append((known.clamp(max=k) + hits) / size)
            by_counting.append((known.clamp(max=k) + evenly) / size)
        return torch.stack([*by_network, *by_counting])


class _Sums:
    """The sums of a kind of opponent, over rows in which a card is missing."""

    def __init__(self) -> None:
        self._sums = [0.0] * (3 + 2 * len(KS))

    def add(self, losses: list[torch.Tensor], recall: torch.Tensor) -> None:
        counted = losses[2].double()
        parts = [losses[0], losses[1], *recall]
        sums = [counted.sum(), *((part.double() * counted).sum() for part in parts)]
        self._sums = [old + float(new) for old, new in zip(self._sums, sums, strict=True)]

    def scores(self, with_recall: bool) -> Scores:
        """Means: log-loss in nats for a card, recall as a share of the hand."""
        count, *sums = self._sums
        means = [each / max(count, 1.0) for each in sums]
        found = {"positions": count, "log_loss": means[0], "counting_log_loss": means[1]}
        if with_recall:
            names = [f"{by}recall@{k}" for by in ("", "counting_") for k in KS]
            found |= dict(zip(names, means[2:], strict=True))
        return found


def _gradients(weights: list[torch.nn.Parameter]) -> list[torch.Tensor]:
    return [each.grad for each in weights if each.grad is not None]
