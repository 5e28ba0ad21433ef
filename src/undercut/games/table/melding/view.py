"""One seat's view in games in which players draw a card, meld and throw a card."""

from collections.abc import Iterable
from enum import IntEnum
from typing import ClassVar

from undercut.cards.card import Card, Cards
from undercut.cards.french import PACK
from undercut.cards.melds import melds_with
from undercut.games.table.melding.hand import Layout, cheapest
from undercut.games.table.readable import View
from undercut.kernels.records import Seat


class MeldingView(View):
    """A hand, a stock and a discard pile of French cards."""

    PHASES: ClassVar[type[IntEnum]]

    @property
    def hand(self) -> Cards:
        """The seat's own cards; in Gin also its melds on the table."""
        return Cards.from_mask(int(self.record.hand))

    @property
    def phase(self) -> str:
        """The task of the seat on turn: a name of the game's `Phase`."""
        return self.PHASES(int(self.record.phase)).name.lower()

    @property
    def upcard(self) -> Card | None:
        """The top of the discard pile; None if there is none or it lies face down."""
        return self._card(int(self.record.upcard))

    @property
    def known(self) -> Cards:
        """The known cards in the other hand, in Gin also its melds on the table."""
        return Cards.from_mask(int(self.record.theirs))

    @property
    def discards(self) -> Cards:
        """The known cards on the discard pile."""
        raise NotImplementedError

    @property
    def pile_size(self) -> int:
        """The number of cards on the discard pile, known or not."""
        return len(self.discards)

    @property
    def stock(self) -> int:
        """The number of cards in the stock."""
        return int(self.record.stock)

    @property
    def taken(self) -> Card | None:
        """The discard taken this turn; in most games the seat may not throw it back."""
        return self._card(int(self.record.taken))

    @property
    def outcome(self) -> str | None:
        """The end of the deal: a name of the game's `Outcome`; None before it."""
        record = self.record
        return self.game.notation.format_outcome(record) if record.outcome else None

    @property
    def starter(self) -> Seat:
        """The seat that played first."""
        return int(self.record.starter)

    @property
    def face_points(self) -> int:
        """The points of a jack, a queen or a king."""
        return 10

    @property
    def layout(self) -> Layout:
        """The hand in its layout with the least deadwood."""
        return self.lay_out(self.hand)

    @property
    def unseen(self) -> Cards:
        """The cards that lie in the stock or in the other hand, as far as the seat knows."""
        seen = self.hand.mask | self.known.mask | self.discards.mask | self._laid
        return Cards.from_mask(PACK & ~seen)

    @property
    def _laid(self) -> int:
        """The cards on the table, as a mask."""
        return 0

    def outs(self, card: str) -> Cards:
        """The unseen cards that would lie in a meld with a card of the hand and others of it."""
        hand, unseen = self.hand.mask, self.unseen.mask
        found = 0
        for meld in melds_with(Card(card).number):
            missing = meld & ~hand
            if missing.bit_count() == 1:
                found |= missing & unseen
        return Cards.from_mask(found)

    def lay_out(self, cards: str | Iterable[str]) -> Layout:
        """Any cards in their layout with the least deadwood."""
        return cheapest(Cards(cards).mask, self.face_points)
