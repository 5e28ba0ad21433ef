"""House rules in a card player's words, for screens that offer them.

A game declares its options once, in `rules`. Here it says which of them belong together, what each
means at a table, and what else has to change with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from undercut.text.translation import mark

LENGTH = ("target", "deals")  # options for the length of a match
SEATS = "players"  # the option for the number of players


class Need(NamedTuple):
    """If a rule gets `value`, then `option` must be `then`."""

    value: int
    option: str
    then: int


@dataclass(frozen=True)
class HouseRule:
    """An option: a switch, a number, or a choice between values with names."""

    option: str
    words: str
    example: str = ""
    choices: tuple[tuple[int, str], ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class HouseGroup:
    """House rules that belong together."""

    title: str
    rules: tuple[HouseRule, ...]


def first_starter(other: str) -> HouseRule:
    """Who begins the first deal of a match; `other` is the second player, in words."""
    choices = (-1, mark("chance decides")), (0, mark("you")), (1, other)
    return HouseRule("first_starter", mark("Who begins the first deal"), choices=choices)


def offered(groups: Iterable[HouseGroup]) -> list[str]:
    """The options of some groups."""
    return [rule.option for group in groups for rule in group.rules]
