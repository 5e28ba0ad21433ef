"""A small network that values states, thousands of them for a match.

Most states differ little from the one before. The first layer is kept between calls and updated
with the inputs that changed. Its sums are integers, so the result does not depend on the history.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from undercut.cards.french import lowest
from undercut.kernels.jit import COMPILED, hole_value, kernel, specialise
from undercut.kernels.records import Array, Buffer
from undercut.players.layers import add_row, copy_row

UNIT = 1 << 16  # of the whole numbers of the first layer

planes: tuple[int, ...] = hole_value()


class Layers(NamedTuple):
    """The weights; the last row of each layer is its bias."""

    entry: Array  # int32, inputs + 1 rows
    inner: Array  # float32
    heads: Array  # float32


def memory_for(words: int, width: int) -> int:
    """The number of int64 numbers that a network of this width keeps between calls; 0 at first."""
    return words + -(-width // 2)


@cache
def answer_kernel(planes: tuple[int, ...], name: str) -> Callable[..., None]:
    """The kernel `(layers, words, memory, answers)` for words with these numbers of inputs."""
    return specialise(_answer, name, _follow=specialise(_follow, name, planes=planes))


def _answer(layers: Layers, words: Buffer, memory: Buffer, answers: Array) -> None:
    """Write the outputs for the bits of `words`; `answers` has room for the inner layer too."""
    width, inner = layers.inner.shape[0] - 1, layers.inner.shape[1]
    sums = memory[len(words) :].view(np.int32)
    _follow(layers.entry, words, memory[: len(words)], sums)
    count = layers.heads.shape[1]
    between = answers[count : count + inner]
    copy_row(between, layers.inner[width], 0, 1)
    for k in range(width):
        total = int(sums[k]) + int(layers.entry[len(layers.entry) - 1, k])
        if total > 0:
            add_row(between, layers.inner[k], np.float32(total) / np.float32(UNIT), 0, 1)
    copy_row(answers[:count], layers.heads[inner], 0, 1)
    for k in range(inner):
        if between[k] > 0:
            add_row(answers[:count], layers.heads[k], between[k], 0, 1)


def _follow(entry: Array, words: Buffer, before: Buffer, sums: Array) -> None:
    """Add the rows of inputs that became 1, subtract those of inputs that became 0."""
    first = 0
    for word in range(len(words)):
        changed = int(words[word]) ^ int(before[word])
        while changed:
            bit = lowest(changed)
            changed ^= 1 << bit
            sign = 1 if int(words[word]) >> bit & 1 else -1
            add_whole(sums, entry[first + bit], sign)
        before[word] = words[word]
        first += planes[word]


def _add_whole(sums: Array, row: Array, sign: int) -> None:
    """Add or subtract a row of integers."""
    for i in range(len(row)):
        sums[i] += sign * row[i]


def _interpreted_whole(sums: Array, row: Array, sign: int) -> None:
    sums[: len(row)] += sign * row


add_whole = kernel(_add_whole) if COMPILED else _interpreted_whole
