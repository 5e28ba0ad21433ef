"""The rule sets and agents that the contract tests go through."""

from typing import Any

import pytest

from undercut.core.jit import COMPILED
from undercut.games.agents import all_agents
from undercut.games.contract import Game
from undercut.games.families import parse_game, rule_sets

ODD: dict[str, list[str]] = {
    "gin": [
        "gin:face_points=13",
        "gin:eaai_auto_layoff=1",
        "gin:layoffs=0",
        "gin:knock_face_down=1",
        "gin:knock_limit=0",
        "gin:knock_limit=99",
        "gin:void_stock=0",
        "gin:void_stock=30,void_alternates=1",
        "gin:max_discard_takes=1",
        "gin:upcard=0,automatic_gin=1",
        "gin:gin_bonus=0,undercut_bonus=7",
        "distilled+knock:face_points=13,knock_limit=30",
        "distilled+upcard+knock:knock_face_down=1,eaai_auto_layoff=1,max_discard_takes=3",
    ],
    "rummy": [
        "rummy:turnovers=0,tie_points=7",
        "rummy:max_turns=40,turnovers=-1,rummy_doubles=0",
        "rummy-classic:turnovers=1,alternate_starter=0",
    ],
    "pharaoh": [
        "pharaoh:players=3",
        "pharaoh:players=8",
        "pharaoh:deal=13,upcard_effects=1,quad_effects=1",
        "pharaoh:players=3,heart_seven_returns=1,aces_stack=0",
        "pharaoh:players=5,over_on_active=1,quads=0,seven_cards=2",
        "pharaoh:players=6,leaves_under=0,most_cards=2,stop_rounds=1,max_moves=60",
        "prsi:players=4,deal=5,heart_seven_returns=1",
    ],
}
"""By the name of a rules module."""

NAMES = rule_sets()
EVERY = NAMES + [name for names in ODD.values() for name in names]


def quick_agents(game: Game) -> list[str]:
    """The agents that neither search nor sample."""
    slow = {"iterations", "samples"}
    entries = all_agents(game.family).items()
    return [name for name, entry in entries if not slow & set(entry.options)]


def quick_specs(game: Game) -> list[str]:
    """The agents of a game, those that search or sample in a hurry.

    Interpreted, searches take too long even so, and what is one kernel with other settings is
    tried once.
    """
    entries = all_agents(game.family)
    kernels = {entry.choose: name for name, entry in reversed(entries.items())}
    specs = []
    for name, entry in entries.items():
        if "iterations" in entry.options:
            specs += [f"{name}:iterations=20"] if COMPILED else []
        elif COMPILED or kernels[entry.choose] == name:
            specs.append(
                f"{name}:samples={4 if COMPILED else 1}" if "samples" in entry.options else name
            )
    return specs


def some_of(names: list[str]) -> list[str]:
    """All of these; interpreted, when everything takes a hundred times as long, every third."""
    return names if COMPILED else names[::3]


def each_of(names: list[str]) -> Any:
    """A test for each of these rule sets, which it takes as `game`; interpreted for some."""
    chosen = some_of(names)
    return pytest.mark.parametrize("game", [parse_game(name) for name in chosen], ids=chosen)


every_game = each_of(NAMES)
every_option = each_of(EVERY)
