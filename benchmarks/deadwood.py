"""Deadwoods of random ten-card hands a second, beside OpenSpiel and RLCard."""

import numpy as np
import pyspiel
from rlcard.games.gin_rummy.utils import melding, utils

from measure import parse_arguments, rates, report
from undercut.core.cards import mask
from undercut.core.jit import kernel
from undercut.core.melds import deadwood

HANDS = 100_000  # for the compiled loop; the others use the first of them


@kernel
def total_deadwood(hands: np.ndarray) -> int:  # type: ignore[type-arg]
    """A loop inside a kernel, as a match runs."""
    total = 0
    for hand in hands:
        total += deadwood(hand, 10)
    return total


def main() -> None:
    """Measure and print."""
    arguments = parse_arguments(__doc__)
    generator = np.random.default_rng(1)
    dealt = [generator.permutation(52)[:10].tolist() for _ in range(HANDS)]
    hands = np.array([mask(cards) for cards in dealt])
    some_hands = [int(hand) for hand in hands[:1000]]
    open_spiel = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    rlcard_hands = [[utils.get_card(card) for card in cards] for cards in dealt[:20]]

    def in_a_kernel() -> int:
        total_deadwood(hands)
        return HANDS

    def from_python() -> int:
        for hand in some_hands:
            deadwood(hand, 10)
        return len(some_hands)

    def in_open_spiel() -> int:
        for cards in dealt[:1000]:
            open_spiel.min_deadwood(cards)
        return 1000

    def in_rlcard() -> int:
        for cards in rlcard_hands:
            best = melding.get_best_meld_clusters(cards)
            utils.get_deadwood_count(cards, best[0] if best else [])
        return len(rlcard_hands)

    measured = rates(
        {
            "undercut, in a kernel": in_a_kernel,
            "undercut, one Python call each": from_python,
            "OpenSpiel, one Python call each": in_open_spiel,
            "RLCard": in_rlcard,
        },
        arguments,
    )
    report("Deadwood of ten cards, one core", "a second", measured, arguments.json)


if __name__ == "__main__":
    main()
