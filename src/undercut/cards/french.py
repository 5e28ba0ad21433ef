"""French cards: numbers, sets of cards as masks, and their text."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from undercut.kernels.jit import count_ones, count_trailing_zeros, kernel
from undercut.text.errors import NotationError
from undercut.text.translation import say

Card: TypeAlias = int  # 0..51: 13 * suit + rank
Cards: TypeAlias = int  # a set of cards, as a mask below 2**52

NONE = -1  # no card, no seat, no action; 0 is a valid value of each
HIDDEN = -2  # a card that is hidden from the viewer

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
PACK: Cards = (1 << 52) - 1

_SUIT_LETTERS = dict(zip(SUITS + SYMBOLS, [*range(4)] * 2, strict=True))

# The bit planes of the point values: plane k holds the cards whose value has bit k.
_VALUES = [min(rank + 1, 10) for rank in range(13)] * 4
_ONES, _TWOS, _FOURS, _EIGHTS = (
    sum(1 << card for card in range(52) if _VALUES[card] >> plane & 1) for plane in range(4)
)
# With graded faces a jack counts one additional point, a queen two, a king three.
_JACKS_AND_KINGS = sum(1 << 13 * suit + rank for suit in range(4) for rank in (10, 12))
_QUEENS_AND_KINGS = sum(1 << 13 * suit + rank for suit in range(4) for rank in (11, 12))

# The same planes with graded faces, where the value of a card is its rank.
_GRADED_ONES, _GRADED_TWOS, _GRADED_FOURS, _GRADED_EIGHTS = (
    sum(1 << card for card in range(52) if card % 13 + 1 >> plane & 1) for plane in range(4)
)

FACE_POINTS = (10, 13)
"""The points of a king: 10 like every face card, or 13, with the queen 12 and the jack 11."""


@kernel
def points(cards: Cards, face_points: int) -> int:
    """The point value of a set of cards.

    >>> points(parse_cards("Ac Td Kh"), 10), points(parse_cards("Ac Td Kh"), 13)
    (21, 24)
    """
    total = (
        count_ones(cards & _ONES)
        + 2 * count_ones(cards & _TWOS)
        + 4 * count_ones(cards & _FOURS)
        + 8 * count_ones(cards & _EIGHTS)
    )
    if face_points == 13:
        total += count_ones(cards & _JACKS_AND_KINGS) + 2 * count_ones(cards & _QUEENS_AND_KINGS)
    return total


@kernel
def heaviest(cards: Cards, face_points: int) -> Cards:
    """The cards of a set with the highest point value.

    >>> format_cards(heaviest(parse_cards("9c Td Kh"), 10))
    'Td Kh'
    >>> format_cards(heaviest(parse_cards("9c Td Kh"), 13))
    'Kh'
    """
    if face_points == 13:
        cards = _narrowed(_narrowed(cards, _GRADED_EIGHTS), _GRADED_FOURS)
        return _narrowed(_narrowed(cards, _GRADED_TWOS), _GRADED_ONES)
    cards = _narrowed(_narrowed(cards, _EIGHTS), _FOURS)
    return _narrowed(_narrowed(cards, _TWOS), _ONES)


@kernel
def _narrowed(cards: Cards, plane: Cards) -> Cards:
    """The cards in a bit plane, or all cards if the plane has none of them."""
    some = cards & plane
    return some if some else cards


@kernel
def suit_of(card: Card) -> int:
    """A card's suit, 0 to 3: card // 13 without a division."""
    return (card * 79) >> 10


@kernel
def rank_of(card: Card) -> int:
    """A card's rank, 0 (ace) to 12 (king)."""
    return card - 13 * suit_of(card)


@kernel
def card_points(card: Card, face_points: int) -> int:
    """The point value of one card."""
    return min(rank_of(card) + 1, face_points)


@kernel
def size(cards: Cards) -> int:
    """The number of cards in a set."""
    return count_ones(cards)


@kernel
def lowest(cards: Cards) -> Card:
    """The first card of a set that is not empty."""
    return count_trailing_zeros(cards)


def each(cards: Cards) -> Iterator[Card]:
    """The cards of a set, in order (for Python code; kernels use `lowest`).

    >>> [format_card(card) for card in each(parse_cards("Kh 2c"))]
    ['2c', 'Kh']
    """
    cards = int(cards)
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


def mask(cards: Iterable[Card]) -> Cards:
    """The set of the given cards."""
    return sum(1 << int(card) for card in set(cards))


def format_card(card: Card) -> str:
    """A card as text: rank, then suit.

    >>> format_card(0), format_card(51)
    ('Ac', 'Ks')
    """
    suit, rank = divmod(int(card), 13)
    return RANKS[rank] + SUITS[suit]


def name_card(card: Card) -> str:
    """The name of a card.

    >>> name_card(33)
    'eight of hearts'
    """
    suit, rank = divmod(int(card), 13)
    return f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"


def parse_card(text: str) -> Card:
    """Parse a card: `8h`, `TD`, `10d` and `K♠` are all valid.

    >>> parse_card("10D") == parse_card("Td") == 22
    True
    """
    plain = text.strip()
    if plain.startswith("10"):
        plain = "T" + plain[2:]
    rank = RANKS.find(plain[0].upper()) if len(plain) == 2 else NONE
    suit = _SUIT_LETTERS.get(plain[1].lower(), NONE) if len(plain) == 2 else NONE
    if rank < 0 or suit < 0:
        raise NotationError(
            say(
                "not a card: {text!r} (a card is a rank of {ranks} and a suit of {suits}, as 8h)",
                text=text,
                ranks=RANKS,
                suits=SUITS,
            )
        )
    return 13 * suit + rank


def format_cards(cards: Cards, separator: str = " ") -> str:
    """A set of cards as text, in order of suit and rank."""
    return separator.join(format_card(card) for card in each(cards))


def parse_cards(text: str) -> Cards:
    """Parse a set of cards, with or without spaces or commas; a repeated card is an error.

    >>> format_cards(parse_cards("Kh,2c"))
    '2c Kh'
    """
    plain = text.replace(",", " ").replace("10", "T")
    tokens = [token[i : i + 2] for token in plain.split() for i in range(0, len(token), 2)]
    found = 0
    for token in tokens:
        card = 1 << parse_card(token)
        if found & card:
            message = say("the card {card!r} stands twice in {text!r}", card=token, text=text)
            raise NotationError(message)
        found |= card
    return found
