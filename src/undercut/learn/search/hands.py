"""Hidden hands for many views at once: the sampling of players/joint/belief.py in torch."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import torch

from undercut.kernels import rng
from undercut.kernels.records import Array, Buffer, new
from undercut.kernels.rng import GENERATOR
from undercut.learn.belief.network import JointNetwork
from undercut.learn.search.kernels import draw_rows
from undercut.learn.selfplay.arena import Device
from undercut.play.vector.rows import RowKernel
from undercut.players.joint.belief import Draw, JointBelief
from undercut.players.search.evaluate import HANDS

WORDS = float(1 << 32)  # different random words
Limits: TypeAlias = tuple[Buffer, tuple[Draw, ...]]  # of `JointBelief.limits`


def missing(limits: Limits) -> int:
    """The number of hidden cards that are not known."""
    return sum(draw.count for draw in limits[1])


class Plan(NamedTuple):
    """The cards to add, step by step: a row for each view, which ends with steps that add none."""

    hands: Buffer  # views, steps: the hand that gets a card
    pools: Buffer  # views, steps: the cards it may be; 0: none


def plan_draws(limits: Sequence[Limits]) -> Plan:
    """The order in which `JointBelief.sample` adds cards."""
    steps = max(map(missing, limits))
    plan = Plan(*(np.zeros((len(limits), steps), dtype=np.int64) for _ in Plan._fields))
    for row, (_, draws) in enumerate(limits):
        place = 0
        for draw in draws:
            plan.hands[row, place : place + draw.count] = draw.hand
            plan.pools[row, place : place + draw.count] = draw.pool
            place += draw.count
    return plan


class Hands:
    """Samples of hidden hands on one device."""

    def __init__(self, belief: JointBelief, device: Device) -> None:
        self._belief, self._device = belief, device
        weights, encoding = belief.weights, belief.encoding
        hidden = sum(encoding.hidden)
        network = JointNetwork(encoding.inputs, hidden, weights.width, weights.blocks)
        _copy(weights.tensors, network)
        self._network = network.to(device.name, device.number_type)
        self._cards = torch.arange(belief.cards, device=device.name)
        self._draw = RowKernel(draw_rows, belief.game.rules.NAME, device.name)

    @torch.no_grad()
    def sample(
        self, bits: torch.Tensor, limits: Sequence[Limits], seeds: Sequence[int], count: int
    ) -> torch.Tensor:
        """Masks: `count` rows for each view, one after another, and a column for each hidden hand.

        `bits` are the inputs of the network for each view.
        """
        blocks = [self._block(bits, limits, seeds, block) for block in range(-(-count // HANDS))]
        hands = torch.cat(blocks, dim=1)[:, :count]
        return hands.reshape(len(limits) * count, -1).contiguous()

    def _block(
        self, bits: torch.Tensor, limits: Sequence[Limits], seeds: Sequence[int], block: int
    ) -> torch.Tensor:
        """HANDS samples of each view: views, samples, hands."""
        device, belief, network = self._device, self._belief, self._network
        views, plan = len(limits), plan_draws(limits)
        chances = self._chances([rng.derive(seed, HANDS, block, 0) for seed in seeds], limits)
        pools, targets = self._tensor(plan.pools), self._tensor(plan.hands)
        known = self._tensor(np.array([known for known, _ in limits]))
        held = self._bits(known).unsqueeze(1).repeat(1, HANDS, 1, 1)
        held = held.view(views * HANDS, belief.hands, belief.cards)
        first = network.entry(bits).repeat_interleave(HANDS, dim=0)
        given = device.zeros(len(held), network.chosen.in_features, kind=device.number_type)
        rows = torch.arange(len(held), device=device.name)
        for step in range(pools.shape[1]):
            given[:, : held[0].numel()] = held.flatten(1).to(given.dtype)
            target = targets[:, step].repeat_interleave(HANDS)
            logits = network.answer(first + network.chosen(given))[:, : held[0].numel()]
            logits = logits.view(held.shape)[rows, target].double()
            pool = self._bits(pools[:, step]).repeat_interleave(HANDS, dim=0)
            possible = pool & ~held.any(dim=1)
            held[rows, target] |= self._drawn(logits, possible, chances[:, step])
        return (held.long() << self._cards).sum(2).view(views, HANDS, belief.hands)

    def _drawn(
        self, logits: torch.Tensor, possible: torch.Tensor, chances: torch.Tensor
    ) -> torch.Tensor:
        """One of the possible cards in each row, by chance; none where none is possible."""
        weights = logits.masked_fill(~possible, -torch.inf)
        highest = weights.amax(dim=1, keepdim=True).nan_to_num(neginf=0.0)
        total = torch.exp(weights - highest).cumsum(1)
        chosen = (total <= chances.unsqueeze(1) * total[:, -1:]).sum(1)
        return (self._cards == chosen.unsqueeze(1)) & possible

    def _chances(self, seeds: Sequence[int], limits: Sequence[Limits]) -> torch.Tensor:
        """A random number for each sample and step, as `JointBelief.sample` draws them."""
        device, steps = self._device, max(map(missing, limits))
        words = device.zeros(len(seeds), HANDS * steps, kind=torch.int64)
        starts = self._tensor(np.array(seeds, dtype=np.int64))
        generators = device.records(new(GENERATOR, len(seeds)))
        self._draw(
            len(seeds), device.array(starts), generators, device.array(words), stream=device.stream
        )
        found = words.double() / WORDS
        rows = [
            each[: HANDS * missing(limit)].view(HANDS, missing(limit))
            for each, limit in zip(found, limits, strict=True)
        ]
        padded = [torch.nn.functional.pad(row, (0, steps - row.shape[1])) for row in rows]
        return torch.cat(padded)

    def _bits(self, masks: torch.Tensor) -> torch.Tensor:
        return (masks.unsqueeze(-1) >> self._cards & 1).bool()

    def _tensor(self, array: Buffer) -> torch.Tensor:
        return torch.from_numpy(array).to(self._device.name)


@torch.no_grad()
def _copy(tensors: Mapping[str, Array], network: JointNetwork) -> None:
    """Copy weights into a network, whose layers are padded."""
    named = dict(network.named_parameters())
    for each in named.values():
        each.zero_()
    for name, array in tensors.items():
        part = named[name][tuple(slice(length) for length in array.T.shape)]
        part.copy_(torch.from_numpy(array.T.copy()))
