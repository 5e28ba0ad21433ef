"""The row kernel of the belief's training: a part of the hidden hands is given."""

from undercut.cards.french import lowest, size
from undercut.kernels.jit import hole_value
from undercut.kernels.records import Array
from undercut.play.vector.rows import first_row, row_step

pools: int = hole_value()


def mask_rows(
    hidden: Array, limits: Array, randoms: Array, given: Array, rest: Array, possible: Array
) -> None:
    """Give a random part of the hidden hands, in the order in which sampling fills them.

    All parts are equally likely to have 0, 1, … of the cards that are not known. `given` gets the
    known and the given cards of each hand. `rest` and `possible` get, for each hand and each set of
    unseen cards, the cards that are still missing and those that could be. The first random number
    of a row is for the number of cards, the others are for the cards.
    """
    hands = hidden.shape[1]
    for i in range(first_row(), len(hidden), row_step()):
        total = 0
        for hand in range(hands):
            total += size(int(hidden[i, hand]) & ~int(limits[i, pools + hand * (1 + pools)]))
        part, place, used = min(int(float(randoms[i, 0]) * total), total - 1), 1, 0
        for hand in range(hands):
            known = int(limits[i, pools + hand * (1 + pools)])
            for pool in range(pools):
                cards = int(hidden[i, hand]) & int(limits[i, pool]) & ~known
                missing, left = cards, size(cards)
                take = max(0, min(part, left))
                part -= take
                while cards:
                    card = lowest(cards)
                    cards ^= 1 << card
                    if float(randoms[i, place]) * left < take:
                        known |= 1 << card
                        take -= 1
                    left -= 1
                    place += 1
                rest[i, hand * pools + pool] = missing & ~known
            given[i, hand] = known
            used |= known
        for slot in range(hands * pools):
            possible[i, slot] = int(limits[i, slot % pools]) & ~used
