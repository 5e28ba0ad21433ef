"""The luck of a match: how much its cards have brought each player, beyond what cards bring on average.

Chance comes in at the deal and whenever a card is drawn unseen. All that might have come is as
likely as what came, so the value of what came, less the mean value of all that might have come, is
luck: its expectation is exactly 0, whoever plays and however good the values are. A result less its
luck has the same expectation as the result, and varies less the better the values are. (This is
the chance part of AIVAT: Burch, Schmid, Moravčík, Morrill and Bowling, 2018.)

Values are of states, hidden cards included, so they are worked out here, from the traces of matches
that are over. No agent hears of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Rules
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
from undercut.play.desk import Desk, advance, apply, begin_match, bind_desk, make_desk
from undercut.play.fused.threads import Progress, work_on_threads
from undercut.play.records.trace import Codes, is_replayed, read_code
from undercut.text.errors import RecordError


@dataclass(frozen=True)
class Luck:
    """What a game for two provides so that luck can be taken out of its results.

    Chance comes in with an action, or with NONE, which stands for the deal.
    """

    chances: Callable[..., int]  # (state, options, action): how many cases, each equally likely
    # (state, options, action, case, scores): lay the cards so that this case comes; case 0 is as
    # they lie. After the deal, deal them again.
    lay: Callable[..., None]
    # (state, options, settings, workspace): the share of the match that seat 0 may expect, up to a
    # number that depends only on what was known before the deal
    value: Callable[..., float]
    settings: Callable[[Any], Settings]  # of `value`, for the options of a game
    workspace: int  # that `value` needs
    planes: tuple[int, ...]  # of the words that `encode` fills, for networks that learn values
    encode: Callable[..., None]  # (state, options, words), as the seat on turn would put it


class Valued(NamedTuple):
    """What luck is worked out with, and as far as it has come."""

    states: Records  # room for a state in which another case came
    settings: Records  # of `value`
    workspace: Buffer
    total: Floats  # the luck of seat 0 so far


class Notes(NamedTuple):
    """Where states are noted, for networks that learn values."""

    words: Buffer
    gained: Buffer  # that the deal brought the seat on turn, and the other
    place: Buffer  # the first free row, the first row of this deal, whether chance comes in


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
    """The luck of seat 0 in what an action is about to bring, or in a deal just dealt."""
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
    """`before` of a desk that adds up luck."""
    extra[1].total[0] += luck_of_event(desk, action, extra[1])


def _add_deal(desk: Desk, row: int, action: Action, extra: tuple[Codes, Valued]) -> None:
    """`after` of such a desk."""
    if action == NONE:
        extra[1].total[0] += luck_of_event(desk, NONE, extra[1])


def _luck_of_match(desk: Desk, number: int, extra: tuple[Codes, Valued], luck: Floats) -> None:
    """Play a match again, and note the luck of both agents; not a number if it does not replay."""
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
    """`before` of a desk that notes states: whether chance comes in with an action."""
    extra[1].place[2] = chances(desk.states[row], desk.options[0], action) > 1


def _note_event(desk: Desk, row: int, action: Action, extra: tuple[Codes, Notes]) -> None:
    """`after` of such a desk: note what came with chance, if there is room, and who is on turn."""
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
    """Write what the last deal brought beside each state that was noted of it."""
    match = desk.matches[row]
    for each in range(notes.place[1], notes.place[0]):
        seat = int(notes.gained[each, 0])
        notes.gained[each, 0] = match.gained[seat]
        notes.gained[each, 1] = match.gained[1 - seat]
    notes.place[1] = notes.place[0]


def _note_matches(desk: Desk, first: int, choices: Buffer, traces: Array, notes: Notes) -> None:
    """Note what came whenever chance came in, and what the deal then brought."""
    for i in range(len(choices)):
        extra = Codes(traces[i, : choices[i]]), notes
        begin_match(desk, 0, first + i)
        note_event(desk, 0, NONE, extra)
        advance(desk, 0, NONE, extra)
        end_deal(desk, 0, notes)


@cache
def event_kernel(rules: Rules, luck: Luck) -> Callable[..., float]:
    """The luck of one action or deal."""
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
    """For each match of a batch that was traced whole, the luck of each agent.

    It is in shares of the match: 0.1 has brought a tenth of a win.
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
    found[batch.results.is_stopped > 0] = 0.0  # one that was forfeited has no end to be lucky at
    wrong = np.flatnonzero(np.isnan(found[:, 0]))
    if len(wrong):
        raise RecordError(f"match {batch.first + wrong[0]} does not replay as it was written down")
    return found


def note_chances(batch: Batch, luck: Luck, room: int) -> tuple[Buffer, Buffer]:
    """What came whenever chance came in, for training, up to `room` rows.

    For each the words that `encode` fills, and the points that the deal brought then: to the seat
    on turn, and to the other.
    """
    assert batch.is_traced, "every choice was traced"
    words = np.zeros((room, len(luck.planes)), dtype=np.int64)
    notes = Notes(words, np.zeros((room, 2), dtype=np.int64), np.zeros(3, dtype=np.int64))
    choices = batch.results.choices.astype(np.int64)
    desk = make_desk(batch.game, batch.series)
    _note_kernel(batch.game.rules, luck)(desk, batch.first, choices, batch.traces, notes)
    rows = int(notes.place[0])
    return words[:rows], notes.gained[:rows]
