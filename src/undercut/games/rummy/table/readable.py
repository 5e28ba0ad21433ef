"""The view of one seat of Rummy."""

from dataclasses import dataclass

from undercut.cards.card import Card, Cards
from undercut.cards.french import NONE
from undercut.games.rummy.rules.laid import meld_on_table
from undercut.games.rummy.rules.layout import Options, Phase, pile_card, stock_card
from undercut.games.table.melding.view import MeldingView
from undercut.kernels.records import Seat


@dataclass(frozen=True)
class Meld:
    """A meld on the table."""

    cards: Cards
    maker: Seat  # who put it down; both players may have laid off on it

    def __str__(self) -> str:
        return str(self.cards)

    def _repr_html_(self) -> str:
        return self.cards._repr_html_()


class RummyView(MeldingView):
    """The view of one seat of Rummy.

    `phase` is draw, play (put down or discard) or over, `outcome` out, rummy or tie.
    """

    options: Options
    PHASES = Phase
    FIELDS = (
        *("phase", "upcard", "melds", "held", "known", "discards", "stock", "next_card", "taken"),
        *("turnovers", "winner", "outcome", "starter"),
    )

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The melds on the table, in the order they were made."""
        return tuple(self._meld(number) for number in range(int(self.record.melds)))

    @property
    def held(self) -> int:
        """The number of cards in the other hand."""
        return int(self.record.held)

    @property
    def discards(self) -> Cards:
        """The discard pile, the oldest card first."""
        record = self.record
        places = range(int(record.pile))
        return Cards.from_numbers(int(pile_card(record, place)) for place in places)

    @property
    def next_card(self) -> Card | None:
        """The next card of the stock, if the seat knows it: after a turnover."""
        return self._card(int(stock_card(self.record, 0)))

    @property
    def turnovers(self) -> int:
        """The number of times the discard pile was turned over."""
        return int(self.record.turnovers)

    @property
    def winner(self) -> Seat | None:
        """The seat that went out."""
        return None if self.record.winner == NONE else int(self.record.winner)

    @property
    def _laid(self) -> int:
        return int(self.record["laid"][0]) | int(self.record["laid"][1])

    def thrown(self, seat: Seat) -> Cards:
        """The cards that a seat has thrown and not taken back."""
        return Cards.from_mask(int(self.record["thrown"][seat]))

    def refused(self, seat: Seat) -> Cards:
        """The discards that a seat has passed over and not taken since."""
        return Cards.from_mask(int(self.record["refused"][seat]))

    def _meld(self, number: int) -> Meld:
        first = int(self.record["table"][number])
        maker = 0 if int(self.record["laid"][0]) >> first & 1 else 1
        return Meld(Cards.from_mask(int(meld_on_table(self.record, number))), maker)
