"""Slow twins of the evaluations of Pharaoh's agents, with texts and sets of card names."""

from fractions import Fraction
from itertools import combinations
from math import comb

VALUES, SUITS = "789XUOKA", "HBCL"
PACK = [value + suit for value in VALUES for suit in SUITS]


def chance_of_any(pools: list[tuple[set[str], int, set[str]]]) -> Fraction:
    """How likely a hand has one of some cards: for each pool its cards, how many of them are in
    the hand, and which are sought. Small pools only: all hands are counted."""
    none = Fraction(1)
    for pool, held, sought in pools:
        hands = list(combinations(sorted(pool), held))
        without = [hand for hand in hands if not sought & set(hand)]
        assert len(hands) == comb(len(pool), held)
        none *= Fraction(len(without), len(hands))
    return 1 - none


def longest_by_value(plays: list[list[str]]) -> dict[str, int]:
    """For each value that can be played, the length of its longest tuple."""
    longest: dict[str, int] = {}
    for play in plays:
        longest[play[0][0]] = max(longest.get(play[0][0], 0), len(play))
    return longest


def biggest(plays: list[list[str]]) -> list[list[str]]:
    """The plays that `biggest` may choose."""
    return [play for play in plays if len(play) == max(map(len, plays))]


def smallest(plays: list[list[str]]) -> list[list[str]]:
    """The plays that `smallest` may choose."""
    longest = longest_by_value(plays)
    least = min(longest.values())
    return [play for play in plays if len(play) == longest[play[0][0]] == least]


def hand_worth(hand: set[str], settings: dict[str, float]) -> float:
    """The heuristic's value of a hand."""
    worth = settings["cards"] * len(hand) - len({card[0] for card in hand})
    worth += settings["overs"] * len([card for card in hand if card[0] == "O"])
    worth += settings["under"] * ("UL" in hand)
    worth += settings["sevens"] * len([card for card in hand if card[0] == "7"])
    return worth + settings["aces"] * len([card for card in hand if card[0] == "A"])
