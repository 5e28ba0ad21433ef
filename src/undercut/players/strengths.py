"""How strong the agents are, as measured: one file for the command line and for the docs.

`python benchmarks/strengths.py` measures it.
"""

from pathlib import Path
from zlib import crc32

import msgspec
import numpy as np

from undercut.games.contract import Level
from undercut.games.families import find_family, parse_game
from undercut.play.agent import KernelAgent
from undercut.players.catalog import agent_names, parse_agent
from undercut.text import files

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


def settings_of(name: str, spec: str) -> dict[str, float]:
    """What an agent plays with now: its numbers, and of a network a number that tells it from others."""
    agent = parse_agent(spec, parse_game(find_family(name).measured_at))
    assert isinstance(agent, KernelAgent)
    found: dict[str, float] = {}
    for field, value in agent.settings._asdict().items():
        if isinstance(value, int | float):
            found[field] = value
        elif isinstance(value, np.ndarray):
            found[field] = crc32(np.ascontiguousarray(value).tobytes())
    return found


def load_ladders(file: Path = FILE) -> dict[str, Ladder]:
    """What was measured, by the name of a game."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Ladder])


def save_ladders(ladders: dict[str, Ladder], file: Path = FILE) -> None:
    """Write it down, whole or not at all."""
    text = msgspec.json.format(msgspec.json.encode(ladders), indent=1) + b"\n"
    files.write_bytes(file, text)


def to_markdown(ladders: dict[str, Ladder]) -> str:
    """The tables of docs/results.md, the strongest agent first."""
    return "\n\n".join(_table(ladder) for ladder in ladders.values())


def _table(ladder: Ladder) -> str:
    rows: list[tuple[str, ...]] = [
        (
            ladder.game,
            f"wins against `{ladder.reference}`",
            "95 % interval",
            "matches",
            "measured by",
        ),
        ("---",) * 5,
    ]
    for spec in ranked(list(ladder.strengths), ladder):
        each = ladder.strengths[spec]
        low, high = each.ci95
        interval = f"{100 * low:.2f} – {100 * high:.2f}"
        command = f"`{each.command}`" + (" (on a GPU)" if each.device == "cuda" else "")
        rows.append((f"`{spec}`", f"{each.win_rate:.2%}", interval, f"{each.games:,}", command))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
