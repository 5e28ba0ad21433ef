"""A series of matches: the layouts of the series, of a match in progress and of a result.

The number of a match in its series determines its cards, its seating and its agents' random
numbers. A kernel needs only that number to play the match, and only the result is stored.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from undercut.games.contract import MAX_SEATS, TALLIES, Game, Rules
from undercut.kernels.records import Columns, Layout, Record, new
from undercut.play.seating import MAX_ORDERS, groups_of, seatings
from undercut.play.seeds import check_seed
from undercut.text.errors import OptionsError

Series: TypeAlias = Record  # of the layout SERIES
MatchRecord: TypeAlias = Record  # of the layout MATCH
Result: TypeAlias = Record  # of the layout that `result_layout` gives

SERIES = np.dtype(
    [
        ("seed", "i8"),
        ("seats", "i8"),
        ("max_deals", "i8"),  # matches end after this many deals; 0: no limit
        ("games_in_round", "i8"),  # the consecutive matches that share the same deals
        ("draws_lots", "i8"),  # whether seats within a group of agents are random
        ("groups", "i8", MAX_SEATS),  # for each agent
        ("choosers", "i8", MAX_SEATS),  # for each agent, the index of its kernel
        ("orders", "i8", (MAX_ORDERS, MAX_SEATS)),  # the seatings of a round
    ],
    align=True,
)

MATCH = np.dtype(
    [
        ("number", "i8"),  # in its series; seeds the agents' generators
        ("round_number", "i8"),  # seeds the deals
        ("agents", "i8", MAX_SEATS),  # for each seat, the number of its agent
        ("choosers", "i8", MAX_SEATS),  # for each seat, the index of its kernel
        ("deals", "i8"),  # how many are over
        ("starter", "i8"),
        ("is_over", "i8"),
        ("is_stopped", "i8"),  # by an illegal action, in the checked build
        ("actions", "i8"),
        ("choices", "i8"),  # how many actions were not forced
        ("scores", "i8", MAX_SEATS),
        ("gained", "i8", MAX_SEATS),  # in the latest deal
        ("tally", "i8", TALLIES),
    ],
    align=True,
)
"""A match in progress."""


def result_layout(rules: Rules) -> Layout:
    """The layout of a match result. It is narrow because a GPU copies millions of them."""
    return np.dtype(
        [
            ("deals", "i4"),
            ("actions", "i4"),
            ("choices", "i4"),
            ("is_stopped", "i4"),  # 1 + the seat that forfeited: play/event_agents.py
            ("scores", "i4", rules.SEATS[1]),
            ("tally", "i4", max(1, len(rules.TALLY))),
        ]
    )


def trace_type(rules: Rules) -> np.dtype[np.uint8 | np.uint16]:
    """The type of a trace: for each decision, the index of the action among the legal ones."""
    return np.dtype(np.uint8 if rules.LEGAL <= 256 else np.uint16)


def make_series(
    game: Game,
    agents: Sequence[object],
    seed: int,
    max_deals: int = 0,
    choosers: Sequence[int] = (),
) -> Columns:
    """The series of these agents. An object that is given twice counts as one agent."""
    if len(agents) != game.seats:
        raise OptionsError(f"{len(agents)} agents: {game.name} has {game.seats} seats")
    orders, groups = seatings(agents), groups_of(agents)
    series = new(SERIES, 1)
    series.seed = check_seed(seed)
    series.seats = game.seats
    series.max_deals = max_deals
    series.games_in_round = len(orders)
    series.draws_lots = len(set(groups)) < len(agents)
    series.groups[0, : len(groups)] = groups
    series.choosers[0, : len(agents)] = choosers or range(len(agents))
    series.orders[0, : len(orders), : game.seats] = orders
    return series
