"""The opponents as characters: a name, a face, and a line for each level.

The first opponent of a level is the character of that level. Others of the same level at one table
are guests, each of whom has a seat.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from undercut.text.translation import mark, mark_as


class Character(NamedTuple):
    """Somebody to play against."""

    name: str  # the face of this name, in small letters, is in app/web/static/faces.svg
    line: str = ""

    @property
    def face(self) -> str:
        """The name of the picture."""
        return self.name.lower()


CHARACTERS: Mapping[str, Character] = {
    "beginner": Character(
        mark_as("player", "Nina"), mark("Learned the game last week, and laughs when she loses.")
    ),
    "casual": Character(
        mark_as("player", "Hugo"), mark("Comes for the company, and tells stories between moves.")
    ),
    "regular": Character(
        mark_as("player", "Marta"), mark("Has played every Friday for thirty years.")
    ),
    "skilled": Character(
        mark_as("player", "Viktor"), mark("Quick and sure of himself. Beat him and he wants more.")
    ),
    "expert": Character(
        mark_as("player", "Irma"), mark("Gives nothing away, least of all a card you need.")
    ),
    "master": Character(mark_as("player", "Oskar"), mark("Says little, misses nothing.")),
    "grandmaster": Character(
        mark_as("player", "Olga"), mark("Thinks for a while, then plays what you had feared.")
    ),
}
"""By the name of a level."""

GUESTS: Sequence[Character] = (
    Character(mark_as("player", "Adam")),
    Character(mark_as("player", "Klara")),
    Character(mark_as("player", "Emil")),
    Character(mark_as("player", "Ida")),
    Character(mark_as("player", "Filip")),
    Character(mark_as("player", "Julia")),
    Character(mark_as("player", "Leo")),
    Character(mark_as("player", "Zora")),
)
"""By seat, for further opponents of a level."""

STARS: Mapping[str, float] = {
    "beginner": 1,
    "casual": 2,
    "regular": 3,
    "skilled": 3.5,
    "expert": 4,
    "master": 4.5,
    "grandmaster": 5,
}
"""The strength of a level, of five stars: the order of the measured strengths, not their size."""

ROBOT = "robot"  # the face of an agent that is no level


def seated(players: Sequence[str]) -> tuple[Character | None, ...]:
    """The character in each seat, given the specs of the players; None for others than levels.

    >>> [who and who.name for who in seated(["you", "expert", "simple", "expert"])]
    [None, 'Irma', None, 'Ida']
    """
    found = []
    for seat, player in enumerate(players):
        first = CHARACTERS.get(player)
        found.append(first if first is None or player not in players[:seat] else GUESTS[seat])
    return tuple(found)
