"""A series of matches: the layouts of the series, of a match in progress and of a result.

The number of a match in its series determines its cards, its seating and its agents' random
numbers. A kernel needs only that number to play the match, and only the result is stored.
"""

from collections.abc import Sequence
from typing import Annotated, Protocol

import numpy as np

from undercut.games.contract import MAX_SEATS, TALLIES, Game, Rules
from undercut.kernels.records import Array, Columns, Fields, Int32, Int64, Layout, layout_of, new
from undercut.play.seating import MAX_ORDERS, groups_of, seatings
from undercut.play.seeds import check_seed
from undercut.text.errors import OptionsError


class Series(Fields, Protocol):
    """The settings of all matches of a series."""

    seed: Int64
    seats: Int64
    max_deals: Int64  # matches end after this many deals; 0: they are played to the end
    games_in_round: Int64  # this many matches in a row play the same deals
    draws_lots: Int64  # whether lots decide between agents of one group
    groups: Annotated[Array, "i8", MAX_SEATS]  # for each agent
    choosers: Annotated[
        Array, "i8", MAX_SEATS
    ]  # for each agent, which of the fused kernels plays it
    orders: Annotated[Array, "i8", (MAX_ORDERS, MAX_SEATS)]  # the seatings of a round


SERIES = layout_of(Series)


class MatchRecord(Fields, Protocol):
    """A match in progress."""

    number: Int64  # in its series; names the agents' chance
    round_number: Int64  # names the cards
    agents: Annotated[Array, "i8", MAX_SEATS]  # who sits in each seat
    choosers: Annotated[Array, "i8", MAX_SEATS]  # which of the fused kernels plays there
    deals: Int64  # that are over
    starter: Int64
    is_over: Int64
    is_stopped: Int64  # by an illegal action; see play/event_agents.py
    actions: Int64
    choices: Int64  # the actions that had an alternative
    scores: Annotated[Array, "i8", MAX_SEATS]
    gained: Annotated[Array, "i8", MAX_SEATS]  # in the latest deal
    tally: Annotated[Array, "i8", TALLIES]


MATCH = layout_of(MatchRecord)


class Result(Fields, Protocol):
    """The result of a match, as narrow as it can be: a GPU sends millions back."""

    deals: Int32
    actions: Int32
    choices: Int32
    is_stopped: Int32  # in matches of event agents: 1 + the seat that failed
    scores: Annotated[Array, "i4"]
    tally: Annotated[Array, "i4"]


def result_layout(rules: Rules) -> Layout:
    """The layout of a Result, for the seats and the counts of a game."""
    return layout_of(Result, scores=rules.SEATS[1], tally=max(1, len(rules.TALLY)))


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
