"""Who sits where: the games in which one series of deals is played.

Up to four players sit down to the same cards in every order. Five and more would need 120 games
and more for that; they draw lots for an order, anew for every round, and then move on by one seat
until everybody has sat everywhere. So over many rounds every order occurs.

An agent that is given more than once need not change places with itself: such orders are played
once, and lots decide which of its numbers sits where. Only two players always exchange seats.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.rng import Seed

SEATING_SEED = 4  # beside the purposes in play/fused.py and play/match.py
EVERY_ORDER = 4  # so many players at most sit down in every order


def seatings(agents: Sequence[Any]) -> list[tuple[int, ...]]:
    """The line-ups of one round, before lots are drawn: for each seat the number of an agent.

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
    groups = _groups(agents)
    distinct: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in permutations(range(seats)):
        distinct.setdefault(tuple(groups[agent] for agent in order), order)
    return list(distinct.values())


def line_ups(agents: Sequence[Any], seed: Seed, games: Any) -> Any:
    """For each of some games, by their numbers, and for each seat the number of an agent."""
    orders = np.array(seatings(agents))
    rounds, places = np.divmod(games, len(orders))
    chosen = orders[places]
    if len(set(_groups(agents))) == len(agents):
        return chosen
    numbers, of_game = np.unique(rounds, return_inverse=True)
    return np.take_along_axis(_lots(agents, seed, numbers)[of_game], chosen, axis=1)


def _groups(agents: Sequence[Any]) -> list[int]:
    """For each agent the group in which it draws lots; one that draws none is alone in its group."""
    if len(agents) == 2:
        return [0, 1]
    if len(agents) > EVERY_ORDER:
        return [0] * len(agents)
    first: dict[int, int] = {}
    return [first.setdefault(id(agent), number) for number, agent in enumerate(agents)]


def _lots(agents: Sequence[Any], seed: Seed, rounds: Any) -> Any:
    """For each round the agents' numbers, shuffled within each group."""
    groups = np.array(_groups(agents))
    lots = [
        [rng.derive(seed, SEATING_SEED, number, agent) for agent in range(len(agents))]
        for number in rounds.tolist()
    ]
    shuffled = np.lexsort((np.array(lots), np.tile(groups, (len(rounds), 1))), axis=1)
    numbers = np.empty_like(shuffled)
    numbers[:, np.argsort(groups, kind="stable")] = shuffled
    return numbers
