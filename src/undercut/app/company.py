"""The players at a table as people see them: their names and faces."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import NamedTuple

from undercut.games.characters import ROBOT, seated
from undercut.games.table.description import YOU, as_sentence
from undercut.kernels.records import Seat
from undercut.text.printable import printable
from undercut.text.translation import say, say_as

LONGEST = 20  # letters of a person's name
FACE = "^[a-z]{0,12}$"  # the name of a face


class Person(NamedTuple):
    """What a person has said about himself."""

    name: str = ""
    face: str = ""


class Player(NamedTuple):
    """A player at a table."""

    name: str
    face: str  # a picture of app/web/static/faces.svg; "" if a person has chosen none
    level: str = ""  # of an opponent, in words


def company(
    players: Sequence[str], called: Sequence[str], people: Mapping[Seat, Person] | None = None
) -> tuple[Player, ...]:
    """The players by seat, given their specs, YOU for a person; equal names get a letter each.

    `called` are the names of agents that are no level, `people` those of people.

    >>> [player.name for player in company(["you", "expert", "simple"], ["you", "", "simple"])]
    ['Player 1', 'Irma', 'Simple']
    """
    found = []
    for seat, character in enumerate(seated(players)):
        if players[seat] == YOU:
            person = (people or {}).get(seat, Person())
            name = person.name or say("Player {number}", number=seat + 1)
            found.append(Player(name, person.face))
        elif character is None:
            found.append(Player(as_sentence(called[seat]), ROBOT))
        else:
            level = as_sentence(say(players[seat]))
            found.append(Player(say_as("player", character.name), character.face, level))
    return tuple(_lettered(found))


def _lettered(players: Sequence[Player]) -> Sequence[Player]:
    names = [player.name for player in players]
    letters = {name: iter(ascii_uppercase) for name in names if names.count(name) > 1}
    return [
        player._replace(name=f"{player.name} {next(letters[player.name])}")
        if player.name in letters
        else player
        for player in players
    ]


def read_name(text: str) -> str:
    """A person's name as others see it; "" for none, and for a name that means the reader.

    >>> read_name("  eva   k. "), read_name("You")
    ('Eva k.', '')
    """
    name = as_sentence(printable(" ".join(text.split()))[:LONGEST].strip())
    return "" if name.casefold() in (YOU, say(YOU).casefold()) else name
