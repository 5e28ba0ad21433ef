"""A trained network that plays without torch: one decision at a time, wherever kernels run.

Weights lie in one flat float32 buffer, a row for each input, so that inputs and activations that
are 0 cost nothing. On a GPU many lanes share a decision: policy/lanes.py.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np

from undercut.cards.french import NONE, lowest
from undercut.kernels import rng
from undercut.kernels.jit import COMPILED, hole, hole_value, kernel, meet, specialise
from undercut.kernels.records import Action, Array, Buffer, Options, View
from undercut.play.agent import Team, Turn, ValueHead
from undercut.players.encoding import Encoding
from undercut.players.layers import (
    AT_ONCE,
    NO_PLACES,
    ONES,
    Factors,
    Places,
    add_row,
    add_rows,
    copy_row,
    push,
)
from undercut.text.spec import Option

STABLE = 1e-5  # what a layer norm adds to a variance


class Settings(NamedTuple):
    """How it plays."""

    temperature: Annotated[
        float, Option(0.0, 10.0, "0: what it likes best; more: by chance, the worse the rarer")
    ] = 0.0
    forgets: Annotated[
        int, Option(0, 1, "1: goes by what lies open, and forgets most of what has happened")
    ] = 0
    weights: Array = None  # type: ignore[assignment]  # set by the entry, like the two below
    width: int = None  # type: ignore[assignment]
    blocks: int = None  # type: ignore[assignment]


@hole
def encode(view: View, options: Options, words: Buffer) -> None: ...
@hole
def output_of(action: Action) -> int: ...
@hole
def is_asked(view: View, who: int) -> bool: ...
@hole
def rest(view: View, turn: Turn[Options, Settings]) -> Action: ...


@hole
def layer(
    values: Array, weights: Array, place: int, sums: Array, lane: int, lanes: int
) -> None: ...


word_count: int = hole_value()
output_count: int = hole_value()
planes: tuple[int, ...] = hole_value()
remembered: tuple[int, ...] = hole_value()


def policy_workspace(encoding: Encoding, width: int) -> int:
    """How many int64 numbers of working space a decision takes."""
    own = len(encoding.planes) + (3 * width + encoding.outputs + 2) // 2 + 1
    return max(own, encoding.workspace)


@cache
def policy_kernel(encoding: Encoding, name: str) -> Callable[..., Action]:
    """The kernel of an agent that plays a game by a network: one lane of one."""
    return specialise(_choose, name, _begin=begin_kernel(encoding, f"{name}_alone", layer_alone))


def begin_kernel(
    encoding: Encoding, name: str, reading: Callable[..., None]
) -> Callable[..., Action]:
    """The kernel by which lanes decide together; `reading` is how they read a layer."""
    bound: dict[str, object] = {
        "word_count": len(encoding.planes),
        "output_count": encoding.outputs,
        "planes": encoding.planes,
        "remembered": encoding.remembered,
        "encode": encoding.encode,
        "is_asked": encoding.is_asked,
        "rest": encoding.rest,
        "layer": reading,
    }
    bound["_pick"] = pick_kernel(encoding, name)
    bound["_read_bits"] = specialise(_read_bits, name, **bound)
    return specialise(_begin, name, **bound)


@cache
def pick_kernel(encoding: Encoding, name: str) -> Callable[..., Action]:
    """The kernel that picks an action from a network's answers: (turn, answers)."""
    return specialise(_pick, name, output_of=encoding.output_of)


@cache
def policy_value(encoding: Encoding, name: str, scale: float) -> ValueHead:
    """The value that a decision leaves in the workspace; `scale` is that of a whole match."""
    bound = {"word_count": len(encoding.planes), "output_count": encoding.outputs}
    return ValueHead(encoding.is_asked, specialise(_read_value, name, **bound), scale)


def _read_value(turn: Turn[Options, Settings]) -> float:
    numbers = turn.workspace[word_count:].view(np.float32)
    return float(numbers[3 * int(turn.settings.width) + output_count])


def _choose(view: View, turn: Turn[Options, Settings]) -> Action:
    return _begin(view, turn, Team(turn.workspace, turn.workspace, turn.workspace, 0, 1))


def _begin(view: View, turn: Turn[Options, Settings], team: Team) -> Action:
    """Evaluate the network: a logit for each output, then the value.

    They lie behind the words and three rows of the workspace.
    """
    shared, lane, lanes = team.shared, team.lane, team.lanes
    if not is_asked(view, 0):
        return rest(view, turn) if lane == 0 else NONE
    words, partial = shared[:word_count], shared[-lanes:].view(np.float64)
    if lane == 0:
        encode(view, turn.options, words)
        if turn.settings.forgets:
            for word in remembered:
                words[word] = 0
    meet(lanes)
    weights, width = turn.settings.weights[:], int(turn.settings.width)  # [:]: of any length
    numbers = shared[word_count:].view(np.float32)
    stream, inner, normed = (
        numbers[:width],
        numbers[width : 2 * width],
        numbers[2 * width : 3 * width],
    )
    answers = numbers[3 * width : 3 * width + output_count + 1]
    place = _read_bits(weights, words, stream, lane, lanes)
    for _ in range(turn.settings.blocks):
        meet(lanes)
        norm(stream, weights[place : place + 2 * width], normed, partial, lane, lanes)
        place += 2 * width
        meet(lanes)
        layer(normed, weights, place, inner, lane, lanes)
        place += (width + 1) * width
        for i in range(lane, width, lanes):
            inner[i] = max(inner[i], np.float32(0))
        meet(lanes)
        layer(inner, weights, place, normed, lane, lanes)
        place += (width + 1) * width
        for i in range(lane, width, lanes):
            stream[i] += normed[i]
    meet(lanes)
    norm(stream, weights[place : place + 2 * width], normed, partial, lane, lanes)
    meet(lanes)
    layer(normed, weights, place + 2 * width, answers, lane, lanes)
    meet(lanes)
    return _pick(turn, answers) if lane == 0 else NONE


def _read_bits(weights: Array, words: Buffer, sums: Array, lane: int, lanes: int) -> int:
    """The first layer: the rows of all bits that are set; returns where the next layer begins."""
    width, row = len(sums), 1
    held, count = NO_PLACES, 0
    copy_row(sums, weights[:width], lane, lanes)
    for word in range(word_count):
        bits = int(words[word]) & ((1 << planes[word]) - 1)
        while bits:
            held = push(held, row + lowest(bits))
            bits &= bits - 1
            count += 1
            if count == AT_ONCE:
                add_rows(sums, weights, held, ONES, lane, lanes)
                count = 0
        row += planes[word]
    for place in range(AT_ONCE - count, AT_ONCE):
        add_row(sums, weights[held[place] * width :][:width], np.float32(1), lane, lanes)
    return row * width


def _layer(values: Array, weights: Array, place: int, sums: Array, lane: int, lanes: int) -> None:
    """Bias first, then for each value the weights out of it. The one lane skips those of 0."""
    width, rows = len(sums), weights[place + len(sums) :]
    held, count = NO_PLACES, 0
    copy_row(sums, weights[place : place + width], lane, lanes)
    for k in range(len(values)):
        if values[k] != 0:
            held = push(held, k)
            count += 1
            if count == AT_ONCE:
                add_rows(sums, rows, held, _factors(values, held), lane, lanes)
                count = 0
    for each in range(AT_ONCE - count, AT_ONCE):
        k = held[each]
        add_row(sums, rows[k * width :][:width], values[k], lane, lanes)


@kernel
def _factors(values: Array, held: Places) -> Factors:
    return (
        values[held[0]],
        values[held[1]],
        values[held[2]],
        values[held[3]],
        values[held[4]],
        values[held[5]],
        values[held[6]],
        values[held[7]],
    )


def _norm(values: Array, weights: Array, out: Array, partial: Array, lane: int, lanes: int) -> None:
    """Mean 0 and variance 1, then weights and biases."""
    width = len(values)
    share = 0.0
    for i in range(lane, width, lanes):
        share += values[i]
    mean = _total(share, partial, lane, lanes) / width
    share = 0.0
    for i in range(lane, width, lanes):
        share += (values[i] - mean) ** 2
    scale = 1.0 / math.sqrt(_total(share, partial, lane, lanes) / width + STABLE)
    for i in range(lane, width, lanes):
        out[i] = np.float32((values[i] - mean) * scale) * weights[i] + weights[width + i]


@kernel
def _total(share: float, partial: Array, lane: int, lanes: int) -> float:
    """The sum over all lanes, in pairs, and pairs of pairs."""
    meet(lanes)
    partial[lane] = share
    distance = 1
    while distance < lanes:
        meet(lanes)
        if lane % (2 * distance) == 0 and lane + distance < lanes:
            partial[lane] += partial[lane + distance]
        distance *= 2
    meet(lanes)
    return float(partial[0])


# The same for plain Python, which would take a second for a decision, number by number.


def interpreted_layer(
    values: Array, weights: Array, place: int, sums: Array, lane: int, lanes: int
) -> None:
    rows = weights[place : place + (len(values) + 1) * len(sums)].reshape(-1, len(sums))
    sums[lane::lanes] = rows[0, lane::lanes] + values @ rows[1:, lane::lanes]


def _interpreted_norm(
    values: Array, weights: Array, out: Array, partial: Array, lane: int, lanes: int
) -> None:
    scale = 1.0 / math.sqrt(float(values.var()) + STABLE)
    normed = (values - values.mean()) * scale * weights[: len(values)] + weights[len(values) :]
    out[lane::lanes] = normed[lane::lanes]


layer_alone: Callable[..., None] = kernel(_layer) if COMPILED else interpreted_layer
norm: Callable[..., None] = kernel(_norm) if COMPILED else _interpreted_norm


def _pick(turn: Turn[Options, Settings], answers: Array) -> Action:
    """The legal action with the highest number, or any by chance."""
    legal, temperature = turn.legal, turn.settings.temperature
    best, action = -math.inf, NONE
    for each in legal:
        if answers[output_of(int(each))] > best:
            best, action = float(answers[output_of(int(each))]), int(each)
    if temperature > 0:
        total = 0.0
        for each in legal:
            total += math.exp((answers[output_of(int(each))] - best) / temperature)
        mark = rng.uniform(turn.generator) * total
        for each in legal:
            mark -= math.exp((answers[output_of(int(each))] - best) / temperature)
            if mark < 0:
                return int(each)
    return action
