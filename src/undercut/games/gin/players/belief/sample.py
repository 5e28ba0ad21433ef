"""Sampling of hands of a fixed size with given marginals.

Conditional Poisson sampling (Chen, Dempster and Liu, 1994): each card is in the hand independently
with its own odds, conditioned on the size of the hand. `prepare` finds the odds that produce the
given marginals. `draw` passes over the cards once and takes each with its conditional probability,
given the number of cards still wanted, so it rejects no hand.
"""

from typing import TypeAlias

import numpy as np

from undercut.cards.french import Cards
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel, meet
from undercut.kernels.records import Floats, Record
from undercut.kernels.rng import Generator, Seed

Sampler: TypeAlias = Record  # of the layout SAMPLER

MOST = 11  # cards in a hand

SAMPLER = np.dtype(
    [
        ("certain", "i8"),  # cards in every hand
        ("wanted", "i8"),  # the number of other cards in a hand
        ("count", "i8"),  # the number of cards to draw from
        ("cards", "i8", 52),
        ("shares", "f8", 52),  # their marginals
        ("odds", "f8", 52),
        ("found", "f8", 52),  # the marginals with these odds
        ("sums", "f8", MOST + 1),
        ("chances", "f8", (MOST + 1, 52)),  # to take a card, by the number still wanted
    ],
    align=True,
)

_CERTAIN = 1e-6  # a probability this close to 0 or 1 counts as such
_STEPS = 100
_EXACT = 1e-9


@cold_kernel
def prepare(chances: Floats, sampler: Sampler, lane: int, lanes: int) -> None:
    """Prepare a sampler for the marginals of 52 cards, whose sum is the size of the hand.

    A lane computes its share; a single lane is 0 of 1.
    """
    total, certain, count = 0.0, 0, 0
    for card in range(52):
        chance = float(chances[card])
        total += chance
        if chance >= 1.0 - _CERTAIN:
            certain |= 1 << card
            total -= 1.0
        elif chance > 0.0:
            sampler.cards[count] = card
            sampler.shares[count] = max(chance, _CERTAIN)
            sampler.odds[count] = sampler.shares[count] / (1.0 - sampler.shares[count])
            count += 1
    sampler.certain = certain
    sampler.wanted = min(int(total + 0.5), count)
    sampler.count = count
    meet(lanes)
    _find_odds(sampler, lane, lanes)
    if lane == 0:
        _find_chances(sampler)
    meet(lanes)


@kernel
def _find_odds(sampler: Sampler, lane: int, lanes: int) -> None:
    """Raise the odds of cards with too small marginals, lower the others, until all agree.

    A full step, by the ratio of the odds, is exact for many almost independent cards, but twice too
    long if one of two cards is drawn. Two thirds of a step converge in both cases.
    """
    if sampler.wanted == 0 or sampler.wanted == sampler.count:
        return
    for _ in range(_STEPS):
        _find_shares(sampler, lane, lanes)
        worst = 0.0
        for i in range(sampler.count):
            worst = max(worst, abs(sampler.found[i] - sampler.shares[i]))
        for i in range(lane, sampler.count, lanes):
            share, found = sampler.shares[i], sampler.found[i]
            ratio = share * (1.0 - found) / (found * (1.0 - share))
            sampler.odds[i] *= (1.0 + 5.0 * ratio) / (5.0 + ratio)
        meet(lanes)
        if worst < _EXACT:
            return


@kernel
def _find_shares(sampler: Sampler, lane: int, lanes: int) -> None:
    """The marginals of the present odds, for hands of one card up to the wanted size."""
    for i in range(lane, sampler.count, lanes):
        sampler.found[i] = 0.0
    for wanted in range(1, sampler.wanted + 1):
        meet(lanes)
        total = 0.0
        for i in range(sampler.count):
            total += sampler.odds[i] * (1.0 - sampler.found[i])
        meet(lanes)
        for i in range(lane, sampler.count, lanes):
            share = wanted * sampler.odds[i] * (1.0 - sampler.found[i]) / total
            sampler.found[i] = min(max(share, 1e-12), 1.0 - 1e-12)
    meet(lanes)


@kernel
def _find_chances(sampler: Sampler) -> None:
    """Backwards over the cards: the total weights of the remaining draws, with each and without."""
    wanted = int(sampler.wanted)
    sampler.sums[0] = 1.0
    for size in range(1, wanted + 1):
        sampler.sums[size] = 0.0
    for i in range(sampler.count - 1, -1, -1):
        for size in range(wanted, 0, -1):
            with_card = sampler.odds[i] * sampler.sums[size - 1]
            total = sampler.sums[size] + with_card
            sampler.chances[size, i] = with_card / total if total > 0.0 else 1.0
            sampler.sums[size] = total


@kernel
def draw_numbered(sampler: Sampler, seed: Seed, number: int, chance: Generator) -> Cards:
    """The hand with a number. Each has its own generator, so any lane can draw any of them."""
    rng.start(chance, rng.derive(seed, 0, number, 0))
    return draw(sampler, chance)


@kernel
def draw(sampler: Sampler, generator: Generator) -> Cards:
    """Draw one hand."""
    hand = int(sampler.certain)
    wanted = int(sampler.wanted)
    place = 0
    while wanted > 0:
        if rng.uniform(generator) < sampler.chances[wanted, place]:
            hand |= 1 << int(sampler.cards[place])
            wanted -= 1
        place += 1
    return hand
