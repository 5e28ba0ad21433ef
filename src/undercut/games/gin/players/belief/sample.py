"""Hands of exactly the right size, drawn so that each card turns up as often as it should.

Conditional Poisson sampling (Chen, Dempster and Liu, 1994): every card is taken or left with odds
of its own, and of all the hands that come about only those of the right size count. `prepare` finds
the odds with which each card's share is its chance; `draw` then goes through the cards once and
takes each with the chance that is right for the number still wanted, so that no hand is rejected.
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
        ("wanted", "i8"),  # how many more are drawn
        ("count", "i8"),  # from this many cards
        ("cards", "i8", 52),
        ("shares", "f8", 52),  # how often each is to turn up
        ("odds", "f8", 52),
        ("found", "f8", 52),  # how often it turns up with these odds
        ("sums", "f8", MOST + 1),
        ("chances", "f8", (MOST + 1, 52)),  # of taking a card when this many are still wanted
    ],
    align=True,
)

_CERTAIN = 1e-6  # a chance this close to 0 or 1 is taken to be it
_STEPS = 100
_EXACT = 1e-9


@cold_kernel
def prepare(chances: Floats, sampler: Sampler, lane: int, lanes: int) -> None:
    """Make a sampler for the chances of 52 cards, whose sum is the size of the hand.

    It is a lane's share of that; alone, the lane is 0 of 1.
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
    """Raise the odds of cards that turn up too seldom, lower the others, until all is right.

    The whole step, by the ratio of the odds, would be right for many cards that hardly bear on each
    other, and twice too long for two of which one is drawn; two thirds of it serve both.
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
    """How often each card turns up, from hands of one card to hands of as many as are wanted."""
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
    """From the last card to the first: the weight of all ways to draw the rest, with and without."""
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
    """The hand with a number: each has chance of its own, so any lane can draw any of them."""
    rng.start(chance, rng.derive(seed, 0, number, 0))
    return draw(sampler, chance)


@kernel
def draw(sampler: Sampler, generator: Generator) -> Cards:
    """One hand."""
    hand = int(sampler.certain)
    wanted = int(sampler.wanted)
    place = 0
    while wanted > 0:
        if rng.uniform(generator) < sampler.chances[wanted, place]:
            hand |= 1 << int(sampler.cards[place])
            wanted -= 1
        place += 1
    return hand
