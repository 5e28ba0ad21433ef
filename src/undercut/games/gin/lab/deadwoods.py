"""The deadwood of many hands, for the bench."""

from undercut.cards.melds import deadwood
from undercut.kernels.jit import kernel
from undercut.kernels.records import Buffer


@kernel
def total_deadwood(hands: Buffer, count: int) -> int:
    """The deadwood of `count` hands of ten cards, in cyclic order."""
    total = 0
    for i in range(count):
        total += deadwood(int(hands[i % len(hands)]), 10)
    return total
