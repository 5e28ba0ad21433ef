"""A run that trains a joint belief: in every position a part of the hidden hands is given."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch.nn import functional

from undercut.kernels.records import Array
from undercut.learn.belief.network import JointNetwork
from undercut.learn.positions.run import IMPOSSIBLE, PositionRun, Scores
from undercut.players.joint.weights import joint_weights_of, save_joint

KS = (10, 15, 20, 25)  # of recall


class BeliefRun(PositionRun):
    """A run in progress."""

    FILE = "belief.safetensors"

    def new_network(self) -> JointNetwork:
        """The network of the joint belief."""
        encoding, config = self.tables.encoding, self.config
        return JointNetwork(encoding.inputs, sum(encoding.hidden), config.width, config.blocks)

    def loss(self) -> torch.Tensor:
        """The log-loss of a missing card."""
        self.tables.mask()
        losses, _, counted = self._losses(self.network)
        self.tables.play()
        return losses.sum() / counted.sum().clamp(min=1)

    def measure(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-loss, that of counting, and recall."""
        self.tables.mask()
        losses, evenly, counted = self._losses(self.shown)
        recall = self._recall()
        self.tables.play()
        return torch.stack([losses, evenly, *recall]), counted

    def scores(self, count: float, means: Sequence[float]) -> Scores:
        """Means: log-loss in nats for a card, recall as a share of the hand."""
        found = {"positions": count, "log_loss": means[0], "counting_log_loss": means[1]}
        if self._is_single:
            names = [f"{by}recall@{k}" for by in ("", "counting_") for k in KS]
            found |= dict(zip(names, means[2:], strict=True))
        return found

    def save(self, path: Path, tensors: Mapping[str, Array], about: Mapping[str, object]) -> None:
        """Write the averaged network as a belief."""
        encoding = self.tables.encoding
        save_joint(path, joint_weights_of(tensors, encoding, self.config.width, about), encoding)

    def _losses(self, network: torch.nn.Module) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
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
