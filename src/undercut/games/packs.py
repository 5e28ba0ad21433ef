"""The packs there are: how their cards are written, shown and called."""

from undercut.core import cards, german
from undercut.games.description import Colour, Pack, Suit

_FRENCH: tuple[Colour, ...] = ("green", "blue", "red", "black")
_GERMAN: tuple[Colour, ...] = ("red", "yellow", "purple", "green")

FRENCH = Pack(
    name="french",
    ranks=tuple((rank, rank.replace("T", "10")) for rank in cards.RANKS),
    suits=tuple(
        Suit(letter, symbol, name, colour)
        for letter, symbol, name, colour in zip(
            cards.SUITS, cards.SYMBOLS, cards.SUIT_NAMES, _FRENCH, strict=True
        )
    ),
    names=tuple((cards.format_card(card), cards.name_card(card)) for card in range(52)),
)


# The suits have no signs that every terminal can show: letters, and the colours of the cards.
GERMAN = Pack(
    name="german",
    ranks=tuple((value, value.replace("X", "10")) for value in german.VALUES),
    suits=tuple(
        Suit(letter, letter, name, colour)
        for letter, name, colour in zip(german.SUITS, german.SUIT_NAMES, _GERMAN, strict=True)
    ),
    names=tuple((german.format_card(card), german.name_card(card)) for card in range(32)),
    is_strange=True,
)
