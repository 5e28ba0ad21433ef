"""What one seat of Duel may know: what is not here comes from `View`."""

from undercut.cards.card import Card, Cards
from undercut.games.table.readable import View


class DuelView(View):
    """The card to beat, and what was played."""

    FIELDS = ("card", "played")

    @property
    def card(self) -> Card | None:
        """The card to beat."""
        return self._card(int(self.record.card))

    @property
    def played(self) -> Cards:
        """The cards that were played."""
        return Cards.from_mask(int(self.record.played))
