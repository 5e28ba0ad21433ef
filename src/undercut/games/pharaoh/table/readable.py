"""A view of Pharaoh that reads well."""

from undercut.cards.card import Card, Cards
from undercut.cards.french import NONE
from undercut.cards.german import SUIT_NAMES
from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.rules.layout import Outcome
from undercut.games.pharaoh.table.sight import look
from undercut.games.table.readable import View
from undercut.kernels.records import Seat


class PharaohView(View):
    """What one seat of Pharaoh or Prší may know."""

    FIELDS = ("top", "suit", "penalty", "skips", "held", "places", "pile", "stock", "outcome")

    @property
    def hand(self) -> Cards:
        """One's own cards."""
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
        outcome = Outcome(int(self.record.outcome))
        return None if outcome == Outcome.NONE else outcome.name.lower()

    def known(self, seat: Seat) -> Cards:
        """The cards that another seat must hold, by counting."""
        others = {other.seat: other.known for other in look(self.record).others}
        return Cards(others[seat], GERMAN)
