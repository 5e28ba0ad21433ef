"""Replays from traces. A trace has the index of each chosen action among the legal ones.

The loop that plays a match writes its trace, without forced moves: `advance` plays those. The
number of a match and its trace determine the match, its record, and the training data of its
decisions. A replay needs no agents.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Game, Rules
from undercut.games.rules.holes import observe
from undercut.kernels.jit import hole, kernel, specialise, specialise_part
from undercut.kernels.records import Action, Array, Buffer, Columns, Records, Seat, State, new
from undercut.play.batch import Batch
from undercut.play.desk import Desk, advance, begin_match, bind_desk, make_desk
from undercut.play.match import Match
from undercut.play.records.event_log import Note
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header
from undercut.play.series import trace_type
from undercut.text.errors import RecordError


class Codes(NamedTuple):
    """The trace of a match that is replayed; the hook `answer` reads it."""

    places: Array


class Room(NamedTuple):
    """The buffers for the decisions of a match. Decisions beyond their length are only counted."""

    views: Records
    hands: Buffer
    actions: Buffer
    points: Buffer
    counts: Buffer  # the number of decisions, and of those in finished deals


@hole
def is_concealed(state: State) -> bool: ...
@hole
def replay(desk: Desk, number: int, codes: Codes, room: Room) -> int: ...


@kernel
def read_code(desk: Desk, row: int, count: int, extra: tuple[Codes, Any]) -> Action:
    """The hook `answer` of a replay; NONE if the trace does not fit the match."""
    places, choice = extra[0].places, int(desk.matches[row].choices) - 1
    if choice >= len(places) or places[choice] >= count:
        return NONE
    return int(desk.legal[row, places[choice]])


@kernel
def is_replayed(desk: Desk, row: int, left: int, codes: Codes) -> bool:
    """Whether the match is over and its trace is used up."""
    return left == 0 and desk.matches[row].choices == len(codes.places)


def _note_decision(desk: Desk, row: int, count: int, extra: tuple[Codes, Room]) -> Action:
    """The hook `answer` of a replay that writes each decision."""
    room, state, action = extra[1], desk.states[row], read_code(desk, row, count, extra)
    if action != NONE and is_concealed(state):
        place = int(room.counts[0])
        if place < len(room.views):
            observe(state, desk.options[0], int(state.seat), room.views[place])
            for other in range(desk.series[0].seats):
                room.hands[place, other] = state.hands[other]
            room.actions[place] = action
        room.counts[0] += 1
    return action


@kernel
def _note_points(desk: Desk, row: int, action: Action, extra: tuple[Codes, Room]) -> None:
    """The hook `after` of such a replay: write the points of the last deal."""
    room = extra[1]
    if action == NONE:
        for i in range(room.counts[1], min(room.counts[0], len(room.views))):
            room.points[i] = desk.matches[row].gained[room.views[i].me]
        room.counts[1] = room.counts[0]


def _replay(desk: Desk, number: int, codes: Codes, room: Room) -> int:
    """Replay a match and write its decisions.

    Returns the number of decisions, or NONE if the trace does not fit the match.
    """
    room.counts[0] = room.counts[1] = 0
    begin_match(desk, 0, number)
    left = advance(desk, 0, NONE, (codes, room))
    _note_points(desk, 0, NONE, (codes, room))
    return int(room.counts[0]) if is_replayed(desk, 0, left, codes) else NONE


def _replay_all(
    desk: Desk, numbers: Buffer, codes: Codes, ends: Buffer, room: Room, decisions: Buffer
) -> None:
    """Replay matches; codes and decisions of match i end before ends[i, 0] and ends[i, 1]."""
    for i in range(len(numbers)):
        first_code = int(ends[i - 1, 0]) if i else 0
        first_view = int(ends[i - 1, 1]) if i else 0
        rows = slice(first_view, int(ends[i, 1]))
        own = Room(
            room.views[rows], room.hands[rows], room.actions[rows], room.points[rows], room.counts
        )
        places = codes.places[first_code : int(ends[i, 0])]
        decisions[i] = replay(desk, int(numbers[i]), Codes(places), own)


@kernel
def _always(state: State) -> bool:
    """The default `is_concealed`: every decision of the deal counts."""
    return True


@cache
def _replay_kernel(rules: Rules) -> Callable[..., None]:
    own = {"is_concealed": getattr(rules, "is_concealed", _always), "observe": rules.observe}
    answer = specialise_part(_note_decision, rules.NAME, **own)
    bound = vars(bind_desk(rules, "trace", answer, after=_note_points, bind=specialise_part))
    replay = specialise_part(_replay, rules.NAME, **bound)
    return specialise(_replay_all, rules.NAME, **bound, replay=replay)


@dataclass(frozen=True)
class Decisions:
    """The decisions of some matches that were made while hands were concealed, a row for each."""

    views: Columns  # of the seat on turn
    hands: Buffer  # of every seat, hidden cards included
    actions: Buffer  # the chosen ones
    points: Buffer  # of the seat on turn, at the end of the deal


def replay_decisions(
    game: Game, series: Columns, numbers: Buffer, codes: Array, ends: Buffer
) -> Decisions:
    """All decisions of some matches of a series, concatenated.

    `codes` are their concatenated traces. Match i ends before code ends[i, 0] and before decision
    ends[i, 1]. Several threads may call this at once.
    """
    total = int(ends[-1, 1])
    views = new(game.rules.VIEW, total)
    hands = np.zeros((total, game.seats), dtype=np.int64)
    actions, points = np.zeros((2, total), dtype=np.int64)
    room = Room(views, hands, actions, points, np.zeros(2, dtype=np.int64))
    found = _run(game, series, numbers, codes, ends, room)
    wrong = np.flatnonzero(found != np.diff(ends[:, 1], prepend=0))
    if len(wrong):
        raise RecordError(f"match {numbers[wrong[0]]} does not replay as it was written down")
    return Decisions(views, hands, actions, points)


def count_decisions(batch: Batch) -> Buffer:
    """The number of decisions of each match of a batch with complete traces."""
    assert batch.is_traced, "every choice was traced"
    lengths = batch.results.choices.astype(np.int64)
    codes = np.concatenate(
        [row[:length] for row, length in zip(batch.traces, lengths, strict=True)]
    )
    ends = np.stack([np.cumsum(lengths), np.zeros_like(lengths)], axis=1)
    game, (actions, points) = batch.game, np.zeros((2, 0), dtype=np.int64)
    hands = np.zeros((0, game.seats), dtype=np.int64)
    room = Room(new(game.rules.VIEW, 0), hands, actions, points, np.zeros(2, dtype=np.int64))
    numbers = batch.first + np.arange(len(batch))
    return _run(game, batch.series, numbers, codes, ends, room)


def _run(
    game: Game, series: Columns, numbers: Buffer, codes: Array, ends: Buffer, room: Room
) -> Buffer:
    decisions = np.zeros(len(numbers), dtype=np.int64)
    places = np.ascontiguousarray(codes, dtype=trace_type(game.rules))
    desk, numbers = make_desk(game, series), np.asarray(numbers, dtype=np.int64)
    _replay_kernel(game.rules)(desk, numbers, Codes(places), ends, room, decisions)
    return decisions


def replay_match(
    batch: Batch, index: int, note: Note | None = None, seat: Seat | None = None
) -> Match:
    """Replay one match of a traced batch as a `Match`, with checked actions."""
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
        if place == NONE:  # the agent forfeited the match here
            match.leave(int(batch.results.is_stopped[index]) - 1)
            break
        match.apply(legal[place])
    return match


def record_events(batch: Batch, index: int, seat: Seat | None = None) -> list[Event]:
    """The events of one match of a traced batch, complete or as a seat may know them."""
    players = [batch.agents[agent] for agent in batch.lineups[index]]
    is_left = bool(batch.results.is_stopped[index])
    events: list[Event] = [header(batch.game, players, seat, left=is_left)]
    replay_match(batch, index, events.append, seat)
    return events


def record_of(batch: Batch, index: int, seat: Seat | None = None) -> str:
    """The record of one match of a traced batch, as text."""
    return format_record(record_events(batch, index, seat))
