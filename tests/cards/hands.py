"""Random hands, plain and rich in melds."""

from random import Random
from typing import Any

import numpy as np

from cards.reference.cards import PACK, RANKS, SUITS, Hand


def random_hands(count: int, size: int, seed: int) -> Any:
    """Masks of hands, all equally likely."""
    return _draw(np.tile(np.arange(52, dtype=np.int64), (count, 1)), size, seed)


def rich_hands(count: int, size: int, seed: int) -> Any:
    """Masks of hands from few ranks and suits, so that melds abound and compete."""
    random = Random(seed)
    pools = [_pool(random) for _ in range(max(1, count // 500))]
    parts = []
    for number, pool in enumerate(pools):
        width = (count - number + len(pools) - 1) // len(pools)
        decks = np.tile(np.array(pool, dtype=np.int64), (width, 1))
        parts.append(_draw(decks, size, seed + number))
    return np.concatenate(parts)


def _draw(decks: Any, size: int, seed: int) -> Any:
    random = np.random.default_rng(seed)
    rows = np.arange(len(decks))
    hands = np.zeros(len(decks), dtype=np.int64)
    for place in range(size):
        other = random.integers(place, decks.shape[1], len(decks))
        chosen = decks[rows, other]
        decks[rows, other] = decks[:, place]
        hands |= np.int64(1) << chosen
    return hands


def _pool(random: Random) -> list[int]:
    """Fourteen to twenty cards: neighbouring ranks in two, three or four suits."""
    suits = random.sample(SUITS, random.choice([2, 3, 4]))
    wanted = random.choice([14, 16, 18, 20])
    span = min(13, -(-wanted // len(suits)))
    first = random.randrange(14 - span)
    cards = [rank + suit for rank in RANKS[first : first + span] for suit in suits]
    return [PACK.index(card) for card in cards]


def rich_hand(random: Random, size: int) -> Hand:
    """One hand that is rich in melds, as card names."""
    return frozenset(PACK[card] for card in random.sample(_pool(random), size))


def rich_deck(random: Random) -> list[str]:
    """A whole deck whose two hands are nearly all melds, so that somebody can soon knock."""
    first = random.sample(sorted(rich_hand(random, 11)), 11)
    others = [card for card in PACK if card not in first]
    pool = [PACK[card] for card in _pool(random) if PACK[card] in others]
    second = random.sample(pool, min(10, len(pool)))
    rest = [card for card in others if card not in second]
    random.shuffle(rest)
    while len(second) < 10:
        second.append(rest.pop())
    return [*first[:10], *second, first[10], *rest]
