"""A game as a person is shown it: text, numbers and tuples, and nothing that draws.

A terminal prints this data, a web page makes elements of it. Cards stand in it in the letters of
their pack, `8h`, in sentences too; whoever draws them puts symbols and colours in their place.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

YOU = "you"  # what the one who looks is called

Cards = tuple[str, ...]
Sentences = tuple[str, ...]
Colour = Literal["red", "black", "green", "blue", "yellow", "purple"]
Kind = Literal["players", "piles", "melds", "laid", "need", "hand", "places"]
Place = Literal["hand", "list", "row", "named"]


@dataclass(frozen=True)
class Suit:
    """A suit: its letter in the text of a card, its symbol, its name and its colour."""

    letter: str
    symbol: str
    name: str
    colour: Colour


@dataclass(frozen=True)
class Language:
    """What cards are called in a language: pairs of a card's text and its name."""

    name: str
    cards: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Pack:
    """How cards are written and shown. A card's text is the letter of a rank, then of a suit."""

    name: str
    ranks: tuple[tuple[str, str], ...] = ()  # pairs: the letter, and how it is shown
    suits: tuple[Suit, ...] = ()
    languages: tuple[Language, ...] = ()  # in which the cards have names

    def name_card(self, card: str, language: str) -> str:
        """What a card is called, "" where it has no name."""
        named = [dict(each.cards) for each in self.languages if each.name == language]
        return named[0][card] if named else ""


@dataclass(frozen=True)
class Company:
    """What is played, and who sits down to it: names by seat, that of the one who looks is YOU."""

    options: Any
    names: tuple[str, ...]
    language: str = ""  # in which cards are also called by their names, "" without

    def is_you(self, seat: int) -> bool:
        """Whether the one who looks sits there."""
        return self.names[seat] == YOU

    def subject(self, seat: int) -> str:
        """A name as a sentence begins with it."""
        return "You" if self.is_you(seat) else self.names[seat]


@dataclass(frozen=True)
class Event:
    """What a seat did, as the one who looks saw it."""

    seat: int
    text: str  # an action in words, with the cards that were seen and no others


@dataclass(frozen=True)
class Part:
    """Cards that lie together, and the words before and after them; either may be missing."""

    cards: Cards = ()
    before: str = ""
    after: str = ""
    face_down: int = 0  # cards that lie there unseen
    below: Cards = ()  # cards that anybody may look through
    seat: int | None = None  # whose they are
    is_out: bool = False  # whether that seat no longer plays


@dataclass(frozen=True)
class Area:
    """A place on the table: other players, piles, melds, what is asked of one, one's hand."""

    kind: Kind
    label: str
    parts: tuple[Part, ...]
    note: str = ""  # what all of it counts
    seat: int | None = None
    is_urgent: bool = False


@dataclass(frozen=True)
class Order:
    """One's hand in a certain order, in groups."""

    name: str
    groups: tuple[Cards, ...]


@dataclass(frozen=True)
class Table:
    """What one seat sees. The area `hand` has the first of the orders."""

    areas: tuple[Area, ...]
    orders: tuple[Order, ...] = ()


@dataclass(frozen=True)
class Choice:
    """Something that one may do.

    Where `more` is to be said, such as a suit, `action` is only the beginning of an action, and the
    actions are those of `more`, each with the word that is to be added.
    """

    action: str
    words: str
    cards: Cards = ()  # that it is about: a page can let one click on them
    key: str = ""  # a short form to type
    asks: str = ""  # what else is to be said
    more: "tuple[Choice, ...]" = ()
    onto: Cards = ()  # what its cards are laid on: a page can let one drag them there

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions among which it leaves a choice; most often one."""
        return tuple(each.action for each in self.more) or (self.action,)


@dataclass(frozen=True)
class Group:
    """Choices of a kind, and the question they answer.

    Those on the `hand` belong to one card each; others are a `list`, or cards side by side in a
    `row`. What is only `named` need not be shown: it is for those who ask for it by name.
    """

    question: str
    place: Place
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Question:
    """What one is asked: every action that is allowed is in exactly one group."""

    groups: tuple[Group, ...]
    begins_turn: bool = True
    shortcut: str = ""  # what the game's assistant would do if it were left to it, "" for nothing


@dataclass(frozen=True)
class Summary:
    """A deal that is over: how the hands lie, and how the points came about."""

    areas: tuple[Area, ...]
    sentences: Sentences


def title_of(name: str, titles: Mapping[str, str]) -> str:
    """The title of a rule set, by its preset; its whole name follows where it is not a plain one.

    >>> title_of("gin:target=50", {"gin": "Gin Rummy"})
    'Gin Rummy (gin:target=50)'
    """
    preset = re.split("[+:]", name)[0]
    title = titles.get(preset, preset)
    return title if name in (preset, *titles) else f"{title} ({name})"


def counted(number: int, word: str) -> str:
    """A number of things.

    >>> counted(1, "card"), counted(5, "point")
    ('1 card', '5 points')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def who_begins(first_starter: int) -> str:
    """Who begins a match, where an option says so; -1 leaves it to chance.

    >>> who_begins(-1), who_begins(0)
    ('Chance decides who begins the first deal', 'Player 1 begins the first deal')
    """
    if first_starter < 0:
        return "Chance decides who begins the first deal"
    return f"Player {first_starter + 1} begins the first deal"


def either(words: Sequence[str]) -> str:
    """Words of which one is to be chosen.

    >>> either(["leaves", "any seven", "UL"])
    'leaves, any seven or UL'
    """
    return _joined(words, " or ")


def both(words: Sequence[str]) -> str:
    """Words that all belong together.

    >>> both(["plays OH", "asks for acorns", "is out"])
    'plays OH, asks for acorns and is out'
    """
    return _joined(words, " and ")


def _joined(words: Sequence[str], last: str) -> str:
    parts = (", ".join(words[:-1]), *words[-1:])
    return last.join(part for part in parts if part)
