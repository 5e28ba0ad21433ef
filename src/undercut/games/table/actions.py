"""Actions as text with a number: people read and type the text, kernels take the number."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from undercut.cards.card import Cards, numbers_of
from undercut.cards.packs import Pack
from undercut.text.errors import NotationError

if TYPE_CHECKING:
    from undercut.games.contract import Family


class Action(str):
    """An action: a string such as 'discard 8h' that knows its verb, cards and number.

    >>> import undercut
    >>> deal = undercut.load("gin").deal(seed=7)
    >>> deal.play("take")
    >>> action = deal.view().legal[0]
    >>> action, action.verb, action.cards, action.number
    ('discard 3c', 'discard', Cards('3c'), 2)
    """

    __slots__ = ("_pack", "number")
    _pack: Pack
    number: int  # for kernels

    def __new__(cls, text: str, number: int, pack: Pack) -> "Action":
        """An action in the words of its game."""
        action = super().__new__(cls, text)
        action.number, action._pack = number, pack
        return action

    def __reduce__(self) -> tuple[object, ...]:
        return Action, (str(self), self.number, self._pack)

    @property
    def verb(self) -> str:
        """Its first word."""
        return self.partition(" ")[0]

    @property
    def cards(self) -> Cards:
        """The cards that it names."""
        known = numbers_of(self._pack)
        return Cards((word for word in self.split() if word in known), self._pack)

    @property
    def target(self) -> str:
        """The meld of a lay-off, or the suit that a play names; "" without."""
        return self.partition(" on ")[2] or self.partition(" suit ")[2]


class Actions:
    """The actions of a game, by number and by text."""

    def __init__(self, family: "Family") -> None:
        self._notation = family.notation
        self.texts = [
            Action(_format(family, number), number, family.pack)
            for number in range(family.rules.ACTIONS)
        ]
        self.numbers: dict[str, int] = {each: each.number for each in self.texts if each}

    def put(self, numbers: Iterable[int]) -> list[Action]:
        """Actions in words."""
        return [self.texts[number] for number in numbers]

    def read(self, text: str) -> int:
        """The number of an action in any form that the game accepts."""
        number = self.numbers.get(text)
        return self._notation.parse_action(text) if number is None else number


def _format(family: "Family", number: int) -> str:
    try:
        return family.notation.format_action(number)
    except NotationError:  # unused numbers, which are never legal
        return ""


@cache
def actions_of(family: "Family") -> Actions:
    """The actions of a game."""
    return Actions(family)
