"""Whether a seat can go out in this turn, and which choices prevent it, by its view."""

from collections.abc import Sequence

import numpy as np

from undercut.cards.french import Cards, each, mask, parse_card
from undercut.cards.melds import MELD_BUFFER, fitting, is_run, list_melds, meld_cards
from undercut.games.rummy.table.readable import RummyView
from undercut.games.rummy.table.words import number_of


class GoingOut:
    """A search for a way to go out in this turn."""

    def __init__(self, view: RummyView) -> None:
        is_kept = view.taken is not None and not view.options.may_discard_taken
        self._kept = 1 << int(view.record.taken) if is_kept else 0
        self._hand = view.hand.mask
        self._melds = [meld.cards for meld in view.melds]
        self._table = [meld.mask for meld in self._melds]
        self.is_possible = self._can_go_out(self._hand, self._table)

    def is_given_away(self, choice: str) -> bool:
        """Whether the seat can go out now, but no longer after a choice."""
        if not self.is_possible:
            return False
        verb, _, rest = choice.partition(" ")
        cards = mask(map(parse_card, rest.partition(" on ")[0].split()))
        left, table = self._hand & ~cards, [*self._table]
        if verb == "discard":
            return left != 0
        if verb == "meld":
            table.append(cards)
        else:
            table[number_of(choice, self._melds) - 1] |= cards
        return left != 0 and not self._can_go_out(left, table)

    def _can_go_out(self, hand: Cards, table: Sequence[Cards]) -> bool:
        """Whether the seat can put down all cards, or all but one that it may throw."""
        found = np.zeros(MELD_BUFFER, dtype=np.int64)
        melds = [int(meld_cards(int(meld))) for meld in found[: list_melds(hand, found, 0)]]
        return self._is_all_laid(hand, melds, table)

    def _is_all_laid(self, hand: Cards, melds: Sequence[Cards], table: Sequence[Cards]) -> bool:
        """The same with only these melds, in this order."""
        if self._is_laid_off(hand, table):
            return True
        return any(
            self._is_all_laid(hand & ~meld, melds[place + 1 :], table)
            for place, meld in enumerate(melds)
            if not meld & ~hand
        )

    def _is_laid_off(self, hand: Cards, table: Sequence[Cards]) -> bool:
        """The same with lay-offs only.

        Every order of lay-offs is legal while the hand has a card that the seat may throw. So if it
        must keep one card [R 7], the search ignores ways out that end without a throw.
        """
        left = _without_layoffs(hand, table)
        if not left and not self._kept:
            return True
        if left.bit_count() > 1:
            return False
        thrown = (1 << card for card in each(hand & ~self._kept))
        return any(not _without_layoffs(hand & ~card, table) for card in thrown)


def _without_layoffs(cards: Cards, table: Sequence[Cards]) -> Cards:
    """The rest of some cards after the most lay-offs: on runs, then on sets.

    Further cards can follow a card on a run, but not a card on a set.
    """
    for meld in sorted(table, key=is_run, reverse=True):
        while laid := int(fitting(meld)) & cards:
            meld, cards = meld | laid, cards & ~laid
    return cards
