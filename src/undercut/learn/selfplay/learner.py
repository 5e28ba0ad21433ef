"""The network in training: how it is asked, and how a step of decisions changes it."""

from copy import deepcopy
from typing import Any

import torch
from torch.nn import functional

from undercut.learn.selfplay.arena import PAST, Arena, Device
from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.kernels import MASK_BITS
from undercut.learn.selfplay.network import PolicyNetwork

IMPOSSIBLE = -1e9  # what an answer counts that is not legal


class Learner:
    """A network, its average over time, an earlier self, and the optimiser."""

    def __init__(self, config: Config, arena: Arena) -> None:
        self.config, self.arena, self.device = config, arena, arena.device
        encoding, device = arena.encoding, arena.device
        torch.manual_seed(config.seed)
        self.network = PolicyNetwork(
            encoding.inputs, encoding.outputs, sum(encoding.hidden), config.width, config.blocks
        ).to(device.name)
        self.average, self.past = deepcopy(self.network), deepcopy(self.network)
        self.rate = torch.tensor(config.rate, device=device.name)
        self.entropy = torch.tensor(config.entropy, device=device.name)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(),
            lr=self.rate if device.on_gpu else config.rate,
            capturable=device.on_gpu,
            fused=device.on_gpu,
        )
        self._make_room()

    def _make_room(self) -> None:
        """One step of decisions, always in the same place."""
        arena, device, rows = self.arena, self.device, self.arena.rows
        self.step = {
            name: torch.zeros_like(getattr(arena, name)[0])
            for name in ("words", "hidden", "masks", "chosen", "chances", "advantages", "weights")
        }
        self.step["values"] = torch.zeros_like(arena.values[0])
        self.hidden_bits = device.zeros(rows, sum(arena.encoding.hidden), kind=device.number_type)
        self.told = device.zeros(6, kind=torch.float32)
        places = [
            64 * word + bit
            for word, width in enumerate(arena.encoding.hidden)
            for bit in range(width)
        ]
        self.hidden_places = torch.tensor(places, dtype=torch.int32, device=device.name)
        shifts = torch.arange(MASK_BITS, device=device.name)
        self.shifts = shifts

    def ask(self, network: PolicyNetwork, bits: torch.Tensor) -> torch.Tensor:
        """All heads of a network, in full precision."""
        with torch.autocast(self.device.name, torch.bfloat16, enabled=self.device.on_gpu):
            heads: torch.Tensor = network(bits)
        return heads.float()

    @torch.no_grad()
    def decide(self, bits: torch.Tensor, step: int) -> torch.Tensor:
        """What the network says of every row; its earlier self where that is on turn."""
        heads = self.ask(self.network, bits)
        for each in self.arena.sittings:
            if each.rival == PAST:
                part = slice(each.first, each.end)
                earlier = self.ask(self.past, bits[part])
                mine = self.arena.weights[step, part].bool().unsqueeze(1)
                heads[part] = torch.where(mine, heads[part], earlier)
        return heads

    def take(self, step: int) -> None:
        """Put a step of decisions in its place."""
        for name, tensor in self.step.items():
            tensor.copy_(getattr(self.arena, name)[step])

    def learn(self) -> None:
        """One update from the step that was taken."""
        self.optimiser.zero_grad(set_to_none=False)
        self._loss().backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(
            self.network.parameters(), self.config.most_gradient, foreach=True
        )
        self.optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.parameters()),
                list(self.network.parameters()),
                1 - self.config.averaging,
            )

    def _loss(self) -> torch.Tensor:
        config, step, outputs = self.config, self.step, self.arena.encoding.outputs
        self.arena.unpack(step["words"], self.arena.bits)
        heads = self.ask(self.network, self.arena.bits)
        legal = (step["masks"].unsqueeze(2) >> self.shifts & 1).flatten(1)[:, :outputs].bool()
        logs = functional.log_softmax(heads[:, :outputs].masked_fill(~legal, IMPOSSIBLE), dim=1)
        weights = step["weights"].float()
        weights = weights / weights.sum().clamp(min=1)
        advantages = step["advantages"]
        mean = (weights * advantages).sum()
        spread = (weights * (advantages - mean) ** 2).sum().sqrt()
        better = (advantages - mean) / (spread + 1e-6)
        chances = logs.gather(1, step["chosen"].unsqueeze(1)).squeeze(1)
        ratio = (chances - step["chances"]).exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy = -(weights * torch.minimum(ratio * better, clipped * better)).sum()
        entropy = -(weights * (logs.exp() * logs).masked_fill(~legal, 0).sum(1)).sum()
        returns = advantages + step["values"]
        misses = weights * (heads[:, outputs] - returns) ** 2
        centre = (weights * returns).sum()
        spread_of_returns = (weights * (returns - centre) ** 2).sum()
        hidden = self._hidden_loss(heads[:, outputs + 1 :], weights)
        self.told.copy_(
            torch.stack(
                [
                    policy.detach(),
                    misses.detach().sum(),
                    entropy.detach(),
                    hidden.detach(),
                    1 - misses.detach().sum() / (spread_of_returns + 1e-9),
                    (weights * (ratio.detach() - 1).abs()).sum(),
                ]
            )
        )
        return (
            policy
            + config.value_weight * misses.sum()
            + config.hidden_weight * hidden
            - self.entropy * entropy
        )

    def _hidden_loss(self, heads: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        array = self.device.array
        self.arena.kernels.unpack(
            self.hidden_bits.numel(),
            array(self.step["hidden"]),
            array(self.hidden_places),
            self.device.one,
            array(self.hidden_bits),
            stream=self.device.stream,
        )
        losses = functional.binary_cross_entropy_with_logits(
            heads, self.hidden_bits.float(), reduction="none"
        )
        return (weights * losses.mean(1)).sum()

    def set_rates(self, rate: float, entropy: float) -> None:
        """How fast it learns, and how much it still tries out."""
        self.rate.fill_(rate)
        self.entropy.fill_(entropy)
        if not self.device.on_gpu:
            self.optimiser.param_groups[0]["lr"] = rate


class Graph:
    """Work that a GPU repeats without being told every piece of it; on a CPU just a function."""

    def __init__(self, work: Any, device: Device, rehearsals: int = 2) -> None:
        self._work, self._graph = work, None
        if not device.on_gpu:
            return
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(rehearsals):
                work()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        self._graph = graph

    def __call__(self) -> None:
        if self._graph is None:
            self._work()
        else:
            self._graph.replay()
