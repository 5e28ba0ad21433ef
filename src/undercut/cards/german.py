"""German cards: numbers, their text, and their names."""

from typing import TypeAlias

from undercut.cards.french import each
from undercut.text.errors import NotationError
from undercut.text.translation import say

Card: TypeAlias = int  # 0..31: 4 * value + suit
Cards: TypeAlias = int  # a set of cards, as a mask below 2**32

SEVEN, EIGHT, NINE, TEN, UNDER, OVER, KING, ACE = range(8)
HEARTS, BELLS, ACORNS, LEAVES = range(4)

VALUES = "789XUOKA"
SUITS = "HBCL"  # C is acorns, as clubs, since A is the ace
OLD_SUITS = "HBAL"  # in records and positions until 0.13
SYMBOLS = "♥🔔🌰🍃"  # Unicode has no acorn, so a chestnut stands for it
VALUE_NAMES = ("seven", "eight", "nine", "ten", "under", "over", "king", "ace")
SUIT_NAMES = ("hearts", "bells", "acorns", "leaves")

PACK: Cards = (1 << 32) - 1
LEAVES_UNDER: Card = 4 * UNDER + LEAVES
HEARTS_SEVEN: Card = 4 * SEVEN + HEARTS

_READ = (SUITS, OLD_SUITS, SYMBOLS)


def name_card(card: Card) -> str:
    """The name of a card.

    >>> name_card(LEAVES_UNDER)
    'under of leaves'
    """
    value, suit = divmod(int(card), 4)
    return f"{VALUE_NAMES[value]} of {SUIT_NAMES[suit]}"


def format_card(card: Card, suits: str = SUITS) -> str:
    """A card as text: value, then suit, as a letter or with `SYMBOLS` as a symbol.

    >>> format_card(LEAVES_UNDER), format_card(HEARTS_SEVEN, SYMBOLS)
    ('UL', '7♥')
    """
    value, suit = divmod(int(card), 4)
    return VALUES[value] + suits[suit]


def parse_card(text: str) -> Card:
    """Parse a card: `7L`, `xh`, `10h` and `7♥` are all valid, and `AA` is an old `AC`.

    >>> parse_card("10♥") == parse_card("xh") == 12
    True
    >>> format_card(parse_card("AA"))
    'AC'
    """
    plain = text.strip().upper()
    if plain.startswith("10"):
        plain = "X" + plain[2:]
    value = VALUES.find(plain[0]) if len(plain) == 2 else -1
    suit = max(letters.find(plain[1]) for letters in _READ) if len(plain) == 2 else -1
    if value < 0 or suit < 0:
        raise NotationError(
            say(
                "not a card: {text!r} (a card is a value of {values} and a suit of {suits}, as 7L)",
                text=text,
                values=VALUES,
                suits=SUITS,
            )
        )
    return 4 * value + suit


def format_cards(cards: Cards, separator: str = " ") -> str:
    """A set of cards as text, in order of value and suit."""
    return separator.join(format_card(card) for card in each(cards))


def parse_cards(text: str) -> Cards:
    """Parse a set of cards, with or without spaces or commas; a repeated card is an error.

    >>> format_cards(parse_cards("AL,7H"))
    '7H AL'
    """
    found = 0
    for card in list_cards(text):
        if found >> card & 1:
            name = format_card(card)
            message = say("the card {card!r} stands twice in {text!r}", card=name, text=text)
            raise NotationError(message)
        found |= 1 << card
    return found


def list_cards(text: str) -> list[Card]:
    """Parse cards and keep their order.

    >>> [format_card(card) for card in list_cards("KLKH 10a")]
    ['KL', 'KH', 'XC']
    """
    plain = text.replace(",", " ").replace("10", "X")
    tokens = [token[i : i + 2] for token in plain.split() for i in range(0, len(token), 2)]
    return [parse_card(token) for token in tokens]


def parse_suit(text: str) -> int:
    """Parse the name or the letter of a suit.

    >>> parse_suit("acorns"), parse_suit("L")
    (2, 3)
    """
    plain = text.strip().lower()
    for suit, name in enumerate(SUIT_NAMES):
        if plain in (name, *(letters[suit].lower() for letters in _READ)):
            return suit
    raise NotationError(f"not a suit: {text!r} (one of {', '.join(SUIT_NAMES)})")
