"""The view of one seat of Pharaoh."""

from undercut.cards.card import Card, Cards
from undercut.cards.french import NONE
from undercut.cards.german import SUIT_NAMES
from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.rules.layout import Options
from undercut.games.pharaoh.rules.view import unseen_fresh, unseen_old
from undercut.games.table.readable import View
from undercut.kernels.records import Seat


class PharaohView(View):
    """The view of one seat of Pharaoh or Prší."""

    options: Options
    FIELDS = ("top", "suit", "penalty", "skips", "held", "places", "pile", "stock", "outcome")

    @property
    def hand(self) -> Cards:
        """The seat's own cards."""
        return Cards.from_mask(int(self.record.hand), GERMAN)

    @property
    def top(self) -> Card:
        """The card on top of the pile."""
        return self.pile[-1]

    @property
    def suit(self) -> str:
        """The suit to match, which an over may have named."""
        return SUIT_NAMES[int(self.record.suit)]

    @property
    def penalty(self) -> int:
        """The number of cards to take for sevens, 0 without."""
        return int(self.record.count) if self.record.count > 1 else 0

    @property
    def skips(self) -> int:
        """The number of players to be skipped, beginning with the seat on turn."""
        return int(self.record.ace)

    @property
    def others(self) -> list[Seat]:
        """The other seats in the order of play."""
        return [(self.me + step) % self.game.seats for step in range(1, self.game.seats)]

    @property
    def held(self) -> tuple[int, ...]:
        """The number of cards in each hand."""
        return tuple(self.record["held"][: self.game.seats].tolist())

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat that is out, 1 for the first; None for seats still playing."""
        moves = self.record["out_at"][: self.game.seats].tolist()
        order = sorted(move for move in moves if move != NONE)
        return tuple(None if move == NONE else 1 + order.index(move) for move in moves)

    @property
    def pile(self) -> Cards:
        """The discard pile, the oldest card first."""
        record = self.record
        return Cards.from_numbers(record["pile"][: int(record.piled)].tolist(), GERMAN)

    @property
    def stock(self) -> int:
        """The number of cards in the stock."""
        return int(self.record.stock)

    @property
    def outcome(self) -> str | None:
        """The end of the deal: out, stop or limit; None before it."""
        record = self.record
        return self.game.notation.format_outcome(record) if record.outcome else None

    def known(self, seat: Seat) -> Cards:
        """The cards that another seat must hold, since no other seat has cards of their kind."""
        record, others = self.record, self.others
        others.remove(seat)
        fresh, held = record["fresh"], record["held"]
        known = 0
        if all(held[other] == fresh[other] for other in others):
            known |= int(unseen_old(record))
        if record.stock == 0 and not any(fresh[other] for other in others):
            known |= int(unseen_fresh(record))
        return Cards.from_mask(known, GERMAN)
