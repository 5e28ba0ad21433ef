"""A view of Eights for people who write Python: what is not here comes from `View`."""

from eights import rules
from undercut.cards.card import Card, Cards, deck_of
from undercut.cards.packs import FRENCH
from undercut.games.table.readable import View


class EightsView(View):
    """The open card, what was played, and how many cards are hidden where."""

    FIELDS = ("top", "played", "stock", "held")

    @property
    def top(self) -> Card:
        """The open card."""
        return deck_of(FRENCH)[int(self.record.top)]

    @property
    def played(self) -> Cards:
        """The cards that were played."""
        return Cards.from_mask(int(self.record.played))

    @property
    def stock(self) -> int:
        """How many cards can still be drawn."""
        return 52 - int(self.record.drawn)

    @property
    def held(self) -> int:
        """How many cards the other player holds."""
        return rules.held_by_other(self.record)
