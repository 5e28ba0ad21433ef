"""The compact form of a match: its seed, and a byte for every choice that was made.

The byte is the place of the chosen action among the legal ones. What leaves no choice is not
written down, since `advance` plays it anyway. So the form holds for every game, a wrong byte
cannot go unnoticed for long, and no agent is needed to play a match again.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.cards import NONE
from undercut.core.errors import RecordError
from undercut.core.jit import UNBOUND, specialise
from undercut.core.records import (
    Buffer,
    Options,
    State,
    new,
    pack,
)
from undercut.games.contract import LATE, Game, Rules
from undercut.play.batch import Batch
from undercut.play.fused import MATCH, fuse_rules

# Bound by `_kernels`: those of `fuse_rules`, then the templates themselves.
begin_match: Any = UNBOUND
advance: Any = UNBOUND
observe: Any = UNBOUND
pace: Any = UNBOUND
encode: Any = UNBOUND
replay: Any = UNBOUND


def _encode(
    match: Any,
    state: State,
    options: Options,
    generators: Any,
    out: Buffer,
    trace: Buffer,
    codes: Buffer,
) -> tuple[int, int]:
    """Write the bytes of a match that was traced; returns how many, and how many decisions."""
    begin_match(match, options, generators)
    length, decisions, action = 0, 0, NONE
    count = advance(match, state, options, generators, action, out, trace[:0])
    while count > 0:
        action = int(trace[match.actions])
        place = 0
        while place < count and out[place] != action:
            place += 1
        if place == count:
            return NONE, length
        codes[length] = place
        length += 1
        if pace(state) < LATE:
            decisions += 1
        count = advance(match, state, options, generators, action, out, trace[:0])
    return length, decisions


def _encode_all(
    matches: Any,
    states: Any,
    options: Options,
    generators: Any,
    out: Buffer,
    traces: Any,
    codes: Any,
    sizes: Any,
) -> None:
    for i in range(len(matches)):
        length, decisions = encode(
            matches[i], states[0], options, generators, out, traces[i], codes[i]
        )
        sizes[i, 0], sizes[i, 1] = length, decisions


def _replay(
    match: Any,
    state: State,
    options: Options,
    generators: Any,
    out: Buffer,
    codes: Buffer,
    views: Any,
    hands: Buffer,
) -> int:
    """Play a match again; fill in the view and the other hand of each decision, as far as there is
    room. Returns how many decisions there are, or NONE if the bytes are not those of a match.
    """
    begin_match(match, options, generators)
    used, decisions = 0, 0
    count = advance(match, state, options, generators, NONE, out, out[:0])
    while count > 0:
        if used == len(codes) or codes[used] >= count:
            return NONE
        if pace(state) < LATE:
            if decisions < len(views):
                seat = int(state.seat)
                observe(state, options, seat, views[decisions])
                hands[decisions] = state.hands[1 - seat]
            decisions += 1
        action = int(out[codes[used]])
        used += 1
        count = advance(match, state, options, generators, action, out, out[:0])
    return decisions if used == len(codes) else NONE


def _replay_all(
    matches: Any,
    states: Any,
    options: Options,
    generators: Any,
    out: Buffer,
    codes: Any,
    ends: Any,
    views: Any,
    hands: Buffer,
    decisions: Any,
) -> None:
    """Match i has the bytes up to ends[i, 0] and the decisions up to ends[i, 1]."""
    for i in range(len(matches)):
        first_code = int(ends[i - 1, 0]) if i else 0
        first_view = int(ends[i - 1, 1]) if i else 0
        rows = slice(first_view, int(ends[i, 1]))
        decisions[i] = replay(
            matches[i],
            states[0],
            options,
            generators,
            out,
            codes[first_code : int(ends[i, 0])],
            views[rows],
            hands[rows],
        )


@cache
def _kernels(rules: Rules) -> SimpleNamespace:
    bound = dict(vars(fuse_rules(rules)))
    for name, template in (
        ("encode", _encode),
        ("encode_all", _encode_all),
        ("replay", _replay),
        ("replay_all", _replay_all),
    ):
        bound[name] = specialise(template, rules.NAME, **bound)
    return SimpleNamespace(**bound)


def _fresh_matches(game: Game, seed: int, numbers: Any, max_deals: int) -> Any:
    matches = new(MATCH, len(numbers))
    matches.seed = seed
    matches.number = numbers
    matches.pair = numbers // 2
    matches.seats = game.seats
    matches.max_deals = max_deals
    return matches


def _buffers(game: Game) -> tuple[Any, Any, Any, Any]:
    rules = game.rules
    return (
        new(rules.STATE, 1),
        pack(game.options),
        new(rng.GENERATOR, game.seats + 1),
        np.zeros(rules.LEGAL, dtype=np.int64),
    )


def encode_batch(batch: Batch) -> tuple[list[bytes], Any]:
    """The bytes of each match of a batch that was traced whole, and its number of decisions.

    A decision is a choice made before the hands lie open.
    """
    game, played = batch.game, batch.matches
    assert (played.actions <= batch.traces.shape[1]).all(), "every action was traced"
    matches = _fresh_matches(game, batch.seed, played.number, int(played.max_deals[0]))
    states, options, generators, out = _buffers(game)
    width = int(played.actions.max())
    codes = np.zeros((len(matches), width), dtype=np.uint8)
    sizes = np.zeros((len(matches), 2), dtype=np.int64)
    _kernels(game.rules).encode_all(
        matches, states, options, generators, out, batch.traces, codes, sizes
    )
    assert (sizes[:, 0] >= 0).all(), "a batch that was played by these rules"
    rows = [row[:size].tobytes() for row, size in zip(codes, sizes[:, 0], strict=True)]
    return rows, sizes[:, 1]


def replay_matches(
    game: Game, seed: int, numbers: Any, codes: Any, ends: Any, max_deals: int = 0
) -> tuple[Any, Any]:
    """The views of all decisions of some matches, one after another, and the hands opposite.

    `codes` are their bytes one after another. Match i ends before byte ends[i, 0] and before
    decision ends[i, 1]. Several threads may do this at once.
    """
    matches = _fresh_matches(game, seed, np.asarray(numbers), max_deals)
    states, options, generators, out = _buffers(game)
    total = int(ends[-1, 1])
    views, hands = new(game.rules.VIEW, total), np.zeros(total, dtype=np.int64)
    decisions = np.zeros(len(matches), dtype=np.int64)
    _kernels(game.rules).replay_all(
        matches, states, options, generators, out, codes, ends, views, hands, decisions
    )
    wrong = np.flatnonzero(decisions != np.diff(ends[:, 1], prepend=0))
    if len(wrong):
        raise RecordError(f"match {numbers[wrong[0]]} does not replay as it was written down")
    return views, hands
