"""A view of Duel for people who write Python: what is not here comes from `View`."""

from undercut.cards.card import Card, Cards, deck_of
from undercut.cards.french import NONE
from undercut.cards.packs import FRENCH
from undercut.games.table.readable import View


class DuelView(View):
    """The card to beat, and what was played."""

    FIELDS = ("card", "played")

    @property
    def card(self) -> Card | None:
        """The card to beat."""
        number = int(self.record.card)
        return None if number == NONE else deck_of(FRENCH)[number]

    @property
    def played(self) -> Cards:
        """The cards that were played."""
        return Cards.from_mask(int(self.record.played))
