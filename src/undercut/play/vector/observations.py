"""Observations, action masks and rewards of every row of a vector table, for learners.

An observation is a view as zeros and ones, a byte each. The CPU writes 64 bytes at once for each
word, even if the word has fewer bits; the next word overwrites the surplus. So rows have padding
after the last word, and an observation is the beginning of its row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from undercut.games.contract import Rules
from undercut.games.rules.holes import observe
from undercut.kernels import rng
from undercut.kernels.jit import hole, kernel, kernel_name, specialise, store_bits
from undercut.kernels.records import Action, Array, Buffer, Options, Seat, State, View
from undercut.kernels.rng import Generator
from undercut.play.desk import Desk
from undercut.play.vector.rows import first_row, row_step

BITS = 64  # written at once
PENALTY = 100.0  # points for an illegal action, which also ends the match


@dataclass(frozen=True)
class Display:
    """The encoding of observations, and the length of the action mask."""

    encode: Callable[..., None]  # (view, options, words): fill them
    planes: tuple[int, ...]  # the number of bits used in each word
    actions: int

    @property
    def size(self) -> int:
        """The length of an observation."""
        return sum(self.planes)


class Shown(NamedTuple):
    """The observations, masks and rewards of all rows."""

    words: Array  # observations as bits
    planes: Array  # the number of bits used in each word
    rows: Array  # observations as bytes, with padding
    masks: Array  # action masks, padded to a multiple of BITS
    rewards: Array  # of the last step, for the seat that acted
    over: Array  # whether that step ended the match
    finals: Array  # the last observation of a match that ended; as `rows`
    seats: Array  # on turn


def make_shown(display: Display, width: int) -> Shown:
    """Cleared buffers for `width` rows."""
    return Shown(
        words=np.zeros((width, len(display.planes)), dtype=np.int64),
        planes=np.array(display.planes, dtype=np.int64),
        rows=np.zeros((width, row_bytes(display.size)), dtype=np.int8),
        masks=np.zeros((width, BITS * -(-display.actions // BITS)), dtype=np.int8),
        rewards=np.zeros(width, dtype=np.float32),
        over=np.zeros(width, dtype=np.bool_),
        finals=np.zeros((width, row_bytes(display.size)), dtype=np.int8),
        seats=np.zeros(width, dtype=np.int64),
    )


def row_bytes(size: int) -> int:
    """The padded length of an observation with `size` bytes, a multiple of BITS."""
    return BITS * (size // BITS + 2)


@hole
def encode(view: View, options: Options, words: Buffer) -> None: ...
@hole
def spread_row(words: Buffer, planes: Buffer, out: Array) -> None: ...
@hole
def show(view: View, options: Options, legal: Buffer, shown: Shown, row: int) -> None: ...
@hole
def show_last(
    state: State, options: Options, seat: Seat, view: View, shown: Shown, row: int
) -> None: ...
@hole
def may_play(action: Action, shown: Shown, row: int) -> bool: ...
@hole
def show_gain(
    seat: Seat, gained: Buffer, ended: int, is_over: bool, shown: Shown, row: int
) -> None: ...


@kernel
def spread(words: Buffer, planes: Buffer, out: Array) -> None:
    """Write the bits of words as bytes, 64 at once."""
    first = 0
    for i in range(len(planes)):
        store_bits(out, first, words[i])
        first += int(planes[i])


@kernel
def slow_spread(words: Buffer, planes: Buffer, out: Array) -> None:
    """The same, byte by byte, for a GPU."""
    first = 0
    for i in range(len(planes)):
        for bit in range(int(planes[i])):
            out[first + bit] = (int(words[i]) >> bit) & 1
        first += int(planes[i])


def _show(view: View, options: Options, legal: Buffer, shown: Shown, row: int) -> None:
    """Write the observation and the action mask of a row."""
    encode(view, options, shown.words[row])
    spread_row(shown.words[row], shown.planes, shown.rows[row])
    for action in range(shown.masks.shape[1]):
        shown.masks[row, action] = 0
    for i in range(len(legal)):
        shown.masks[row, legal[i]] = 1


def _show_last(
    state: State, options: Options, seat: Seat, view: View, shown: Shown, row: int
) -> None:
    """Write the last observation of a seat in a match."""
    observe(state, options, seat, view)
    encode(view, options, shown.words[row])
    spread_row(shown.words[row], shown.planes, shown.finals[row])


@kernel
def _show_gain(
    seat: Seat, gained: Buffer, ended: int, is_over: bool, shown: Shown, row: int
) -> None:
    """Write the reward of a step. A match that ends within a deal was stopped: the penalty."""
    shown.rewards[row] = margin(gained, seat) if ended else -PENALTY if is_over else 0.0
    shown.over[row] = is_over


@kernel
def _may_play(action: Action, shown: Shown, row: int) -> bool:
    """Whether an action is legal: that is in the mask."""
    is_legal: bool = 0 <= action < shown.masks.shape[1] and shown.masks[row, action] != 0
    return is_legal


@kernel
def margin(gained: Buffer, seat: Seat) -> float:
    """The points of a seat minus the mean of the others; the margins of all seats add up to 0."""
    total = 0
    for other in range(len(gained)):
        total += int(gained[other])
    own = int(gained[seat])
    return own - (total - own) / (len(gained) - 1)


@kernel
def _show_nothing(view: View, options: Options, legal: Buffer, shown: Shown, row: int) -> None:
    """For a table without a display, like the next three kernels."""


@kernel
def _show_no_last(
    state: State, options: Options, seat: Seat, view: View, shown: Shown, row: int
) -> None: ...


@kernel
def _show_no_gain(
    seat: Seat, gained: Buffer, ended: int, is_over: bool, shown: Shown, row: int
) -> None: ...


@kernel
def _may_play_all(action: Action, shown: Shown, row: int) -> bool:
    return True


@cache
def bind_display(
    encoder: Callable[..., None] | None, rules: Rules, spreader: Callable[..., None] = spread
) -> dict[str, Any]:
    """The kernels that write observations; without an encoder they do nothing."""
    if encoder is None:
        return {
            "show": _show_nothing,
            "show_last": _show_no_last,
            "show_gain": _show_no_gain,
            "may_play": _may_play_all,
        }
    name = f"{rules.NAME}_{kernel_name(encoder)}_{kernel_name(spreader)}"
    bound = {"encode": encoder, "spread_row": spreader}
    return {
        "show": specialise(_show, name, **bound),
        "show_last": specialise(_show_last, name, **bound, observe=rules.observe),
        "show_gain": _show_gain,
        "may_play": _may_play,
    }


def show_rows(desk: Desk, rows: Any, numbers: Buffer, shown: Shown) -> None:
    """Write the observations of all rows after a step on a GPU."""
    for i in range(first_row(), len(rows.counts), row_step()):
        number = desk.matches[i].number
        is_over = number != numbers[i]
        show_gain(int(shown.seats[i]), rows.gained[i], int(rows.ended[i]), is_over, shown, i)
        numbers[i] = number
        shown.seats[i] = rows.seats[i]
        show(desk.views[i], desk.options[0], desk.legal[i, : rows.counts[i]], shown, i)


@kernel
def choose_at_random(legal: Buffer, counts: Buffer, generator: Generator, actions: Buffer) -> None:
    """A uniformly random legal action in every row."""
    rng.fill(generator, actions)
    for i in range(len(counts)):
        actions[i] = legal[i, (actions[i] * counts[i]) >> 32]
