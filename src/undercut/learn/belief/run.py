"""A run that trains a joint belief: in every position a part of the hidden hands is given."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch.nn import functional

from undercut.kernels.records import Array
from undercut.learn.belief.masking import Masking
from undercut.learn.belief.network import JointNetwork
from undercut.learn.positions.config import Config
from undercut.learn.positions.memory import Positions
from undercut.learn.positions.run import IMPOSSIBLE, PositionRun, Scores
from undercut.learn.score import KS
from undercut.players.joint.weights import joint_weights_of, save_joint


class BeliefRun(PositionRun):
    """A run in progress."""

    FILE = "belief.safetensors"

    def __init__(self, config: Config, device_name: str) -> None:
        self._maskings: dict[int, Masking] = {}  # by the number of positions
        super().__init__(config, device_name)

    def new_network(self) -> JointNetwork:
        """The network of the joint belief."""
        encoding, config = self.tables.encoding, self.config
        return JointNetwork(encoding.inputs, sum(encoding.hidden), config.width, config.blocks)

    def masking(self, positions: Positions) -> Masking:
        """The masking for positions of this number."""
        rows = positions.rows
        if rows not in self._maskings:
            tables, name = self.tables, self.game.rules.NAME
            self._maskings[rows] = Masking(self.device, tables.encoding, tables.kernels, name, rows)
        return self._maskings[rows]

    def loss(self, positions: Positions) -> torch.Tensor:
        """The log-loss of a missing card."""
        self.masking(positions).fill(positions)
        losses, _, counted = self._losses(self.network, positions)
        return losses.sum() / counted.sum().clamp(min=1)

    def measure(self, positions: Positions) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-loss, that of counting, and recall."""
        self.masking(positions).fill(positions)
        losses, evenly, counted = self._losses(self.shown, positions)
        return torch.stack([losses, evenly, *self._recall(positions)]), counted

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

    def _losses(
        self, network: torch.nn.Module, positions: Positions
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """For each row the log-loss of a missing card, that of counting, and whether one is missing."""
        encoding, masking = self.tables.encoding, self.masking(positions)
        hands, pools, cards = len(encoding.hidden), encoding.pools, encoding.hidden[0]
        shape = (positions.rows, hands, pools, cards)
        logits = network(positions.bits, masking.given).float()[:, : hands * cards]
        used = hands * pools * cards
        rest = masking.rest[:, :used].float().view(shape)
        possible = masking.possible[:, :used].view(shape) > 0
        each = logits.view(positions.rows, hands, 1, cards).expand(shape)
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

    def _recall(self, positions: Positions) -> torch.Tensor:
        """For each K and row the share of the hidden hand among its K likeliest cards.

        First by the network, then by counting. Known cards come first.
        """
        masking, cards = self.masking(positions), self.tables.encoding.hidden[0]
        if not self._is_single:
            return self.device.zeros(2 * len(KS), positions.rows, kind=torch.float32)
        masking.fill(positions, 0.0)
        logits = self.shown(positions.bits, masking.given).float()[:, :cards]
        rest = masking.rest[:, :cards].float()
        possible = masking.possible[:, :cards] > 0
        known = masking.given[:, :cards].float().sum(1)
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
