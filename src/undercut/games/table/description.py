"""A game as a person is shown it: text, numbers and tuples, and nothing that draws.

A terminal prints this data, a web page makes elements of it. Cards stand in it in the letters of
their pack, `8h`, in sentences too; whoever draws them puts symbols and colours in their place.
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


@dataclass(frozen=True)
class Company:
    """The players at the table: their names by seat, YOU for the viewer."""

    names: tuple[str, ...]
    names_cards: bool = False  # whether cards are also called by their names

    def is_you(self, seat: int) -> bool:
        """Whether it is the viewer's seat."""
        return self.names[seat] == YOU

    def subject(self, seat: int) -> str:
        """A name as a sentence begins with it."""
        return say("You") if self.is_you(seat) else self.names[seat]

    def called(self, seat: int) -> str:
        """A name as it stands in a list."""
        return say(YOU) if self.is_you(seat) else self.names[seat]


@dataclass(frozen=True)
class Effect:
    """An effect of an action."""

    kind: Literal["unasked", "shuffled", "out", "back"]
    number: int = 0  # the place of one who is out, the seat of one who is back


@dataclass(frozen=True)
class Event:
    """An action of a seat, as the viewer saw it."""

    seat: int
    verb: str  # of the action; all of the action where a game does not take it apart
    cards: Cards = ()  # those that were seen, and no others
    target: str = ""  # the meld on which they were laid; the suit to match
    unseen: int = 0  # how many other cards moved, in games where people count them
    effects: tuple[Effect, ...] = ()


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
    """A place on the table: other players, piles, melds, the need, the hand."""

    kind: Kind
    label: str
    parts: tuple[Part, ...]
    note: str = ""  # what all of it counts
    seat: int | None = None
    is_urgent: bool = False


@dataclass(frozen=True)
class Order:
    """The hand in a certain order, in groups."""

    name: str  # such as "by suits"
    groups: tuple[Cards, ...]


@dataclass(frozen=True)
class Table:
    """The table as one seat sees it. The area `hand` has the first of the orders."""

    areas: tuple[Area, ...]
    orders: tuple[Order, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A choice that the rules allow.

    With `more`, such as suits to name, `action` is only the beginning of an action. The whole
    actions are those of `more`, each with the word to add.
    """

    action: str
    words: str
    cards: Cards = ()  # that it is about: a page lets people click on them
    key: str = ""  # a short form to type
    asks: str = ""  # the question that `more` answers
    more: "tuple[Choice, ...]" = ()
    onto: Cards = ()  # the meld that they are laid on: a page lets people drag them there
    warning: str = ""  # its certain loss: a screen asks for it once more

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions among which it leaves a choice; most often one."""
        return tuple(each.action for each in self.more) or (self.action,)


@dataclass(frozen=True)
class Group:
    """Choices of a kind, and the question they answer.

    Those on the `hand` belong to one card each; others are a `list`, or cards side by side in a
    `row`. Screens need not show choices that are only `named`: people may type them.
    """

    question: str
    place: Place
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Question:
    """The question to a player: every action that is allowed is in exactly one group."""

    groups: tuple[Group, ...]
    begins_turn: bool = True
    shortcut: str = ""  # what taking `best` again and again comes to, "" where it is not proposed

    @property
    def best(self) -> str:
        """The first action that gives nothing away."""
        choices = [choice for group in self.groups for choice in group.choices]
        return next(choice.action for choice in choices if not choice.warning)


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
    title = say(titles.get(preset, preset))
    return title if name in (preset, *titles) else f"{title} ({name})"


def points(count: int) -> str:
    """A number of points.

    >>> points(1), points(5)
    ('1 point', '5 points')
    """
    return say_count("{count} point", "{count} points", count)


def among(told: str, hidden: int) -> str:
    """How many cards somebody holds, before those of them that are known.

    >>> among("holds 5 cards", hidden=3), among("holds 2 cards", hidden=0)
    ('holds 5 cards, among them', 'holds 2 cards:')
    """
    return say("{cards}, among them", cards=told) if hidden else f"{told}:"


def who_begins(first_starter: int) -> str:
    """The rule about who begins a match; -1 leaves it to chance.

    >>> who_begins(-1), who_begins(0)
    ('Chance decides who begins the first deal', 'Player 1 begins the first deal')
    """
    if first_starter < 0:
        return say("Chance decides who begins the first deal")
    return say("Player {number} begins the first deal", number=first_starter + 1)


def not_understood(text: str) -> str:
    """The answer to typed text that is no action."""
    return say("not understood: {text!r} (help lists the words)", text=text.strip())


def either(words: Sequence[str]) -> str:
    """Words of which one is to be chosen.

    >>> either(["leaves", "any seven", "UL"])
    'leaves, any seven or UL'
    """
    if len(words) < 2:
        return "".join(words)
    return say("{first} or {last}", first=", ".join(words[:-1]), last=words[-1])


def both(words: Sequence[str]) -> str:
    """Words that all belong together.

    >>> both(["plays OH", "asks for acorns", "is out"])
    'plays OH, asks for acorns and is out'
    """
    if len(words) < 2:
        return "".join(words)
    return say("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


def as_sentence(text: str) -> str:
    """The same with a capital letter; the rest stays as it is.

    >>> as_sentence("you draw Kd.")
    'You draw Kd.'
    """
    return text[:1].upper() + text[1:]
