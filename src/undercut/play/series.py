"""A series of matches: what all of them have in common, and what is kept of each.

A match is named by its number in a series. Its cards, who sits where and every agent's chance
follow from the number, so a kernel needs nothing else to play it, and nothing but its result
has to be stored.
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
        ("max_deals", "i8"),  # matches end after this many deals; 0: they are played to the end
        ("games_in_round", "i8"),  # this many matches in a row play the same deals
        ("draws_lots", "i8"),  # whether lots decide between agents of one group
        ("groups", "i8", MAX_SEATS),  # for each agent
        ("choosers", "i8", MAX_SEATS),  # for each agent, which of the fused kernels plays it
        ("orders", "i8", (MAX_ORDERS, MAX_SEATS)),  # the seatings of a round
    ],
    align=True,
)

MATCH = np.dtype(
    [
        ("number", "i8"),  # in its series; names the agents' chance
        ("round_number", "i8"),  # names the cards
        ("agents", "i8", MAX_SEATS),  # who sits in each seat
        ("choosers", "i8", MAX_SEATS),  # which of the fused kernels plays there
        ("deals", "i8"),  # that are over
        ("starter", "i8"),
        ("is_over", "i8"),
        (
            "is_stopped",
            "i8",
        ),  # by an illegal answer, in the checked build; see play/event_agents.py
        ("actions", "i8"),
        ("choices", "i8"),  # the actions that had an alternative
        ("scores", "i8", MAX_SEATS),
        ("gained", "i8", MAX_SEATS),  # in the latest deal
        ("tally", "i8", TALLIES),
    ],
    align=True,
)
"""A match in progress."""


def result_layout(rules: Rules) -> Layout:
    """What is kept of a match that is over, as narrow as it can be: a GPU sends millions back."""
    return np.dtype(
        [
            ("deals", "i4"),
            ("actions", "i4"),
            ("choices", "i4"),
            ("is_stopped", "i4"),  # where agents are told what happens: 1 + the seat that failed
            ("scores", "i4", rules.SEATS[1]),
            ("tally", "i4", max(1, len(rules.TALLY))),
        ]
    )


def trace_type(rules: Rules) -> np.dtype[np.uint8 | np.uint16]:
    """Of a trace, which has for each choice its place among the legal actions."""
    return np.dtype(np.uint8 if rules.LEGAL <= 256 else np.uint16)


def make_series(
    game: Game,
    agents: Sequence[object],
    seed: int,
    max_deals: int = 0,
    choosers: Sequence[int] = (),
) -> Columns:
    """The series in which these agents meet; one given twice is one agent."""
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
