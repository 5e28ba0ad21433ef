"""The luck of a match: a control variate for its result, from the chance nodes of the match.

The deal and every card drawn face down are chance nodes, whose outcomes are equally likely. The
luck of a chance node is the value of its outcome minus the mean value of all outcomes. Its
expectation is exactly 0, for any players and any value function. A result minus its luck therefore
has the expectation of the result, and less variance the better the value function is. This is the
chance part of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, 2018).

The value function reads states, hidden cards included. So luck is computed here, from the traces of
finished matches, and no agent sees it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.games.rules.holes import apply
from undercut.kernels.jit import hole, kernel, kernel_name, specialise, specialise_part
from undercut.kernels.records import (
    Action,
    Array,
    Buffer,
    Floats,
    Options,
    Records,
    Settings,
    State,
    array_of,
    new,
)
from undercut.play.batch import Batch
from undercut.play.desk import Desk, advance, begin_match, bind_desk, make_desk
from undercut.play.fused.threads import work_on_threads
from undercut.play.job import Progress
from undercut.play.records.trace import Codes, is_replayed, read_code
from undercut.text.errors import RecordError


@dataclass(frozen=True)
class Luck:
    """The kernels that a game for two provides to compute luck.

    A chance node belongs to an action; the deal has NONE as its action.
    """

    chances: Callable[..., int]  # (state, options, action): the number of equally likely outcomes
    # (state, options, action, case, scores): order the deck so that outcome `case` follows. Case 0
    # is the actual outcome. For the deal (NONE), deal again.
    lay: Callable[..., None]
    # (state, options, settings, workspace): the expected share of the win of seat 0, up to a
    # constant that depends only on what is known before the deal
    value: Callable[..., float]
    settings: Callable[[Any], Settings]  # of `value`, for the options of a game
    workspace: int  # that `value` needs
    planes: tuple[int, ...]  # of the words that `encode` fills, for networks that learn values
    encode: Callable[..., None]  # (state, options, words), as the seat on turn would put it


class Valued(NamedTuple):
    """The buffers of the value function, and the luck added up in this match."""

    states: Records  # a copy of the state, for the other outcomes
    settings: Records  # of `value`
    workspace: Buffer
    total: Floats  # the luck of seat 0 up to now


class Notes(NamedTuple):
    """The buffers for training data of value networks: states after chance nodes."""

    words: Buffer
    gained: Buffer  # in the deal, by the seat on turn and by the other
    place: Buffer  # the first free row, the first row of this deal, 1 at a chance node


@hole
def chances(state: State, options: Options, action: Action) -> int: ...
@hole
def lay(state: State, options: Options, action: Action, case: int, scores: Buffer) -> None: ...
@hole
def value(state: State, options: Options, settings: Settings, workspace: Buffer) -> float: ...
@hole
def encode(state: State, options: Options, words: Buffer) -> None: ...
@hole
def luck_of_event(desk: Desk, action: Action, valued: Valued) -> float: ...
@hole
def add_deal(desk: Desk, row: int, action: Action, extra: tuple[Codes, Valued]) -> None: ...
@hole
def luck_of_match(desk: Desk, number: int, extra: tuple[Codes, Valued], luck: Floats) -> None: ...
@hole
def note_event(desk: Desk, row: int, action: Action, extra: tuple[Codes, Notes]) -> None: ...


def _luck_of_event(desk: Desk, action: Action, valued: Valued) -> float:
    """The luck of seat 0 at the chance node of an action not yet applied, or of a deal (NONE)."""
    options, states, scores = desk.options[0], valued.states, desk.matches[0].scores
    cases = chances(desk.states[0], options, action)
    came, total = 0.0, 0.0
    for case in range(cases):
        states[0] = desk.states[0]
        lay(states[0], options, action, case, scores)
        if action != NONE:
            apply(states[0], options, action)
        worth = value(states[0], options, valued.settings[0], valued.workspace)
        if case == 0:
            came = worth
        total += worth
    return came - total / max(1, cases)


def _add_action(desk: Desk, row: int, action: Action, extra: tuple[Codes, Valued]) -> None:
    """The hook `before` of a replay that adds up luck."""
    extra[1].total[0] += luck_of_event(desk, action, extra[1])


def _add_deal(desk: Desk, row: int, action: Action, extra: tuple[Codes, Valued]) -> None:
    """The hook `after` of such a replay."""
    if action == NONE:
        extra[1].total[0] += luck_of_event(desk, NONE, extra[1])


def _luck_of_match(desk: Desk, number: int, extra: tuple[Codes, Valued], luck: Floats) -> None:
    """Replay a match and write the luck of both agents; NaN if the trace does not fit."""
    valued, match = extra[1], desk.matches[0]
    valued.total[0] = 0.0
    begin_match(desk, 0, number)
    add_deal(desk, 0, NONE, extra)
    left = advance(desk, 0, NONE, extra)
    total = valued.total[0] if is_replayed(desk, 0, left, extra[0]) else np.nan
    luck[match.agents[0]] = total
    luck[match.agents[1]] = -total


def _luck_of_matches(
    desk: Desk, first: int, choices: Buffer, traces: Array, valued: Valued, luck: Floats
) -> None:
    for i in range(len(luck)):
        codes = Codes(traces[i, : choices[i]])
        luck_of_match(desk, first + i, (codes, valued), luck[i])


def _note_chance(desk: Desk, row: int, action: Action, extra: tuple[Codes, Notes]) -> None:
    """The hook `before` of a replay that writes states: is this action a chance node?"""
    extra[1].place[2] = chances(desk.states[row], desk.options[0], action) > 1


def _note_event(desk: Desk, row: int, action: Action, extra: tuple[Codes, Notes]) -> None:
    """The hook `after` of such a replay: write the state after a chance node, and its seat."""
    notes, state = extra[1], desk.states[row]
    if action == NONE:
        end_deal(desk, row, notes)
    place = int(notes.place[0])
    if (action == NONE or notes.place[2]) and place < len(notes.words):
        encode(state, desk.options[0], notes.words[place])
        notes.gained[place, 0] = state.seat
        notes.place[0] += 1


@kernel
def end_deal(desk: Desk, row: int, notes: Notes) -> None:
    """Write the points of the last deal next to each state of it."""
    match = desk.matches[row]
    for each in range(notes.place[1], notes.place[0]):
        seat = int(notes.gained[each, 0])
        notes.gained[each, 0] = match.gained[seat]
        notes.gained[each, 1] = match.gained[1 - seat]
    notes.place[1] = notes.place[0]


def _note_matches(desk: Desk, first: int, choices: Buffer, traces: Array, notes: Notes) -> None:
    """Write the states after all chance nodes, and the points of their deals."""
    for i in range(len(choices)):
        extra = Codes(traces[i, : choices[i]]), notes
        begin_match(desk, 0, first + i)
        note_event(desk, 0, NONE, extra)
        advance(desk, 0, NONE, extra)
        end_deal(desk, 0, notes)


@cache
def event_kernel(rules: Rules, luck: Luck) -> Callable[..., float]:
    """The kernel that computes the luck of one action or deal."""
    own = {each: getattr(luck, each) for each in ("chances", "lay", "value")}
    return specialise(_luck_of_event, _name(rules, luck), **own, apply=rules.apply)


@cache
def _luck_kernel(rules: Rules, luck: Luck) -> Callable[..., None]:
    name, own = _name(rules, luck), {"luck_of_event": event_kernel(rules, luck)}
    before, after = (specialise_part(each, name, **own) for each in (_add_action, _add_deal))
    desk = bind_desk(rules, f"luck_{name}", read_code, before, after, specialise_part)
    match = specialise_part(_luck_of_match, name, **vars(desk), add_deal=after)
    return specialise(_luck_of_matches, name, luck_of_match=match)


def _name(rules: Rules, luck: Luck) -> str:
    return f"{rules.NAME}_{kernel_name(luck.value)}"


@cache
def _note_kernel(rules: Rules, luck: Luck) -> Callable[..., None]:
    name = _name(rules, luck)
    before = specialise_part(_note_chance, name, chances=luck.chances)
    after = specialise_part(_note_event, name, encode=luck.encode)
    desk = bind_desk(rules, f"notes_{name}", read_code, before, after, specialise_part)
    return specialise(_note_matches, name, **vars(desk), note_event=after)


def match_luck(
    batch: Batch, luck: Luck, workers: int | None = None, progress: Progress | None = None
) -> Floats:
    """The luck of each agent in each match of a batch with complete traces.

    The unit is a win: 0.1 is worth a tenth of a match.
    """
    assert batch.is_traced, "every choice was traced"
    found = np.zeros((len(batch), 2))
    run, settings = (
        _luck_kernel(batch.game.rules, luck),
        array_of(luck.settings(batch.game.options)),
    )

    def make() -> Callable[[slice], None]:
        desk, states = make_desk(batch.game, batch.series), new(batch.game.rules.STATE, 1)
        valued = Valued(states, settings, np.zeros(luck.workspace, dtype=np.int64), np.zeros(1))

        def work(part: slice) -> None:
            choices, traces = batch.results.choices[part].astype(np.int64), batch.traces[part]
            run(desk, batch.first + part.start, choices, traces, valued, found[part])

        return work

    work_on_threads(make, len(batch), workers, progress)
    found[batch.results.is_stopped > 0] = 0.0  # a forfeited match has no luck
    wrong = np.flatnonzero(np.isnan(found[:, 0]))
    if len(wrong):
        raise RecordError(f"match {batch.first + wrong[0]} does not replay as it was written down")
    return found


def note_chances(batch: Batch, luck: Luck, room: int) -> tuple[Buffer, Buffer]:
    """The states after chance nodes as training data, at most `room` rows.

    Returns the words that `encode` fills, and the points of the deal: those of the seat on turn
    and those of the other.
    """
    assert batch.is_traced, "every choice was traced"
    words = np.zeros((room, len(luck.planes)), dtype=np.int64)
    notes = Notes(words, np.zeros((room, 2), dtype=np.int64), np.zeros(3, dtype=np.int64))
    choices = batch.results.choices.astype(np.int64)
    desk = make_desk(batch.game, batch.series)
    _note_kernel(batch.game.rules, luck)(desk, batch.first, choices, batch.traces, notes)
    rows = int(notes.place[0])
    return words[:rows], notes.gained[:rows]
