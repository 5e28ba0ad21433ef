"""Conditional Poisson sampling from its definition: every hand of the right size, by its odds."""

from itertools import combinations
from math import prod


def distribution(odds: list[float], wanted: int) -> dict[frozenset[int], float]:
    """How likely each hand is: in proportion to the product of the odds of its cards."""
    weights = {
        frozenset(hand): prod(odds[card] for card in hand)
        for hand in combinations(range(len(odds)), wanted)
    }
    total = sum(weights.values())
    return {hand: weight / total for hand, weight in weights.items()}


def shares(odds: list[float], wanted: int) -> list[float]:
    """How often each card turns up."""
    hands = distribution(odds, wanted)
    return [
        sum(chance for hand, chance in hands.items() if card in hand) for card in range(len(odds))
    ]
