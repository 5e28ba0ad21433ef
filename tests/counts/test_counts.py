"""How many action sequences there are to each depth, by kernels and by the slow engine.

totals.json holds for each case the number of sequences of 1, 2, 3 ... actions. A deal that ends
sooner has no longer ones.
"""

import copy
import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from positions import Table, gin_table, scaled
from reference.cards import PACK
from reference.rng import shuffled
from undercut.core.jit import specialise
from undercut.core.records import new
from undercut.games.families import parse_game, rule_sets
from undercut.games.rummy import rules as rummy
from undercut.play.loop import apply, legal

TOTALS: dict[str, list[int]] = json.loads((Path(__file__).parent / "totals.json").read_text())

# Fixed deals


def _dealt(game: str, seed: int) -> Table:
    """The deal that a seed names."""
    return Table(parse_game(game), [PACK[card] for card in shuffled(list(range(52)), seed)])


def _rich(game: str) -> Table:
    """Both players can knock at once, or nearly so."""
    return gin_table(
        seat0="3c 3d 3h 4c 4d 4h 5c 5d 5h As",
        seat1="8s 8h 9s 9h Ts Th Js Jh 2d 2c",
        upcard="6c",
        stock="Ks 2s Ad",
        game=game,
    )


def _knocked(game: str) -> Table:
    """A knock with a choice of melds; the other's melds and lay-offs compete."""
    table = gin_table(
        seat0="5d 6d 7d 8c 8h 8s Jc Qc Kc 2h",
        seat1="8d 9d 4d 5h 6h 7h 9h 9s Tc 3s",
        upcard="Ah",
        stock="Ks",
        game=game,
    )
    return table.play("pass", "pass", "draw", "knock Ks")


def _rich_rummy(game: str) -> Table:
    """Two melds in the first hand, one in the other, and lay-offs between them."""
    first, second = "5h 6h 7h 7c 7d 7s 2c 9d Jd Kh", "8h 9h Th 3c 4c 5c 3s Ks Qd Ad"
    named = [*first.split(), *second.split(), "4h"]
    return Table(parse_game(game), [*named, *(card for card in PACK if card not in named)])


def _last_of_stock(game: str) -> Table:
    """One card is left in the stock; there are melds on the table."""
    table = _rich_rummy(game)
    table.play("take", "meld 5h 6h 7h", "lay 4h on 5h", "discard Kh")
    table.play("draw", "meld 3c 4c 5c", "lay 8h on 7h", "discard Ks")
    while table.state["stock"] > 1:
        table.play("draw")
        table.apply(max(action for action in table.actions() if action < rummy.DRAW))
    return table


RICH = ["gin", "gin:knock_limit=99", "distilled+knock", "distilled+upcard"]
KNOCKS = [
    "gin",
    "gin:knock_limit=30",
    "gin:eaai_auto_layoff=1",
    "gin:layoffs=0",
    "gin:face_points=13,knock_limit=13",
    "distilled+upcard+knock",
]
DEALT = rule_sets("gin") + rule_sets("rummy")
ENDS = [*rule_sets("rummy"), "rummy:turnovers=0"]

CASES: dict[str, Callable[[], Table]] = (
    {f"{game} #{seed}": partial(_dealt, game, seed) for game in DEALT for seed in (1, 2)}
    | {f"{game}, rich hands": partial(_rich, game) for game in RICH}
    | {f"{game}, after a knock": partial(_knocked, game) for game in KNOCKS}
    | {f"{game}, rich hands": partial(_rich_rummy, game) for game in rule_sets("rummy")}
    | {f"{game}, last of the stock": partial(_last_of_stock, game) for game in ENDS}
)
every_case = pytest.mark.parametrize("case", CASES)


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


def test_every_case_has_its_totals() -> None:
    assert set(TOTALS) == set(CASES)


@every_case
def test_kernels_find_the_stored_totals(case: str) -> None:
    table = CASES[case]()
    for depth, total in enumerate(TOTALS[case], start=1):
        if total > scaled(10**9, 2_000):
            break
        found = count(table, depth)
        assert found == total, f"depth {depth}: {found}, by first action {subtotals(table, depth)}"


@every_case
def test_the_slow_engine_finds_the_same(case: str) -> None:
    table = CASES[case]()
    for depth, total in enumerate(TOTALS[case], start=1):
        if total > scaled(1_500, 300):
            break
        expected = slow_subtotals(table.slow_twin(), depth)
        assert sum(expected.values()) == total, f"depth {depth}: slowly {expected}"
        assert subtotals(table, depth) == expected


@pytest.mark.parametrize("game", ["gin", "rummy"])
def test_deals_by_seed_are_those_of_the_package(game: str) -> None:
    """So that a count is of a deal anybody can play."""
    from undercut.play.deal import Deal

    for seed in (1, 2):
        table, deal = _dealt(game, seed), Deal(parse_game(game), seed)
        for seat in (0, 1):
            assert table.view(seat).tobytes() == deal.view(seat).tobytes()
