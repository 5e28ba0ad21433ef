"""The network of the joint belief, in training."""

import torch
from torch import nn

from undercut.learn.selfplay.network import Block, padded


class JointNetwork(nn.Module):
    """From the bits of a view and the given cards to a logit for each hidden card.

    >>> JointNetwork(100, 52, 32, 1)(torch.zeros(2, 128), torch.zeros(2, 64)).shape
    torch.Size([2, 64])
    """

    def __init__(self, inputs: int, hidden: int, width: int, blocks: int) -> None:
        super().__init__()
        self.entry = nn.Linear(padded(inputs, 64), width)
        self.chosen = nn.Linear(padded(hidden, 64), width, bias=False)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.heads = nn.Linear(width, padded(hidden, 32))
        with torch.no_grad():
            for block in self.blocks:
                block.second.weight.mul_(0.5)  # type: ignore[union-attr,operator]
                block.second.bias.zero_()  # type: ignore[union-attr,operator]
            self.heads.weight.mul_(0.1)
            self.heads.bias.zero_()

    def forward(self, bits: torch.Tensor, given: torch.Tensor) -> torch.Tensor:
        """The logits of all hidden hands side by side."""
        return self.answer(self.entry(bits) + self.chosen(given))

    def answer(self, values: torch.Tensor) -> torch.Tensor:
        """The logits, from the sum of both first layers."""
        for block in self.blocks:
            values = block(values)
        logits: torch.Tensor = self.heads(self.norm(values))
        return logits
