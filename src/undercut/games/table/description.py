"""The data that screens show of a game: text, numbers and tuples, without layout.

A terminal prints this data, a web page makes elements of it. Cards are in the letters of their
pack, `8h`, also in sentences; a screen replaces them by symbols and colours.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from undercut.text.translation import mark, say, say_count

YOU = mark("you")  # the name of the viewer

Cards = tuple[str, ...]
Sentences = tuple[str, ...]
Kind = Literal["players", "piles", "melds", "laid", "need", "hand", "places"]
Place = Literal["hand", "list", "row", "named"]
Role = Literal["", "meld", "loose"]


@dataclass(frozen=True)
class Company:
    """The players at the table: their names by seat, YOU for the viewer."""

    names: tuple[str, ...]
    names_cards: bool = False  # whether texts also give the names of cards

    def is_you(self, seat: int) -> bool:
        """Whether a seat is the viewer's."""
        return self.names[seat] == YOU

    def subject(self, seat: int) -> str:
        """A seat's name at the beginning of a sentence."""
        return say("You") if self.is_you(seat) else self.names[seat]

    def called(self, seat: int) -> str:
        """A seat's name in a list."""
        return say(YOU) if self.is_you(seat) else self.names[seat]


@dataclass(frozen=True)
class Effect:
    """An effect of an action."""

    kind: Literal["unasked", "shuffled", "out", "back"]
    number: int = 0  # of "out" the place, of "back" the seat


@dataclass(frozen=True)
class Event:
    """An action of a seat, as the viewer saw it."""

    seat: int
    verb: str  # of the action, or the whole action if the game does not split it
    cards: Cards = ()  # only those that the viewer saw
    target: str = ""  # the meld of a lay-off; the suit to match
    unseen: int = 0  # the number of other cards that moved, in games where people count them
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Part:
    """Cards that lie together, and the words before and after them; all are optional."""

    cards: Cards = ()
    before: str = ""
    after: str = ""
    face_down: int = 0  # the number of face-down cards
    below: Cards = ()  # cards that every player may look through
    seat: int | None = None  # the owner
    is_out: bool = False  # whether the owner no longer plays
    role: Role = ""  # in an open hand
    name: str = ""  # of a meld, or of the rest
    added: Cards = ()  # those that the other player has laid off here


@dataclass(frozen=True)
class Area:
    """A place on the table: other players, piles, melds, the need, the hand."""

    kind: Kind
    label: str
    parts: tuple[Part, ...]
    note: str = ""  # such as its points
    seat: int | None = None
    is_urgent: bool = False


@dataclass(frozen=True)
class Order:
    """One order of the hand, in groups."""

    name: str  # such as "by suits"
    groups: tuple[Cards, ...]


@dataclass(frozen=True)
class Table:
    """The table as one seat sees it. The area `hand` is in the first order."""

    areas: tuple[Area, ...]
    orders: tuple[Order, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A legal choice.

    With `more`, such as suits to name, `action` is only the beginning of an action. The choices in
    `more` are the complete actions, each with the word to add.
    """

    action: str
    words: str
    cards: Cards = ()  # the cards that select it: a page makes them clickable
    key: str = ""  # a short form to type
    asks: str = ""  # the question that `more` answers
    more: "tuple[Choice, ...]" = ()
    onto: Cards = ()  # the meld of a lay-off: on a page people can drag cards there
    warning: str = ""  # its certain loss: a screen asks for confirmation
    brief: str = ""  # for a button that stands for the choices like it, "Knock (9)"
    note: str = ""  # what it brings
    is_safe: bool = False  # whether nothing is lost by it

    @property
    def actions(self) -> tuple[str, ...]:
        """The complete actions of this choice; usually one."""
        return tuple(each.action for each in self.more) or (self.action,)


@dataclass(frozen=True)
class Group:
    """Choices of one kind, and the question that they answer.

    Choices on the `hand` belong to one card each; others are a `list`, or cards in a `row`. Screens
    need not show choices that are only `named`: people may type them.
    """

    question: str
    place: Place
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Question:
    """The question to a player: every legal action is in exactly one group."""

    groups: tuple[Group, ...]
    begins_turn: bool = True
    shortcut: str = ""  # the result of repeatedly choosing `best`, "" if no screen should offer it

    @property
    def choices(self) -> list[Choice]:
        """All choices, group by group."""
        return [choice for group in self.groups for choice in group.choices]

    @property
    def best(self) -> str:
        """The first action without a warning."""
        return next(choice.action for choice in self.choices if not choice.warning)


@dataclass(frozen=True)
class Summary:
    """The end of a deal: the hands, and the sum of the points."""

    areas: tuple[Area, ...]
    sentences: Sentences


def title_of(name: str, titles: Mapping[str, str]) -> str:
    """The title of a rule set by its preset, with its full name unless that is a preset.

    >>> title_of("gin:target=50", {"gin": "Gin Rummy"})
    'Gin Rummy (gin:target=50)'
    """
    preset = re.split("[+:]", name)[0]
    title = say(titles.get(preset, preset))
    return title if name in (preset, *titles) else f"{title} ({name})"


def points(count: int) -> str:
    """A number of points.

    >>> points(1), points(5)
    ('1 point', '5 points')
    """
    return say_count("{count} point", "{count} points", count)


def signed(count: int) -> str:
    """A number of points that are won or lost.

    >>> signed(31), signed(-27), signed(0)
    ('+31', '−27', '0')
    """
    return f"{count:+}".replace("-", "−") if count else "0"


def among(told: str, hidden: int) -> str:
    """The number of cards in a hand, as the words before the known ones.

    >>> among("holds 5 cards", hidden=3), among("holds 2 cards", hidden=0)
    ('holds 5 cards, among them', 'holds 2 cards:')
    """
    return say("{cards}, among them", cards=told) if hidden else f"{told}:"


def who_begins(first_starter: int) -> str:
    """The rule about the first starter; -1 leaves it to chance.

    >>> who_begins(-1), who_begins(0)
    ('Chance decides who begins the first deal', 'Player 1 begins the first deal')
    """
    if first_starter < 0:
        return say("Chance decides who begins the first deal")
    return say("Player {number} begins the first deal", number=first_starter + 1)


def not_understood(text: str) -> str:
    """The answer to input that is no action."""
    return say("not understood: {text!r} (help lists the words)", text=text.strip())


def either(words: Sequence[str]) -> str:
    """Alternatives, joined by "or".

    >>> either(["leaves", "any seven", "UL"])
    'leaves, any seven or UL'
    """
    if len(words) < 2:
        return "".join(words)
    return say("{first} or {last}", first=", ".join(words[:-1]), last=words[-1])


def both(words: Sequence[str]) -> str:
    """Phrases, joined by "and".

    >>> both(["plays OH", "asks for acorns", "is out"])
    'plays OH, asks for acorns and is out'
    """
    if len(words) < 2:
        return "".join(words)
    return say("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


def as_sentence(text: str) -> str:
    """The text with a capital first letter.

    >>> as_sentence("you draw Kd.")
    'You draw Kd.'
    """
    return text[:1].upper() + text[1:]
