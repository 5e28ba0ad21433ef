"""The melds on the table of Rummy, and the cards that fit them.

Three sets of cards represent them: the cards in sets, the cards in runs, and the lowest card of
each run, which separates adjacent runs.
"""

from undercut.cards.french import Cards
from undercut.games.rummy.rules.layout import State, View
from undercut.kernels.jit import kernel

_ACES: Cards = sum(1 << 13 * suit for suit in range(4))
_KINGS: Cards = _ACES << 12
_SUIT: Cards = 0b1111111111111


@kernel
def runs(table: State | View) -> Cards:
    """The cards of the table that lie in runs."""
    return (int(table.laid[0]) | int(table.laid[1])) & ~int(table.sets)


@kernel
def fits_sets(sets: Cards) -> Cards:
    """The cards that would be the fourth of a set, given all cards that lie in sets."""
    ranks = (sets | (sets >> 13) | (sets >> 26) | (sets >> 39)) & _SUIT
    # The product puts a copy of the 13 rank bits into each of the four suits.
    return (ranks * _ACES) & ~sets


@kernel
def fits_below(starts: Cards) -> Cards:
    """The cards that would be the new lowest card of a run, given the lowest cards now."""
    return (starts & ~_ACES) >> 1


@kernel
def fits_above(cards: Cards, starts: Cards) -> Cards:
    """The cards that would be the new highest card of a run, given all runs and their lowest."""
    # A card ends its run unless the next one continues it. An ace never continues a run, so
    # no bit carries from a king into the next suit.
    ends = cards & ~((cards & ~starts) >> 1)
    return (ends & ~_KINGS) << 1


@kernel
def meld_on_table(table: State | View, number: int) -> Cards:
    """The cards of a meld on the table; melds are numbered in the order they were made."""
    card = int(table.table[number])
    sets = int(table.sets)
    if (sets >> card) & 1:
        return sets & (_ACES << (card % 13))
    cards, starts = runs(table), int(table.starts)
    first, end = card, card + 1
    while not (starts >> first) & 1:
        first -= 1
    while (cards >> end) & 1 and not (starts >> end) & 1:
        end += 1
    return (1 << end) - (1 << first)
