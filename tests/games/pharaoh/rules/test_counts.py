"""How many sequences of moves there are to each depth, by kernels and by the specification."""

from random import Random

import pytest

from games.pharaoh.compare import specs
from games.pharaoh.positions import Table, dealt, placed, scaled, shuffled
from games.pharaoh.reference import rules as slow
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.kernels.records import new

TOTALS = {
    "pharaoh #1": [6, 16, 48, 201, 903, 2873, 17211],
    "pharaoh #2": [8, 65, 174, 947, 2588, 10702],
    "pharaoh:players=3 #3": [4, 30, 95, 251, 1303, 4087, 11435],
    "pharaoh:players=5,deal=3 #4": [1, 6, 13, 29, 53, 137, 404, 861, 2133, 5567, 16647],
    "pharaoh:players=8,deal=2 #5": [5, 8, 42, 221, 337, 456, 665, 1226, 2042, 3629, 8169],
    "pharaoh:deal=13 #6": [15, 1032, 10518],
    "prsi #7": [5, 12, 22, 44, 99, 197, 476, 1004, 2698, 5762, 16210],
    "prsi:players=4 #8": [1, 6, 11, 26, 104, 260, 514, 1204, 3785, 9727],
    "pharaoh:over_on_active=1,quads=0 #9": [2, 15, 59, 280, 866, 3514, 12517],
    "rich hands": [12, 66, 454, 2416, 14790],
}
every_case = pytest.mark.parametrize("case", TOTALS)


def _case(name: str) -> Table:
    if name == "rich hands":
        return placed("7H 7B 7C UL OH 8H", "7L UH AH AB OB 8B", pile="9H")
    game, _, seed = name.partition(" #")
    return dealt(shuffled(Random(int(seed))), game)


def count(table: Table, depth: int) -> int:
    """The number of sequences of this many moves; deals that end sooner have none."""
    actions = table.actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        twin = table.copy()
        twin.apply(action)
        total += count(twin, depth - 1)
    return total


def slow_count(state: slow.Spec, rules: dict[str, int], depth: int) -> int:
    moves = slow.legal(state, rules)
    if depth == 1:
        return len(moves)
    return sum(slow_count(slow.play(state, rules, move, []), rules, depth - 1) for move in moves)


@every_case
def test_kernels_find_the_stored_totals(case: str) -> None:
    for depth, total in enumerate(TOTALS[case], start=1):
        if total <= scaled(40_000, 1_500):
            assert count(_case(case), depth) == total, f"depth {depth}"


@every_case
def test_the_specification_finds_the_same(case: str) -> None:
    table = _case(case)
    rules = table.game.options._asdict()
    states = new(pharaoh.STATE, 1)
    states[0] = table.state
    state = next(specs(states, table.game.seats))
    for depth, total in enumerate(TOTALS[case], start=1):
        if total <= scaled(3_000, 500):
            assert slow_count(state, rules, depth) == total, f"depth {depth}"
