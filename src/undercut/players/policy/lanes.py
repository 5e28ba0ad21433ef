"""The decisions of a network on a GPU: many lanes share one, and each has outputs of its own.

Alone, a thread would read all weights of a decision, and its neighbours others: the lanes of a team
read neighbouring weights together. Each output is summed in the order of `kernel`.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from undercut.cards.french import NONE
from undercut.kernels.jit import COMPILED, hole, hole_value, kernel, meet, specialise
from undercut.kernels.records import Action, Buffer, Options, View
from undercut.kernels.rng import Generator
from undercut.play.agent import Parts
from undercut.players.encoding import Encoding
from undercut.players.policy.kernel import STABLE, Settings, bound_to, policy_workspace

LANES = 256
MOST_SHARED = 6 << 10  # int64 numbers, which is what a block has room for
ABREAST = 3  # outputs that a lane sums at a time, so as not to wait for one weight after another


@hole
def encode(view: View, options: Options, words: Buffer) -> None: ...
@hole
def is_asked(view: View, who: int) -> bool: ...
@hole
def rest(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
) -> Action: ...
@hole
def pick(legal: Buffer, answers: Any, temperature: float, generator: Generator) -> Action: ...


word_count: int = hole_value()
output_count: int = hole_value()
planes: tuple[int, ...] = hole_value()
remembered: tuple[int, ...] = hole_value()


@hole
def read_bits(weights: Any, words: Buffer, sums: Any, lane: int, lanes: int) -> int: ...


@cache
def policy_parts(encoding: Encoding, name: str, width: int) -> Parts | None:
    """A decision by many lanes; None if the network is too wide."""
    shared = policy_workspace(encoding, width) + LANES
    if shared > MOST_SHARED:
        return None
    bound = bound_to(encoding, name)
    reading = specialise(_read_bits, name, **bound)
    begin = specialise(_begin, name, **{**bound, "read_bits": reading})
    return Parts(begin, shared, own=max(1, encoding.workspace), lanes=LANES)


def _begin(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    task: Buffer,
    shared: Buffer,
    own: Buffer,
    lane: int,
    lanes: int,
) -> Action:
    if not is_asked(view, 0):
        return rest(view, legal, options, settings, generator, own) if lane == 0 else NONE
    words, partial = shared[:word_count], shared[-lanes:].view(np.float64)
    if lane == 0:
        encode(view, options, words)
        if settings.forgets:
            for word in remembered:
                words[word] = 0
    meet(lanes)
    weights, width = settings.weights, int(settings.width)
    numbers = shared[word_count:].view(np.float32)
    stream, inner, normed = (
        numbers[:width],
        numbers[width : 2 * width],
        numbers[2 * width : 3 * width],
    )
    answers = numbers[3 * width : 3 * width + output_count + 1]
    place = read_bits(weights, words, stream, lane, lanes)
    for _ in range(settings.blocks):
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
    return pick(legal, answers, settings.temperature, generator) if lane == 0 else NONE


def _read_bits(weights: Any, words: Buffer, sums: Any, lane: int, lanes: int) -> int:
    """The first layer: the rows of all bits that are set; returns where the next layer begins."""
    width, row = len(sums), 1
    for i in range(lane, width, lanes):
        sums[i] = weights[i]
    for word in range(word_count):
        bits = int(words[word])
        for bit in range(planes[word]):
            if (bits >> bit) & 1:
                for i in range(lane, width, lanes):
                    sums[i] += weights[row * width + i]
            row += 1
    return row * width


def _layer(values: Any, weights: Any, place: int, sums: Any, lane: int, lanes: int) -> None:
    """Bias first, then for each value the weights out of it, be it 0: a branch would wait for it."""
    width = len(sums)
    for first in range(lane, width, ABREAST * lanes):
        second = min(first + lanes, width - 1)
        third = min(first + 2 * lanes, width - 1)
        a, b, c = weights[place + first], weights[place + second], weights[place + third]
        for k in range(len(values)):
            value, row = values[k], place + (k + 1) * width
            a += value * weights[row + first]
            b += value * weights[row + second]
            c += value * weights[row + third]
        _keep(sums, first, a)
        _keep(sums, first + lanes, b)
        _keep(sums, first + 2 * lanes, c)


@kernel
def _keep(sums: Any, place: int, value: Any) -> None:
    if place < len(sums):
        sums[place] = value


def _norm(values: Any, weights: Any, out: Any, partial: Any, lane: int, lanes: int) -> None:
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
def _total(share: float, partial: Any, lane: int, lanes: int) -> float:
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


def _interpreted_layer(
    values: Any, weights: Any, place: int, sums: Any, lane: int, lanes: int
) -> None:
    rows = weights[place : place + (len(values) + 1) * len(sums)].reshape(-1, len(sums))
    sums[lane::lanes] = rows[0, lane::lanes] + values @ rows[1:, lane::lanes]


def _interpreted_norm(
    values: Any, weights: Any, out: Any, partial: Any, lane: int, lanes: int
) -> None:
    scale = 1.0 / math.sqrt(float(values.var()) + STABLE)
    normed = (values - values.mean()) * scale * weights[: len(values)] + weights[len(values) :]
    out[lane::lanes] = normed[lane::lanes]


layer: Callable[..., None] = kernel(_layer) if COMPILED else _interpreted_layer
norm: Callable[..., None] = kernel(_norm) if COMPILED else _interpreted_norm
