"""Cards as their names: a card is text such as "8h", a hand a frozenset of them."""

from collections.abc import Iterable
from functools import cache, lru_cache

Card = str
Hand = frozenset[Card]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
RANK_NAMES = [
    "aces",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
]
SUITS = ["c", "d", "h", "s"]
PACK: list[Card] = [rank + suit for suit in SUITS for rank in RANKS]
UNKNOWN = "?"  # a card that this seat has not seen
_PLACES = {card: place for place, card in enumerate(PACK)}


def hand(text: str) -> Hand:
    """The cards named in a text, with spaces between them."""
    cards = text.split()
    assert all(card in PACK for card in cards), text
    assert len(set(cards)) == len(cards), text
    return frozenset(cards)


@cache
def rank(card: Card) -> int:
    """1 for an ace, 13 for a king."""
    return RANKS.index(card[0]) + 1


def suit(card: Card) -> str:
    return card[1]


def in_order(cards: Iterable[Card]) -> list[Card]:
    """By suit, and in a suit from the ace up."""
    return sorted(cards, key=lambda card: _PLACES[card])


def number(card: Card) -> int:
    """The number the kernels give a card."""
    return _PLACES[card]


def mask(cards: Iterable[Card]) -> int:
    """The number the kernels give a set of cards."""
    return sum(2 ** number(card) for card in set(cards))


def from_mask(number: int) -> Hand:
    """The set of cards the kernels give a number."""
    return _from_mask(int(number))


@lru_cache(100_000)
def _from_mask(number: int) -> Hand:
    return frozenset(card for place, card in enumerate(PACK) if number >> place & 1)


@cache
def card_points(card: Card, face_points: int = 10) -> int:
    """Ace 1, then the rank; J Q K count 10 each, or 11, 12 and 13 where a king counts 13."""
    if face_points == 10 and card[0] in "JQK":
        return 10
    return rank(card)


def points(cards: Iterable[Card], face_points: int = 10) -> int:
    return sum(card_points(card, face_points) for card in cards)
