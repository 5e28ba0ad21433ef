"""Whether a seat can go out in this turn, and which choices give that away: read from its view."""

from collections.abc import Sequence

import numpy as np

from undercut.cards.french import Cards, each, mask, parse_card
from undercut.cards.melds import MELD_BUFFER, fitting, is_run, list_melds, meld_cards
from undercut.games.rummy.table.readable import RummyView
from undercut.games.rummy.table.words import number_of


class GoingOut:
    """The cards that are left to put down, and the melds on the table."""

    def __init__(self, view: RummyView) -> None:
        is_kept = view.taken is not None and not view.options.may_discard_taken
        self._kept = 1 << int(view.record.taken) if is_kept else 0
        self._hand = view.hand.mask
        self._melds = [meld.cards for meld in view.melds]
        self._table = [meld.mask for meld in self._melds]
        self.is_possible = self._can_go_out(self._hand, self._table)

    def is_given_away(self, choice: str) -> bool:
        """Whether the seat could go out, and after a choice no longer can."""
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
        """Whether all cards can be put down, or all but one that may be thrown."""
        found = np.zeros(MELD_BUFFER, dtype=np.int64)
        melds = [int(meld_cards(int(meld))) for meld in found[: list_melds(hand, found, 0)]]
        return self._is_all_laid(hand, melds, table)

    def _is_all_laid(self, hand: Cards, melds: Sequence[Cards], table: Sequence[Cards]) -> bool:
        """The same, where only these melds may be put down, in this order."""
        if self._is_laid_off(hand, table):
            return True
        return any(
            self._is_all_laid(hand & ~meld, melds[place + 1 :], table)
            for place, meld in enumerate(melds)
            if not meld & ~hand
        )

    def _is_laid_off(self, hand: Cards, table: Sequence[Cards]) -> bool:
        """The same, where cards are laid off only.

        While a card that may be thrown is held, every order of lay-offs is allowed. So where one
        card must be kept [R 7], the way out that ends without a throw is not looked for.
        """
        left = _without_layoffs(hand, table)
        if not left and not self._kept:
            return True
        if left.bit_count() > 1:
            return False
        thrown = (1 << card for card in each(hand & ~self._kept))
        return any(not _without_layoffs(hand & ~card, table) for card in thrown)


def _without_layoffs(cards: Cards, table: Sequence[Cards]) -> Cards:
    """The rest of some cards when as many as possible are laid off: on runs, then on sets.

    A card on a run can carry others, a card on a set none.
    """
    for meld in sorted(table, key=is_run, reverse=True):
        while laid := int(fitting(meld)) & cards:
            meld, cards = meld | laid, cards & ~laid
    return cards
