"""The points that a choice after a knock wastes, by one seat's view."""

import numpy as np

from undercut.cards.card import Cards
from undercut.cards.french import parse_card, points
from undercut.cards.melds import LAYOUT, MELD_BUFFER, deadwood, defended_deadwood, meld_cards
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.table.readable import GinView
from undercut.games.gin.table.text import parse_action
from undercut.games.table.melding.layoffs import is_laid_on


class Waste:
    """The deadwood that choices leave in excess of the minimum."""

    def __init__(self, view: GinView) -> None:
        record, options = view.record, view.options
        self._face_points = view.face_points
        self._cards = int(record.hand) & ~int(record.melded[view.me])
        self._table = [0] * LAYOUT
        # The knocker's hand lies open: without deadwood, no lay-off is legal.
        is_gin = view.phase == "defend" and record.theirs == record.melded[view.knocker]
        if view.phase == "defend" and options.layoffs and not is_gin:
            self._table = [int(meld) for meld in record.melds[view.knocker]]
        # Automatic lay-offs are greedy, so they may miss the best order.
        self.is_certain = not (options.eaai_auto_layoff and any(self._table))
        self.least = self._least(self._cards, self._table)

    def of(self, choice: str) -> int:
        """The points that a choice wastes."""
        action = parse_action(choice)
        if action == gin.DONE:
            return int(points(self._cards, self._face_points)) - self.least
        if action < gin.LAY_ON_SET:
            rest = self._cards & ~int(meld_cards(action - gin.MELD))
            return self._least(rest, self._table) - self.least
        card = 1 << parse_card(choice.split()[1])
        table = [
            meld | card if meld and is_laid_on(choice, Cards.from_mask(meld)) else meld
            for meld in self._table
        ]
        return self._least(self._cards & ~card, table) - self.least

    def _least(self, cards: int, table: list[int]) -> int:
        """The least deadwood of some cards, over all melds and lay-offs."""
        if not any(table):
            return int(deadwood(cards, self._face_points))
        space = np.zeros(MELD_BUFFER, dtype=np.int64)
        return int(defended_deadwood(cards, np.array(table), self._face_points, space))
