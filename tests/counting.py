"""How many action sequences there are to each depth, by kernels and by a slow engine."""

import copy
from functools import cache
from typing import Any

import numpy as np

from cards.reference.cards import PACK
from kernels.reference.rng import shuffled
from positions import Table, scaled
from undercut.games.families import parse_game
from undercut.games.rules.holes import apply, legal
from undercut.kernels.jit import specialise
from undercut.kernels.records import new
from undercut.play.deal import Deal


def dealt(game: str, seed: int) -> Table:
    """The deal of a game with French cards that a seed names."""
    return Table(parse_game(game), [PACK[card] for card in shuffled(list(range(52)), seed)])


# Counting with kernels


def _count(states: Any, options: Any, actions: Any, counts: Any, depth: int) -> int:
    """Sequences of `depth` actions from states[0]; one state and one row of actions a level."""
    counts[0] = legal(states[0], options, actions[0])
    level, total = 0, 0
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif counts[level] == 0:
            level -= 1
        else:
            counts[level] -= 1
            states[level + 1] = states[level]
            apply(states[level + 1], options, actions[level, counts[level]])
            level += 1
            counts[level] = legal(states[level], options, actions[level])
    return total


@cache
def _counter(rules: Any) -> Any:
    return specialise(_count, rules.NAME, legal=rules.legal, apply=rules.apply)


def count(table: Table, depth: int) -> int:
    """How many sequences of so many actions there are."""
    states = new(table.rules.STATE, depth + 1)
    states[0] = table.state
    actions = np.zeros((depth + 1, table.rules.LEGAL), dtype=np.int64)
    counts = np.zeros(depth + 1, dtype=np.int64)
    return int(_counter(table.rules)(states, table.options, actions, counts, depth))


def subtotals(table: Table, depth: int) -> dict[str, int]:
    """The count of each first action."""
    found = {}
    for action in table.legal():
        twin = table.copy()
        twin.play(action)
        found[action] = count(twin, depth - 1) if depth > 1 else 1
    return found


# Counting with the slow engine


def slow_count(deal: Any, depth: int) -> int:
    if depth == 1:
        return len(deal.legal())
    return sum(slow_subtotals(deal, depth).values())


def slow_subtotals(deal: Any, depth: int) -> dict[str, int]:
    found = {}
    for action in deal.legal():
        twin = copy.deepcopy(deal)
        twin.replay(action)
        found[action] = slow_count(twin, depth - 1) if depth > 1 else 1
    return found


# What a game's tests compare


def check_kernels(table: Table, totals: list[int]) -> None:
    """The kernels find as many sequences of 1, 2, 3 ... actions."""
    for depth, total in enumerate(totals, start=1):
        if total > scaled(10**9, 2_000):
            break
        found = count(table, depth)
        assert found == total, f"depth {depth}: {found}, by first action {subtotals(table, depth)}"


def check_slow_engine(table: Table, totals: list[int]) -> None:
    """The slow engine finds the same, first action by first action."""
    for depth, total in enumerate(totals, start=1):
        if total > scaled(1_500, 300):
            break
        expected = slow_subtotals(table.slow_twin(), depth)
        assert sum(expected.values()) == total, f"depth {depth}: slowly {expected}"
        assert subtotals(table, depth) == expected


def check_deal_by_seed(table: Table, seed: int) -> None:
    """A table is the deal of a seed, so that a count is of a deal anybody can play."""
    deal = Deal(table.game, seed)
    for seat in range(table.game.seats):
        assert table.view(seat).tobytes() == deal.observe(seat).tobytes()
