"""Cards for the Python interface: strings that know their rank, suit and colour.

Kernels use numbers and masks (`cards/french.py`, `cards/german.py`); `number` and `mask` convert.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import overload

from undercut.cards.french import each
from undercut.cards.packs import FRENCH, Pack, Suit
from undercut.cards.picture import draw_cards
from undercut.text.errors import NotationError

_INKS = {  # readable on white and on black
    "red": "#e0404f",
    "green": "#2e9e4f",
    "blue": "#3d82f0",
    "yellow": "#b8860b",
    "purple": "#9b5fd0",
    "black": "inherit",  # the text colour of the notebook, dark or light
}


class Card(str):
    """A card: a string such as '8h' with a rank, a suit and a name.

    >>> from undercut import Card
    >>> card = Card("8h")
    >>> card, card.rank, card.suit, card.symbol, card.name
    ('8h', '8', 'hearts', '8♥', 'eight of hearts')
    >>> card == "8h", card.number
    (True, 33)
    """

    __slots__ = ("_pack", "number")
    _pack: Pack
    number: int  # for kernels; -1 in a pack without numbers

    def __new__(cls, text: str, pack: Pack = FRENCH) -> "Card":
        """The card of a pack with this text."""
        if type(text) is Card and text._pack is pack:
            return text
        known = numbers_of(pack)
        if known and text not in known:
            raise NotationError(f"not a card of the {pack.name} pack: {str(text)!r}")
        card = super().__new__(cls, text)
        card._pack, card.number = pack, known.get(text, -1)
        return card

    def __reduce__(self) -> tuple[object, ...]:
        return Card, (str(self), self._pack)

    @property
    def rank(self) -> str:
        """Its rank as players write it: 'A', '2', …, '10', 'J', 'Q', 'K'."""
        return dict(self._pack.ranks).get(self[:1], self[:1])

    @property
    def order(self) -> int:
        """The index of its rank in the pack: 0 is the lowest, in French packs the ace."""
        return [letter for letter, _ in self._pack.ranks].index(self[:1])

    @property
    def suit(self) -> str:
        """The name of its suit, such as 'hearts'."""
        return self._suit.name

    @property
    def name(self) -> str:
        """Its name, such as 'eight of hearts'."""
        return dict(self._pack.names).get(self, str(self))

    @property
    def symbol(self) -> str:
        """Its rank and symbol, such as '8♥'."""
        return self.rank + self._suit.symbol

    @property
    def _suit(self) -> Suit:
        letter = self[1:]
        return next(
            (suit for suit in self._pack.suits if suit.letter == letter),
            Suit(letter, letter, letter, "black"),
        )

    @property
    def mark(self) -> tuple[str, str]:
        """The symbol of its suit, and the name of its colour."""
        return self._suit.symbol, self._suit.colour

    def _repr_html_(self) -> str:
        ink = _INKS[self._suit.colour]
        return f'<span style="color:{ink};white-space:nowrap">{escape(self.symbol)}</span>'


class Cards(Sequence[Card]):
    """A sequence of cards. `|` adds cards, `-` removes cards, `&` keeps common cards.

    >>> from undercut import Cards
    >>> hand = Cards("8h 9h Ks")
    >>> "9h" in hand, len(hand), [card.suit for card in hand]
    (True, 3, ['hearts', 'hearts', 'spades'])
    >>> print(hand | "Ts")
    8h 9h Ks Ts
    >>> hand - "8h", hand & "8h Qd", hand == "8h 9h Ks"
    (Cards('9h Ks'), Cards('8h'), True)
    """

    __slots__ = ("_cards", "_pack")

    def __init__(self, cards: str | Iterable[str] = (), pack: Pack = FRENCH) -> None:
        given = cards.split() if isinstance(cards, str) else cards
        self._pack = pack
        self._cards = tuple(Card(card, pack) for card in given)

    @classmethod
    def from_mask(cls, mask: int, pack: Pack = FRENCH) -> "Cards":
        """The cards of a kernel's mask, in the order of the pack."""
        return cls.from_numbers(each(mask), pack)

    @classmethod
    def from_numbers(cls, numbers: Iterable[int], pack: Pack = FRENCH) -> "Cards":
        """The cards with these numbers."""
        deck, cards = deck_of(pack), cls.__new__(cls)
        cards._pack, cards._cards = pack, tuple(deck[number] for number in numbers)
        return cards

    @property
    def texts(self) -> tuple[str, ...]:
        """The cards as plain strings."""
        return tuple(map(str, self._cards))

    @property
    def mask(self) -> int:
        """The cards as a mask for kernels: bit n is card n."""
        return sum(1 << card.number for card in set(self._cards))

    @overload
    def __getitem__(self, place: int) -> Card: ...
    @overload
    def __getitem__(self, place: slice) -> "Cards": ...
    def __getitem__(self, place: int | slice) -> "Card | Cards":
        return self._of(self._cards[place]) if isinstance(place, slice) else self._cards[place]

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    def __contains__(self, card: object) -> bool:
        return card in self._cards

    def __or__(self, others: str | Iterable[str]) -> "Cards":
        return self._of((*self._cards, *(card for card in self._read(others) if card not in self)))

    def __sub__(self, others: str | Iterable[str]) -> "Cards":
        out = self._read(others)
        return self._of(card for card in self._cards if card not in out)

    def __and__(self, others: str | Iterable[str]) -> "Cards":
        common = self._read(others)
        return self._of(card for card in self._cards if card in common)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        return isinstance(other, Cards) and self._cards == other._cards

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return " ".join(self._cards)

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def _repr_svg_(self) -> str:
        return draw_cards([self._cards])

    def _repr_html_(self) -> str:
        return self._repr_svg_()

    def _read(self, cards: str | Iterable[str]) -> "Cards":
        return cards if isinstance(cards, Cards) else Cards(cards, self._pack)

    def _of(self, cards: Iterable[Card]) -> "Cards":
        made = Cards.__new__(Cards)
        made._pack, made._cards = self._pack, tuple(cards)
        return made


@cache
def deck_of(pack: Pack) -> tuple[Card, ...]:
    """Every card of a pack, in the order of their numbers."""
    return tuple(Card(text, pack) for text, _ in pack.names)


@cache
def numbers_of(pack: Pack) -> dict[str, int]:
    """The numbers of the cards of a pack, by their text."""
    return {text: number for number, (text, _) in enumerate(pack.names)}
