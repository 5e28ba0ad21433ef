"""A trained network that plays, without torch: one decision at a time, wherever kernels run.

Weights lie in one flat float32 buffer, row by row those out of one input, so that inputs and
activations that are 0 cost nothing.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.kernels import rng
from undercut.kernels.jit import COMPILED, hole, hole_value, kernel, specialise
from undercut.kernels.records import Action, Buffer, Options, View
from undercut.kernels.rng import Generator
from undercut.players.encoding import Encoding
from undercut.text.spec import Option

STABLE = 1e-5  # what a layer norm adds to a variance


class Settings(NamedTuple):
    """How it plays."""

    temperature: Annotated[
        float,
        Option(0.0, 10.0, "0: what it likes best; more: by chance, the worse the rarer"),
    ] = 0.0
    forgets: Annotated[
        int, Option(0, 1, "1: goes by what lies open, and forgets most of what has happened")
    ] = 0
    weights: Any = None  # put in by the entry, as what follows
    width: Any = None
    blocks: Any = None


@hole
def encode(view: View, options: Options, words: Buffer) -> None: ...
@hole
def output_of(action: Action) -> int: ...
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
def read_bits(weights: Any, words: Buffer, sums: Any) -> int: ...
@hole
def answer_bits(settings: Settings, words: Buffer, numbers: Any) -> None: ...
@hole
def pick(legal: Buffer, answers: Any, temperature: float, generator: Generator) -> Action: ...


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
    """The kernel of an agent that plays a game by a network."""
    bound = bound_to(encoding, name)
    for hole_name, template in (("read_bits", _read_bits), ("answer_bits", _answer_bits)):
        bound[hole_name] = specialise(template, name, **bound)
    return specialise(_choose, name, **bound)


@cache
def _pick_of(encoding: Encoding, name: str) -> Callable[..., Action]:
    return specialise(_pick, name, output_of=encoding.output_of)


def bound_to(encoding: Encoding, name: str) -> dict[str, Any]:
    """What a game means by the names that a network's kernels leave open."""
    return {
        "word_count": len(encoding.planes),
        "output_count": encoding.outputs,
        "planes": encoding.planes,
        "remembered": encoding.remembered,
        "encode": encoding.encode,
        "is_asked": encoding.is_asked,
        "rest": encoding.rest,
        "pick": _pick_of(encoding, name),
    }


def _choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    if not is_asked(view, 0):
        return rest(view, legal, options, settings, generator, workspace)
    words = workspace[:word_count]
    encode(view, options, words)
    if settings.forgets:
        for word in remembered:
            words[word] = 0
    numbers = workspace[word_count:].view(np.float32)
    answer_bits(settings, words, numbers)
    answers = numbers[3 * int(settings.width) :]
    return pick(legal, answers, settings.temperature, generator)


def _answer_bits(settings: Settings, words: Buffer, numbers: Any) -> None:
    """What the network says to the bits of `words`: a number for each answer, then the value.

    They lie behind three rows of working space.
    """
    weights, width = settings.weights, int(settings.width)
    stream, inner, normed = (
        numbers[:width],
        numbers[width : 2 * width],
        numbers[2 * width : 3 * width],
    )
    answers = numbers[3 * width : 3 * width + output_count + 1]
    place = read_bits(weights, words, stream)
    for _ in range(settings.blocks):
        norm(stream, weights[place : place + 2 * width], normed)
        place += 2 * width
        layer(normed, weights, place, inner)
        place += (width + 1) * width
        for i in range(width):
            inner[i] = max(inner[i], np.float32(0))
        layer(inner, weights, place, normed)
        place += (width + 1) * width
        for i in range(width):
            stream[i] += normed[i]
    norm(stream, weights[place : place + 2 * width], normed)
    layer(normed, weights, place + 2 * width, answers)


def _read_bits(weights: Any, words: Buffer, sums: Any) -> int:
    """The first layer: the rows of all bits that are set; returns where the next layer begins."""
    width, row = len(sums), 1
    for i in range(width):
        sums[i] = weights[i]
    for word in range(word_count):
        bits = int(words[word])
        for bit in range(planes[word]):
            if (bits >> bit) & 1:
                add(sums, weights[row * width : (row + 1) * width], np.float32(1))
            row += 1
    return row * width


def _layer(values: Any, weights: Any, place: int, sums: Any) -> None:
    """Bias first, then for each value the weights out of it."""
    width = len(sums)
    for i in range(width):
        sums[i] = weights[place + i]
    for k in range(len(values)):
        value = values[k]
        if value != 0:
            start = place + (k + 1) * width
            add(sums, weights[start : start + width], value)


def _add(sums: Any, row: Any, factor: Any) -> None:
    for i in range(len(sums)):
        sums[i] += factor * row[i]


def _norm(values: Any, weights: Any, out: Any) -> None:
    """Mean 0 and variance 1, then weights and biases."""
    width = len(values)
    mean = 0.0
    for i in range(width):
        mean += values[i]
    mean /= width
    variance = 0.0
    for i in range(width):
        variance += (values[i] - mean) ** 2
    scale = 1.0 / math.sqrt(variance / width + STABLE)
    for i in range(width):
        out[i] = np.float32((values[i] - mean) * scale) * weights[i] + weights[width + i]


# The same for plain Python, which would take a second for a decision, number by number.


def _interpreted_layer(values: Any, weights: Any, place: int, sums: Any) -> None:
    rows = weights[place : place + (len(values) + 1) * len(sums)].reshape(-1, len(sums))
    sums[:] = rows[0] + values @ rows[1:]


def _interpreted_add(sums: Any, row: Any, factor: Any) -> None:
    sums += factor * row


def _interpreted_norm(values: Any, weights: Any, out: Any) -> None:
    scale = 1.0 / math.sqrt(float(values.var()) + STABLE)
    out[:] = (values - values.mean()) * scale * weights[: len(values)] + weights[len(values) :]


add: Any = kernel(_add) if COMPILED else _interpreted_add
layer: Any = kernel(_layer) if COMPILED else _interpreted_layer
norm: Any = kernel(_norm) if COMPILED else _interpreted_norm


def _pick(legal: Buffer, answers: Any, temperature: float, generator: Generator) -> Action:
    """The legal action with the highest number, or any by chance."""
    best, action = -math.inf, NONE
    for each in legal:
        if answers[output_of(int(each))] > best:
            best, action = float(answers[output_of(int(each))]), int(each)
    if temperature > 0:
        total = 0.0
        for each in legal:
            total += math.exp((answers[output_of(int(each))] - best) / temperature)
        mark = rng.uniform(generator) * total
        for each in legal:
            mark -= math.exp((answers[output_of(int(each))] - best) / temperature)
            if mark < 0:
                return int(each)
    return action
