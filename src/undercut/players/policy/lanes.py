"""Decisions of a network on a GPU: many lanes share one decision, and each sums other outputs.

The lanes of a team read neighbouring weights together, which a thread on its own could not. Each
output is summed in the order of `kernel`.
"""

from collections.abc import Callable
from functools import cache

from undercut.kernels.jit import COMPILED, kernel
from undercut.kernels.records import Array
from undercut.play.agent import Parts
from undercut.players.encoding import Encoding
from undercut.players.policy.kernel import begin_kernel, interpreted_layer, policy_workspace

LANES = 256
MOST_SHARED = 6 << 10  # int64 numbers: the shared memory of a block
ABREAST = 3  # outputs that a lane sums at a time, so that reads of weights overlap


@cache
def policy_parts(encoding: Encoding, name: str, width: int) -> Parts | None:
    """A decision by many lanes; None if the network is too wide."""
    shared = policy_workspace(encoding, width) + LANES
    if shared > MOST_SHARED:
        return None
    begin = begin_kernel(encoding, name, layer_abreast)
    return Parts(begin, shared, own=max(1, encoding.workspace), lanes=LANES)


def _layer(values: Array, weights: Array, place: int, sums: Array, lane: int, lanes: int) -> None:
    """The bias, then the weights of every value, also of zeros: a branch would wait for the value."""
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
def _keep(sums: Array, place: int, value: float) -> None:
    if place < len(sums):
        sums[place] = value


layer_abreast: Callable[..., None] = kernel(_layer) if COMPILED else interpreted_layer
