"""A run that distils a network into a smaller one: the same policy and value at a lower cost."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch.nn import functional

from undercut.kernels.records import Array
from undercut.learn.positions.memory import Positions
from undercut.learn.positions.run import IMPOSSIBLE, PositionRun, Scores
from undercut.learn.selfplay.network import PolicyNetwork
from undercut.players.policy.weights import policy_of, save_policy

VALUE_WEIGHT = 0.5  # of a squared error of the value, next to the divergence of the policy


class DistilRun(PositionRun):
    """A run in progress."""

    FILE = "policy.safetensors"

    def new_network(self) -> PolicyNetwork:
        """The small network."""
        encoding, config = self.tables.encoding, self.config
        return PolicyNetwork(encoding.inputs, encoding.outputs, 0, config.width, config.blocks)

    def loss(self, positions: Positions) -> torch.Tensor:
        """The divergence of the small policy from the large one, and the error of the value."""
        divergence, missed, _ = self._compare(self.network, positions)
        return divergence.mean() + VALUE_WEIGHT * missed.mean()

    def measure(self, positions: Positions) -> tuple[torch.Tensor, torch.Tensor]:
        """Divergence, squared error and moments of the value, and equal best actions."""
        divergence, missed, same = self._compare(self.shown, positions)
        value = positions.answers[:, self.tables.encoding.outputs]
        figures = torch.stack([divergence, same, missed, value, value * value])
        return figures, torch.ones_like(divergence)

    def _compare(
        self, network: torch.nn.Module, positions: Positions
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """For each row the divergence, the squared error of the value, and 1 for the same action."""
        outputs, teacher = self.tables.encoding.outputs, positions.answers
        heads = network(positions.bits).float()
        legal = positions.legal()
        mine = functional.log_softmax(heads[:, :outputs].masked_fill(~legal, IMPOSSIBLE), dim=1)
        theirs = functional.log_softmax(teacher[:, :outputs].masked_fill(~legal, IMPOSSIBLE), dim=1)
        divergence = (theirs.exp() * (theirs - mine)).sum(1)
        missed = (heads[:, outputs] - teacher[:, outputs]) ** 2
        return divergence, missed, (mine.argmax(1) == theirs.argmax(1)).float()

    def scores(self, count: float, means: Sequence[float]) -> Scores:
        """Agreement of the best actions, divergence, and the explained share of the value."""
        divergence, same, missed, value, square = means
        spread = max(square - value * value, 1e-9)
        return {
            "positions": count,
            "agreement": same,
            "divergence": divergence,
            "explained": 1 - missed / spread,
        }

    def save(self, path: Path, tensors: Mapping[str, Array], about: Mapping[str, object]) -> None:
        """Write the averaged network as a player."""
        encoding, config = self.tables.encoding, self.config
        policy = policy_of(tensors, encoding, config.width, config.blocks, about)
        save_policy(path, policy, encoding)
