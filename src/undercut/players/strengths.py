"""The measured strength of the agents: one file for the command line and for the docs.

`python benchmarks/strengths.py` measures it.
"""

from pathlib import Path

import msgspec

from undercut.games.contract import Level
from undercut.games.families import find_family
from undercut.players.catalog import agent_names

FILE = Path(__file__).with_name("strengths.json")


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The share of games that an agent won against the reference, every deal in both seatings."""

    win_rate: float
    ci95: tuple[float, float]
    games: int
    seed: int
    device: str
    command: str  # that measures it again
    settings: dict[str, float]  # of the agent when it was measured
    microseconds: float  # a decision takes, asked from Python one at a time


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agents of a game, all against one of them."""

    game: str
    reference: str
    strengths: dict[str, Strength]  # by spec


def measured_specs(name: str) -> list[str]:
    """The agents that the ladder of a game has."""
    family = find_family(name)
    agents = [*agent_names(family), *family.also_measured]
    return [*agents, *(level.name for level in family.levels if level.spec not in agents)]


def strength_of(level: Level, ladder: Ladder | None) -> Strength | None:
    """How strong a level is: itself, or the agent that plays it as it is."""
    known = ladder.strengths if ladder is not None else {}
    return known.get(level.name, known.get(level.spec))


def ranked(names: list[str], ladder: Ladder | None) -> list[str]:
    """Agents by their measured strength, the strongest first; then those never measured, by name."""
    known = ladder.strengths if ladder is not None else {}
    return sorted(names, key=lambda name: (-known[name].win_rate if name in known else 1.0, name))


def load_ladders(file: Path = FILE) -> dict[str, Ladder]:
    """The measured ladders by the name of their game."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Ladder])
