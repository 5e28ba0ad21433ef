"""The packs of cards: their text, symbols and names."""

from dataclasses import dataclass
from typing import Literal

from undercut.cards import french, german
from undercut.text.translation import say_as

Colour = Literal["red", "black", "green", "blue", "yellow", "purple"]


@dataclass(frozen=True)
class Suit:
    """A suit: its letter in the text of a card, its symbol, its name and its colour."""

    letter: str
    symbol: str
    name: str
    colour: Colour


@dataclass(frozen=True)
class Pack:
    """The notation of a pack. A card's text is the letter of a rank, then of a suit."""

    name: str
    ranks: tuple[tuple[str, str], ...] = ()  # pairs: the letter and the displayed rank
    suits: tuple[Suit, ...] = ()
    names: tuple[tuple[str, str], ...] = ()  # pairs: the text of a card and its name
    is_strange: bool = False  # whether most people need an explanation of its letters

    def __hash__(self) -> int:
        return hash(self.name)  # a hash of all fields is slower than the lookup

    def name_card(self, card: str) -> str:
        """The translated name of a card, or its text if it has no name."""
        return say_as(self.name, dict(self.names).get(card, card))

    def name_suit(self, name: str) -> str:
        """The translated name of a suit, given in English."""
        return say_as(self.name, name)


_FRENCH: tuple[Colour, ...] = ("green", "blue", "red", "black")
_GERMAN: tuple[Colour, ...] = ("red", "yellow", "purple", "green")

FRENCH = Pack(
    name="french",
    ranks=tuple((rank, rank.replace("T", "10")) for rank in french.RANKS),
    suits=tuple(map(Suit, french.SUITS, french.SYMBOLS, french.SUIT_NAMES, _FRENCH)),
    names=tuple((french.format_card(card), french.name_card(card)) for card in range(52)),
)


# Not every terminal has symbols for these suits, so they are letters in the colours of the cards.
GERMAN = Pack(
    name="german",
    ranks=tuple((value, value.replace("X", "10")) for value in german.VALUES),
    suits=tuple(map(Suit, german.SUITS, german.SUITS, german.SUIT_NAMES, _GERMAN)),
    names=tuple((german.format_card(card), german.name_card(card)) for card in range(32)),
    is_strange=True,
)
