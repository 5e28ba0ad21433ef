"""The rule sets and agents that the contract tests go through."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Any, TypeVar

import pytest

from helpers import helpers_for
from undercut.games.contract import Game
from undercut.games.families import FAMILIES, all_families, parse_game, rule_sets
from undercut.kernels.jit import COMPILED
from undercut.players.catalog import all_agents
from undercut.players.entry import Declaration
from undercut.players.search.champion import ChampionEntry

Item = TypeVar("Item")
SHIPPED = [name for name, family in FAMILIES.items() if "undercut." in str(family)]
"""The games of the package; the tests know one more, from examples."""

NAMES = rule_sets()
EVERY = NAMES + [name for family in all_families() for name in helpers_for(family.rules).odd]


def quick_agents(game: Game) -> list[str]:
    """The agents that neither search nor sample."""
    slow = {"iterations", "samples"}
    entries = all_agents(game.family).items()
    return [name for name, entry in entries if not slow & set(entry.options)]


@cache
def quick_specs(game: Game) -> list[str]:
    """The agents of a game, those that search or sample in a hurry.

    Interpreted, searches take too long even so, sampling is tried in one rule set, and what is one
    kernel with other settings is tried once. A champion is tried in one rule set: its evaluator has
    tests of its own for each. So is a network that plays like the guide with fewer weights.
    """
    entries = all_agents(game.family)
    kernels = {_kernel(entry): name for name, entry in reversed(entries.items())}
    specs = []
    for name, entry in entries.items():
        is_once = isinstance(entry, ChampionEntry) or name == game.family.rollouts
        if is_once and game.name != game.family.measured_at:
            continue
        if "iterations" in entry.options:
            specs += [f"{name}:iterations=20"] if COMPILED else []
        elif "samples" in entry.options:
            if COMPILED:
                specs.append(f"{name}:samples=4")
            elif kernels[_kernel(entry)] == name and game.name == game.family.measured_at:
                specs.append(f"{name}:samples=1")
        elif COMPILED or kernels[_kernel(entry)] == name:
            specs.append(name)
    return specs


def _kernel(entry: Declaration) -> object:
    return getattr(entry, "choose", entry)


def some_of(names: list[str]) -> list[str]:
    """All of these; interpreted, when everything takes a hundred times as long, some of each game.

    The first of a game, and an eighth of the others by a chance of its own: another game, or
    another rule set of another game, changes nothing.
    """
    if COMPILED:
        return names
    chosen = []
    for family in dict.fromkeys(map(_family, names)):
        first, *others = [name for name in names if _family(name) == family]
        chosen += [first, *Random(family).sample(others, (len(others) + 4) // 8)]
    return chosen


def sample(game: Game, compiled: int, interpreted: int) -> int:
    """A sample size: all of it for a game as it is, a fifth for its other rule sets.

    These share nearly all its kernels, and play other deals: see `chance_of`.
    """
    whole = compiled if COMPILED else interpreted
    return whole if game.name == next(iter(game.rules.PRESETS)) else -(-whole // 5)


def at_least(items: Iterable[Item], count: int, is_enough: Callable[[], bool]) -> Iterator[Item]:
    """The first items, and more of them until it is enough: a small sample may be one-sided."""
    for place, item in enumerate(items):
        if place >= count and is_enough():
            return
        yield item


def chance_of(game: Game, seed: int) -> Random:
    """Chance of its own for every rule set, so that together they see more deals."""
    return Random(f"{game.name} {seed}")


def _family(name: str) -> str:
    return parse_game(name).family.name


def each_of(names: list[str]) -> Any:
    """A test for each of these rule sets, which it takes as `game`; interpreted for some."""
    chosen = some_of(names)
    return pytest.mark.parametrize("game", [parse_game(name) for name in chosen], ids=chosen)


every_game = each_of(NAMES)
every_option = each_of(EVERY)
