"""The seatings of a round: the matches that play the same deals.

Up to four players play the same deals in every order. Five or more would need at least 120 matches
for that. They get a random order in each round, and then rotate until everybody has had every seat.
Over many rounds every order occurs.

An agent that is given more than once does not exchange seats with itself. Equal orders are played
once, and random lots assign its numbers to its seats. Two players always exchange seats.
"""

from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Buffer, Columns, Records
from undercut.play.seeds import Purpose

if TYPE_CHECKING:
    from undercut.play.series import Series

EVERY_ORDER = 4  # this many players at most sit down in every order
MAX_ORDERS = factorial(EVERY_ORDER)


def seatings(agents: Sequence[object]) -> list[tuple[int, ...]]:
    """The seatings of one round, before lots: for each seat the number of an agent.

    >>> seatings("ab")
    [(0, 1), (1, 0)]
    >>> seatings("abb")
    [(0, 1, 2), (1, 0, 2), (1, 2, 0)]
    >>> len(seatings("abcd")), len(seatings("abcde"))
    (24, 5)
    """
    seats = len(agents)
    if seats > EVERY_ORDER:
        return [tuple((seat + shift) % seats for seat in range(seats)) for shift in range(seats)]
    groups = groups_of(agents)
    distinct: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in permutations(range(seats)):
        distinct.setdefault(tuple(groups[agent] for agent in order), order)
    return list(distinct.values())


def groups_of(agents: Sequence[object]) -> list[int]:
    """For each agent, the group within which lots assign seats; most have only one member."""
    if len(agents) == 2:
        return [0, 1]
    if len(agents) > EVERY_ORDER:
        return [0] * len(agents)
    first: dict[int, int] = {}
    return [first.setdefault(id(agent), number) for number, agent in enumerate(agents)]


@cold_kernel
def sit_down(series: "Series", number: int, agents: Buffer, lots: Buffer) -> None:
    """Write for each seat of a match the number of the agent that sits there, and the lots drawn."""
    order, seats = number % series.games_in_round, int(series.seats)
    if not series.draws_lots:
        for seat in range(seats):
            agents[seat] = series.orders[order, seat]
        return
    for agent in range(seats):
        lots[agent] = rng.derive(
            series.seed, Purpose.SEATING, number // series.games_in_round, agent
        )
    for seat in range(seats):
        agents[seat] = _drawn(series, int(series.orders[order, seat]), lots)


@kernel
def _drawn(series: "Series", place: int, lots: Buffer) -> int:
    """The agent in a place: the places of a group go to its agents in the order of their lots."""
    group, rank = int(series.groups[place]), 0
    for other in range(place):
        rank += int(series.groups[other] == group)
    for agent in range(series.seats):
        if series.groups[agent] == group and _rank(series, agent, lots) == rank:
            return agent
    return place


@kernel
def _rank(series: "Series", agent: int, lots: Buffer) -> int:
    """How many agents of its group have drawn a lower lot; of equal lots the first is the lower."""
    rank = 0
    for other in range(series.seats):
        if series.groups[other] == series.groups[agent]:
            is_lower = lots[other] < lots[agent]
            rank += int(is_lower or (lots[other] == lots[agent] and other < agent))
    return rank


@cold_kernel
def _sit_down_all(series: Records, first: int, line_ups: Buffer, lots: Buffer) -> None:
    for i in range(len(line_ups)):
        sit_down(series[0], first + i, line_ups[i], lots)


def line_ups(series: Columns, first: int, count: int) -> Buffer:
    """For each match and seat, the number of the agent that sits there."""
    seats = int(series.seats[0])
    found = np.zeros((count, seats), dtype=np.int64)
    _sit_down_all(series, first, found, np.zeros(seats, dtype=np.int64))
    return found
