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

    FIELDS = ("top", "suit", "penalty", "skips", "held", "places", "pile", "stock", "outcome")

    @property
    def options(self) -> Options:
        """The house rules."""
        assert isinstance(self.game.options, Options)
        return self.game.options

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
        """The suit to be matched, which an over may have named."""
        return SUIT_NAMES[int(self.record.suit)]

    @property
    def penalty(self) -> int:
        """How many cards are to be taken for sevens, 0 without."""
        return int(self.record.count) if self.record.count > 1 else 0

    @property
    def skips(self) -> int:
        """How many players are to be skipped, the one on turn first."""
        return int(self.record.ace)

    @property
    def others(self) -> list[Seat]:
        """The other seats in the order of play."""
        return [(self.me + step) % self.game.seats for step in range(1, self.game.seats)]

    @property
    def held(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self.record["held"][: self.game.seats].tolist())

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat that is out, 1 for the first; None for those who still play."""
        moves = self.record["out_at"][: self.game.seats].tolist()
        before = [[other for other in moves if NONE != other < move] for move in moves]
        return tuple(
            None if move == NONE else 1 + len(others)
            for move, others in zip(moves, before, strict=True)
        )

    @property
    def pile(self) -> Cards:
        """The discard pile, the oldest card first."""
        record = self.record
        return Cards.from_numbers(record["pile"][: int(record.piled)].tolist(), GERMAN)

    @property
    def stock(self) -> int:
        """How many cards are left in the stock."""
        return int(self.record.stock)

    @property
    def outcome(self) -> str | None:
        """How the deal ended: out, stop or limit; None before that."""
        record = self.record
        return self.game.notation.format_outcome(record) if record.outcome else None

    def known(self, seat: Seat) -> Cards:
        """The cards that another seat must hold: it alone holds cards of their kind."""
        record, others = self.record, self.others
        others.remove(seat)
        fresh, held = record["fresh"], record["held"]
        known = 0
        if all(held[other] == fresh[other] for other in others):
            known |= int(unseen_old(record))
        if record.stock == 0 and not any(fresh[other] for other in others):
            known |= int(unseen_fresh(record))
        return Cards.from_mask(known, GERMAN)
