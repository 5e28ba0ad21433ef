"""The trace of a match: for each choice the place of the chosen action among the legal ones.

The loop that plays writes it. What leaves no choice is not written down, since `advance` plays it
anyway. With the number of a match and its trace everything else follows: its record, the views and
hands of its decisions for training, the match itself. No agent is asked again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Game, Rules
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel, specialise, specialise_part
from undercut.kernels.records import (
    Array,
    Buffer,
    Columns,
    Options,
    Records,
    Seat,
    State,
    new,
    pack,
)
from undercut.play.batch import Batch
from undercut.play.fused.loop import advance, begin_match, bind_rules, observe
from undercut.play.match import Match
from undercut.play.records.event_log import Note
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header
from undercut.play.series import MATCH, MatchRecord, Series, trace_type
from undercut.text.errors import RecordError


@hole
def is_concealed(state: State) -> bool: ...
@hole
def replay(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    views: Records,
    hands: Buffer,
    actions: Buffer,
    points: Buffer,
) -> int: ...


def _replay(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    views: Records,
    hands: Buffer,
    actions: Buffer,
    points: Buffer,
) -> int:
    """Play a match again; fill in each decision, as far as there is room.

    Returns how many decisions there are, or NONE if the trace is not that of a match.
    """
    begin_match(match, series, number, options, generators)
    used, decisions, of_deal = 0, 0, 0
    count = advance(match, series, state, options, generators, NONE, out)
    while count > 0:
        if used == len(codes) or codes[used] >= count:
            return NONE
        seat, action = int(state.seat), int(out[codes[used]])
        if is_concealed(state):
            if decisions < len(views):
                observe(state, options, seat, views[decisions])
                for other in range(series.seats):
                    hands[decisions, other] = state.hands[other]
                actions[decisions] = action
            decisions += 1
        used += 1
        deals = match.deals
        count = advance(match, series, state, options, generators, action, out)
        if match.deals > deals:
            for i in range(of_deal, min(decisions, len(views))):
                points[i] = match.gained[views[i].me]
            of_deal = decisions
    return decisions if used == len(codes) else NONE


def _replay_all(
    numbers: Buffer,
    matches: Records,
    series: Records,
    states: Records,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    ends: Buffer,
    views: Records,
    hands: Buffer,
    actions: Buffer,
    points: Buffer,
    decisions: Buffer,
) -> None:
    """Match i has the codes up to ends[i, 0] and the decisions up to ends[i, 1]."""
    for i in range(len(numbers)):
        first_code = int(ends[i - 1, 0]) if i else 0
        first_view = int(ends[i - 1, 1]) if i else 0
        rows = slice(first_view, int(ends[i, 1]))
        decisions[i] = replay(
            matches[0],
            series[0],
            int(numbers[i]),
            states[0],
            options,
            generators,
            out,
            codes[first_code : int(ends[i, 0])],
            views[rows],
            hands[rows],
            actions[rows],
            points[rows],
        )


@kernel
def _always(state: State) -> bool:
    """What `is_concealed` is for a game that does not say: every choice is a decision."""
    return True


@cache
def _replay_kernel(rules: Rules) -> Callable[..., None]:
    bound = {**vars(bind_rules(rules)), "is_concealed": getattr(rules, "is_concealed", _always)}
    replay = specialise_part(_replay, rules.NAME, **bound)
    return specialise(_replay_all, rules.NAME, **bound, replay=replay)


@dataclass(frozen=True)
class Decisions:
    """The choices of some matches that were made while hands were concealed, a row for each."""

    views: Columns  # what the seat on turn knew
    hands: Buffer  # what every seat held, by seat
    actions: Buffer  # what was played
    points: Buffer  # that the deal brought the seat on turn


def replay_decisions(
    game: Game, series: Columns, numbers: Buffer, codes: Array, ends: Buffer
) -> Decisions:
    """All decisions of some matches of a series, one after another.

    `codes` are their traces one after another. Match i ends before code ends[i, 0] and before
    decision ends[i, 1]. Several threads may do this at once.
    """
    total = int(ends[-1, 1])
    views = new(game.rules.VIEW, total)
    hands = np.zeros((total, game.seats), dtype=np.int64)
    actions, points = np.zeros((2, total), dtype=np.int64)
    found = _run(game, series, numbers, codes, ends, views, hands, actions, points)
    wrong = np.flatnonzero(found != np.diff(ends[:, 1], prepend=0))
    if len(wrong):
        raise RecordError(f"match {numbers[wrong[0]]} does not replay as it was written down")
    return Decisions(views, hands, actions, points)


def count_decisions(batch: Batch) -> Buffer:
    """For each match of a batch that was traced whole, how many decisions it has."""
    assert batch.is_traced, "every choice was traced"
    lengths = batch.results.choices.astype(np.int64)
    codes = np.concatenate(
        [row[:length] for row, length in zip(batch.traces, lengths, strict=True)]
    )
    ends = np.stack([np.cumsum(lengths), np.zeros_like(lengths)], axis=1)
    nothing = np.zeros((2, 0), dtype=np.int64)
    views, hands = new(batch.game.rules.VIEW, 0), np.zeros((0, batch.game.seats), dtype=np.int64)
    numbers = batch.first + np.arange(len(batch))
    return _run(batch.game, batch.series, numbers, codes, ends, views, hands, *nothing)


def _run(
    game: Game, series: Columns, numbers: Buffer, codes: Array, ends: Buffer, *rows: Array
) -> Buffer:
    decisions = np.zeros(len(numbers), dtype=np.int64)
    _replay_kernel(game.rules)(
        np.asarray(numbers, dtype=np.int64),
        new(MATCH, 1),
        series,
        new(game.rules.STATE, 1),
        pack(game.options),
        new(rng.GENERATOR, game.seats + 1),
        np.zeros(game.rules.LEGAL, dtype=np.int64),
        np.ascontiguousarray(codes, dtype=trace_type(game.rules)),
        ends,
        *rows,
        decisions,
    )
    return decisions


def replay_match(
    batch: Batch, index: int, note: Note | None = None, seat: Seat | None = None
) -> Match:
    """One match of a batch that was traced, played again through the checked door."""
    choices = int(batch.results.choices[index])
    if choices > batch.traces.shape[1]:
        raise RecordError(
            f"match {index}: {choices} choices, but only {batch.traces.shape[1]} were traced"
        )
    pair = (batch.first + index) // batch.games_in_round
    match = Match.from_seed(batch.game, batch.seed, pair, batch.max_deals, note, seat)
    places = iter(batch.traces[index][:choices].tolist())
    while not match.is_over:
        deal = match.next_deal() if match.deal.is_over else match.deal
        legal = deal.actions
        place = 0 if len(legal) == 1 else next(places, NONE)
        if place == NONE:  # an agent failed there, and forfeited the match
            match.leave(int(batch.results.is_stopped[index]) - 1)
            break
        match.apply(legal[place])
    return match


def record_events(batch: Batch, index: int, seat: Seat | None = None) -> list[Event]:
    """The record of one match of a batch that was traced, in full or as a seat may know it."""
    players = [batch.agents[agent] for agent in batch.lineups[index]]
    is_left = bool(batch.results.is_stopped[index])
    events: list[Event] = [header(batch.game, players, seat, left=is_left)]
    replay_match(batch, index, events.append, seat)
    return events


def record_of(batch: Batch, index: int, seat: Seat | None = None) -> str:
    """The text of that record."""
    return format_record(record_events(batch, index, seat))
