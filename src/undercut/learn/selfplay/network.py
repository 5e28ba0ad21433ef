"""The network of self-play, with heads for the policy, the value and the hidden cards."""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """A residual block of two layers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        inner: torch.Tensor = self.second(functional.relu(self.first(self.norm(values))))
        return values + inner


def padded(number: int, step: int) -> int:
    """The next multiple of `step`: tensor cores need even shapes."""
    return -(-number // step) * step


class PolicyNetwork(nn.Module):
    """From bits to a logit for each action, the value, and a logit for each hidden bit."""

    def __init__(self, inputs: int, outputs: int, hidden: int, width: int, blocks: int) -> None:
        super().__init__()
        self.entry = nn.Linear(padded(inputs, 64), width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.heads = nn.Linear(width, padded(outputs + 1 + hidden, 32))
        with torch.no_grad():
            for block in self.blocks:
                block.second.weight.mul_(0.5)  # type: ignore[union-attr,operator]
                block.second.bias.zero_()  # type: ignore[union-attr,operator]
            self.heads.weight[: outputs + 1].mul_(0.1)
            self.heads.bias.zero_()

    def forward(self, bits: torch.Tensor) -> torch.Tensor:
        """All heads side by side."""
        values = self.entry(bits)
        for block in self.blocks:
            values = block(values)
        heads: torch.Tensor = self.heads(self.norm(values))
        return heads
