"""One seat's view in games in which players draw a card, meld and throw a card."""

from collections.abc import Iterable
from enum import IntEnum
from typing import ClassVar

from undercut.cards.card import Card, Cards
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

    def lay_out(self, cards: str | Iterable[str]) -> Layout:
        """Any cards in their layout with the least deadwood."""
        return cheapest(Cards(cards).mask, self.face_points)
