"""The network in training: its decisions, and its updates from a step of decisions."""

from collections.abc import Callable
from copy import deepcopy

import torch
from torch.nn import functional

from undercut.learn.selfplay.adam import primed_adam
from undercut.learn.selfplay.arena import Arena, Device, Unpacked
from undercut.learn.selfplay.config import Config
from undercut.learn.selfplay.kernels import MASK_BITS
from undercut.learn.selfplay.network import PolicyNetwork
from undercut.learn.selfplay.rivals import PAST, SELF, begin_with, is_network, rival_network
from undercut.text.errors import OptionsError

STEP = ("words", "hidden", "masks", "chosen", "chances", "values", "advantages", "weights")
FIGURES = ("policy", "value", "entropy", "hidden", "explained", "moved")
IMPOSSIBLE = -1e9  # logit of an illegal action


class Learner:
    """A network, its average over time, an earlier self, and the optimiser.

    On a GPU the network has half precision; the optimiser updates a copy in full precision.
    """

    def __init__(self, config: Config, arena: Arena) -> None:
        self.config, self.arena, self.device = config, arena, arena.device
        device = arena.device
        torch.manual_seed(config.seed)
        self.network = self._new_network()
        self.past, self.shown = deepcopy(self.network), deepcopy(self.network)
        self.magnet = deepcopy(self.network) if config.magnet else None
        self._rivals = self._rival_networks()
        self.names = [name for name, _ in self.network.named_parameters()]
        self.weights = list(self.network.parameters())
        self.master = self.weights
        if device.on_gpu:
            self.master = [torch.nn.Parameter(each.detach().float()) for each in self.weights]
        self.average = [each.detach().clone() for each in self.master]
        self.rate = torch.tensor(config.rate, device=device.name)
        self.entropy = torch.tensor(config.entropy, device=device.name)
        self.optimiser = primed_adam(self.master, self.rate if device.on_gpu else config.rate)
        self._losses_of = torch.compile(self._losses) if config.compiled else self._losses
        self._make_room()

    def _new_network(self) -> PolicyNetwork:
        encoding, config = self.arena.encoding, self.config
        network = PolicyNetwork(
            encoding.inputs, encoding.outputs, sum(encoding.hidden), config.width, config.blocks
        )
        if config.begin:
            begin_with(config.begin, self.arena.sittings[0].game, network)
        self._unseen = unseen_bits(config.unseen, encoding.planes)
        for bits in self._unseen:
            network.entry.weight.detach()[:, bits] = 0
        return network.to(self.device.name, self.device.number_type)

    def _rival_networks(self) -> dict[str, PolicyNetwork]:
        found = {PAST: self.past}
        for each in self.arena.sittings:
            if each.rival not in (SELF, PAST) and is_network(each.rival, each.game):
                network = rival_network(each.rival, each.game)
                found[each.rival] = network.to(self.device.name, self.device.number_type)
        return found

    def _make_room(self) -> None:
        """Allocate one step of decisions, at a fixed address."""
        arena, device, rows = self.arena, self.device, self.arena.rows
        self.step = {name: torch.zeros_like(getattr(arena, name)[0]) for name in STEP}
        self.hidden = Unpacked(device, arena.kernels.unpack, arena.encoding.hidden, rows)
        self.figures = device.zeros(len(FIGURES), kind=torch.float32)
        self.shifts = torch.arange(MASK_BITS, device=device.name)

    @torch.no_grad()
    def decide(self, bits: torch.Tensor, step: int) -> torch.Tensor:
        """The outputs of the network for every row, or of its rival if that one is on turn."""
        heads: torch.Tensor = self.network(bits).float()
        for each in self.arena.sittings:
            if rival := self._rivals.get(each.rival):
                part = slice(each.first, each.end)
                used = self.arena.encoding.outputs + 1
                theirs = rival(bits[part])[:, :used].float()
                mine = self.arena.learns[step, part].bool().unsqueeze(1)
                heads[part, :used] = torch.where(mine, heads[part, :used], theirs)
        return heads

    def take(self, step: int) -> None:
        """Copy a step of decisions to its fixed address."""
        for name, tensor in self.step.items():
            tensor.copy_(getattr(self.arena, name)[step])

    def learn(self) -> None:
        """One update from the current step."""
        self.arena.seen.fill(self.step["words"])
        self.hidden.fill(self.step["hidden"])
        for each in self.weights:
            if each.grad is not None:
                each.grad.zero_()
        self._losses_of().backward()  # type: ignore[no-untyped-call]
        with torch.no_grad():
            self._look_away()
            if self.device.on_gpu:
                torch._foreach_copy_(_gradients(self.master), _gradients(self.weights))
            torch.nn.utils.clip_grad_norm_(self.master, self.config.most_gradient, foreach=True)
            self.optimiser.step()
            if self.device.on_gpu:
                torch._foreach_copy_([*self.weights], [*self.master])
            torch._foreach_lerp_(self.average, [*self.master], 1 - self.config.averaging)
            if self.magnet is not None:
                torch._foreach_copy_([*self.magnet.parameters()], self.average)

    def _look_away(self) -> None:
        """Clear the gradients of the unseen inputs: their weights stay zero."""
        gradient = self.network.entry.weight.grad
        if gradient is not None:
            for bits in self._unseen:
                gradient[:, bits] = 0

    def _losses(self) -> torch.Tensor:
        config, step, outputs = self.config, self.step, self.arena.encoding.outputs
        heads = self.network(self.arena.seen.bits).float()
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
        missed = (weights * (heads[:, outputs] - returns) ** 2).sum()
        centre = (weights * returns).sum()
        scatter = (weights * (returns - centre) ** 2).sum()
        truths = self.hidden.bits[:, : sum(self.arena.encoding.hidden)].float()
        guesses = heads[:, outputs + 1 : outputs + 1 + truths.shape[1]]
        unlike = functional.binary_cross_entropy_with_logits(guesses, truths, reduction="none")
        hidden = (weights * unlike.mean(1)).sum()
        moved = (weights * (ratio - 1).abs()).sum()
        figures = (policy, missed, entropy, hidden, 1 - missed / (scatter + 1e-9), moved)
        self.figures.copy_(torch.stack([each.detach() for each in figures]))
        loss: torch.Tensor = (
            policy
            + config.value_weight * missed
            + config.hidden_weight * hidden
            - self.entropy * entropy
        )
        if self.magnet is not None:
            loss = loss + config.magnet * self._strayed(self.magnet, logs, legal, weights)
        return loss

    def _strayed(
        self, magnet: PolicyNetwork, logs: torch.Tensor, legal: torch.Tensor, weights: torch.Tensor
    ) -> torch.Tensor:
        """The Kullback-Leibler divergence of its policy from the magnet's."""
        with torch.no_grad():
            heads = magnet(self.arena.seen.bits).float()[:, : legal.shape[1]]
            there = functional.log_softmax(heads.masked_fill(~legal, IMPOSSIBLE), dim=1)
        apart = (logs.exp() * (logs - there)).masked_fill(~legal, 0).sum(1)
        return (weights * apart).sum()

    def set_rates(self, rate: float, entropy: float) -> None:
        self.rate.fill_(rate)
        self.entropy.fill_(entropy)
        if not self.device.on_gpu:
            self.optimiser.param_groups[0]["lr"] = rate

    def set_past(self, weights: list[torch.Tensor]) -> None:
        _copy_weights(weights, self.past)

    def show_average(self) -> PolicyNetwork:
        """The averaged network, for measurements."""
        _copy_weights(self.average, self.shown)
        return self.shown


@torch.no_grad()
def _copy_weights(weights: list[torch.Tensor], network: PolicyNetwork) -> None:
    for mine, theirs in zip(network.parameters(), weights, strict=True):
        mine.copy_(theirs)


def unseen_bits(text: str, planes: tuple[int, ...]) -> list[slice]:
    """The inputs of the words that a network does not see.

    >>> unseen_bits("0 2", (4, 8, 2))
    [slice(0, 4, None), slice(12, 14, None)]
    """
    found = []
    for each in text.split():
        if not each.isdecimal() or int(each) >= len(planes):
            raise OptionsError(f"unseen={each}: no word of the encoding, 0 to {len(planes) - 1}")
        first = sum(planes[: int(each)])
        found.append(slice(first, first + planes[int(each)]))
    return found


def _gradients(weights: list[torch.nn.Parameter]) -> list[torch.Tensor]:
    return [each.grad for each in weights if each.grad is not None]


class Graph:
    """A function that a GPU repeats as a CUDA graph."""

    def __init__(self, work: Callable[[], None], device: Device, rehearsals: int = 2) -> None:
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
