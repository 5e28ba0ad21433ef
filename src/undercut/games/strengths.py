"""How strong the agents are, as measured: one file for the command line and for the docs.

`python benchmarks/strengths.py` measures it.
"""

from pathlib import Path
from typing import Any

import msgspec

from undercut.core import files
from undercut.core.agent import KernelAgent
from undercut.games.agents import ENTRIES, parse_agent
from undercut.games.families import parse_game

FILE = Path(__file__).with_name("strengths.json")
GAMES = {"gin": "gin", "rummy": "rummy", "pharaoh": "pharaoh:players=2"}
"""What is played to measure the agents of a rules module."""
REFERENCES = {"gin": "simple", "rummy": "greedy", "pharaoh": "smallest"}
MORE = {"gin": ("estimator:settings=printed",), "rummy": (), "pharaoh": ()}
"""What is measured beside the agents of the catalog."""


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
    """The agents of a rules module, all against one of them."""

    game: str
    reference: str
    strengths: dict[str, Strength]  # by spec


def measured_specs(rules: str) -> list[str]:
    """The agents that a ladder has."""
    return [*ENTRIES[rules], *MORE[rules]]


def settings_of(rules: str, spec: str) -> dict[str, float]:
    """What an agent plays with now: its numbers, not its network."""
    agent = parse_agent(spec, parse_game(GAMES[rules]))
    assert isinstance(agent, KernelAgent)
    fields = agent.settings._asdict().items()
    return {name: value for name, value in fields if isinstance(value, int | float)}


def load_ladders(file: Path = FILE) -> dict[str, Ladder]:
    """What was measured, by the name of a rules module."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Ladder])


def save_ladders(ladders: dict[str, Ladder], file: Path = FILE) -> None:
    """Write it down, whole or not at all."""
    text = msgspec.json.format(msgspec.json.encode(ladders), indent=1) + b"\n"
    files.write_bytes(file, text)


def to_markdown(ladders: dict[str, Ladder]) -> str:
    """The tables of docs/results.md, the strongest agent first."""
    return "\n\n".join(_table(ladder) for ladder in ladders.values())


def _table(ladder: Ladder) -> str:
    rows: list[tuple[Any, ...]] = [
        (
            ladder.game,
            f"wins against `{ladder.reference}`",
            "95 % interval",
            "games",
            "measured by",
        ),
        ("---",) * 5,
    ]
    ranked = sorted(ladder.strengths.items(), key=lambda item: -item[1].win_rate)
    for spec, each in ranked:
        low, high = each.ci95
        interval = f"{100 * low:.2f} – {100 * high:.2f}"
        command = f"`{each.command}`" + (" (on a GPU)" if each.device == "cuda" else "")
        rows.append((f"`{spec}`", f"{each.win_rate:.2%}", interval, f"{each.games:,}", command))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
