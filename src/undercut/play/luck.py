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
from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel_name, specialise, specialise_part
from undercut.kernels.records import (
    Action,
    Array,
    Buffer,
    Columns,
    Floats,
    Options,
    Records,
    Settings,
    State,
    new,
    pack,
)
from undercut.play.batch import Batch
from undercut.play.fused.loop import (
    apply,
    begin_match,
    bind_rules,
    is_over,
    legal,
    next_deal,
    settle,
)
from undercut.play.fused.threads import Progress, work_on_threads
from undercut.play.series import MATCH, MatchRecord, Series
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
    settings: Callable[[Options], Settings]  # of `value`, for a rule set
    workspace: int  # that `value` needs
    planes: tuple[int, ...]  # of the words that `encode` fills, for networks that learn values
    encode: Callable[..., None]  # (state, options, words), as the seat on turn would put it


@hole
def chances(state: State, options: Options, action: Action) -> int: ...
@hole
def lay(state: State, options: Options, action: Action, case: int, scores: Buffer) -> None: ...
@hole
def value(state: State, options: Options, settings: Settings, workspace: Buffer) -> float: ...
@hole
def encode(state: State, options: Options, words: Buffer) -> None: ...
@hole
def luck_of_event(
    states: Records,
    options: Options,
    action: Action,
    scores: Buffer,
    settings: Settings,
    workspace: Buffer,
) -> float: ...
@hole
def luck_of_match(
    match: MatchRecord,
    series: Series,
    number: int,
    states: Records,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    settings: Settings,
    workspace: Buffer,
    luck: Floats,
) -> None: ...
@hole
def note_event(state: State, options: Options, row: int, words: Buffer, gained: Buffer) -> int: ...
@hole
def note_match(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    first: int,
    words: Buffer,
    gained: Buffer,
) -> int: ...


def _luck_of_event(
    states: Records,
    options: Options,
    action: Action,
    scores: Buffer,
    settings: Settings,
    workspace: Buffer,
) -> float:
    """The luck of seat 0 in what an action is about to bring, or in a deal just dealt.

    `states` has room for a second state.
    """
    cases = chances(states[0], options, action)
    came, total = 0.0, 0.0
    for case in range(cases):
        states[1] = states[0]
        lay(states[1], options, action, case, scores)
        if action != NONE:
            apply(states[1], options, action)
        worth = value(states[1], options, settings, workspace)
        if case == 0:
            came = worth
        total += worth
    return came - total / max(1, cases)


def _luck_of_match(
    match: MatchRecord,
    series: Series,
    number: int,
    states: Records,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    settings: Settings,
    workspace: Buffer,
    luck: Floats,
) -> None:
    """Play a match again, and note the luck of both agents; not a number if it does not replay."""
    begin_match(match, series, number, options, generators)
    state, scores = states[0], match.scores
    used, total = 0, 0.0
    while not match.is_over:
        next_deal(match, series, state, options, generators)
        total += luck_of_event(states, options, NONE, scores, settings, workspace)
        while not is_over(state):
            count, place = legal(state, options, out), 0
            if count > 1:
                place = int(codes[used]) if used < len(codes) else count
                used += 1
            if place >= count:
                luck[0] = luck[1] = np.nan
                return
            action = int(out[place])
            total += luck_of_event(states, options, action, scores, settings, workspace)
            apply(state, options, action)
        settle(match, series, state, options)
    if used < len(codes):
        total = np.nan
    luck[match.agents[0]] = total
    luck[match.agents[1]] = -total


def _luck_of_matches(
    matches: Records,
    series: Records,
    first: int,
    states: Records,
    options: Options,
    generators: Records,
    out: Buffer,
    choices: Buffer,
    traces: Array,
    settings: Settings,
    workspace: Buffer,
    luck: Floats,
) -> None:
    for i in range(len(luck)):
        luck_of_match(
            matches[0],
            series[0],
            first + i,
            states,
            options,
            generators,
            out,
            traces[i, : choices[i]],
            settings,
            workspace,
            luck[i],
        )


def _note_match(
    match: MatchRecord,
    series: Series,
    number: int,
    state: State,
    options: Options,
    generators: Records,
    out: Buffer,
    codes: Array,
    first: int,
    words: Buffer,
    gained: Buffer,
) -> int:
    """Note from row `first` on what came whenever chance came in, and what the deal then brought.

    Returns the first row that is free.
    """
    begin_match(match, series, number, options, generators)
    used, row = 0, first
    while not match.is_over:
        next_deal(match, series, state, options, generators)
        of_deal, row = row, note_event(state, options, row, words, gained)
        while not is_over(state):
            place = 0
            if legal(state, options, out) > 1:
                place = int(codes[used])
                used += 1
            action = int(out[place])
            is_chance = chances(state, options, action) > 1
            apply(state, options, action)
            if is_chance:
                row = note_event(state, options, row, words, gained)
        settle(match, series, state, options)
        for each in range(of_deal, row):
            seat = int(gained[each, 0])
            gained[each, 0] = match.gained[seat]
            gained[each, 1] = match.gained[1 - seat]
    return row


def _note_event(state: State, options: Options, row: int, words: Buffer, gained: Buffer) -> int:
    """Note a state, if there is room, and who is on turn; returns the next row."""
    if row == len(words):
        return row
    encode(state, options, words[row])
    gained[row, 0] = state.seat
    return row + 1


def _note_matches(
    matches: Records,
    series: Records,
    first: int,
    states: Records,
    options: Options,
    generators: Records,
    out: Buffer,
    choices: Buffer,
    traces: Array,
    words: Buffer,
    gained: Buffer,
) -> int:
    row = 0
    for i in range(len(choices)):
        row = note_match(
            matches[0],
            series[0],
            first + i,
            states[0],
            options,
            generators,
            out,
            traces[i, : choices[i]],
            row,
            words,
            gained,
        )
    return row


@cache
def _kernels(rules: Rules, luck: Luck) -> SimpleNamespace:
    own = {name: getattr(luck, name) for name in ("chances", "lay", "value", "encode")}
    bound: dict[str, Any] = {**vars(bind_rules(rules)), **own}
    name = f"{rules.NAME}_{kernel_name(luck.value)}"
    for template, bind in (
        (_luck_of_event, specialise),
        (_luck_of_match, specialise_part),
        (_luck_of_matches, specialise),
        (_note_event, specialise_part),
        (_note_match, specialise_part),
        (_note_matches, specialise),
    ):
        bound[template.__name__[1:]] = bind(template, name, **bound)
    return SimpleNamespace(**bound)


def match_luck(
    batch: Batch, luck: Luck, workers: int | None = None, progress: Progress | None = None
) -> Floats:
    """For each match of a batch that was traced whole, the luck of each agent.

    It is in shares of the match: 0.1 has brought a tenth of a win.
    """
    assert batch.is_traced, "every choice was traced"
    found = np.zeros((len(batch), 2))
    settings = pack(luck.settings(batch.game.options))
    run = _kernels(batch.game.rules, luck).luck_of_matches

    def make() -> Callable[[slice], None]:
        buffers = _buffers(batch)
        workspace = np.zeros(luck.workspace, dtype=np.int64)

        def work(part: slice) -> None:
            rows = batch.results.choices[part].astype(np.int64), batch.traces[part]
            first = batch.first + part.start
            run(*_placed(buffers, batch, first), *rows, settings, workspace, found[part])

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
    gained = np.zeros((room, 2), dtype=np.int64)
    run = _kernels(batch.game.rules, luck).note_matches
    choices = batch.results.choices.astype(np.int64)
    placed = _placed(_buffers(batch), batch, batch.first)
    rows = int(run(*placed, choices, batch.traces, words, gained))
    return words[:rows], gained[:rows]


def _buffers(batch: Batch) -> tuple[Columns, Columns, Columns, Buffer]:
    rules = batch.game.rules
    out = np.zeros(rules.LEGAL, dtype=np.int64)
    return new(MATCH, 1), new(rules.STATE, 2), new(rng.GENERATOR, batch.game.seats + 1), out


def _placed(
    buffers: tuple[Columns, Columns, Columns, Buffer], batch: Batch, first: int
) -> tuple[Any, ...]:
    """The arguments with which both kernels begin."""
    matches, states, generators, out = buffers
    return matches, batch.series, first, states, pack(batch.game.options), generators, out
