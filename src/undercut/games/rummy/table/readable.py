"""A view of Rummy that reads well."""

from dataclasses import dataclass

from undercut.cards.card import Card, Cards, deck_of
from undercut.cards.french import NONE
from undercut.cards.packs import FRENCH
from undercut.games.rummy.rules.laid import meld_on_table
from undercut.games.rummy.rules.layout import Outcome, Phase, pile_card, stock_card
from undercut.games.table.readable import View
from undercut.kernels.records import Seat


@dataclass(frozen=True)
class Meld:
    """A meld on the table."""

    cards: Cards
    maker: Seat  # who put it down; either player may have laid off on it

    def __str__(self) -> str:
        return str(self.cards)

    def _repr_html_(self) -> str:
        return self.cards._repr_html_()


class RummyView(View):
    """What one seat of Rummy may know."""

    FIELDS = (
        *("phase", "upcard", "melds", "held", "known", "discards", "stock", "next_card", "taken"),
        *("turnovers", "winner", "outcome", "starter"),
    )

    @property
    def hand(self) -> Cards:
        """One's own cards."""
        return Cards.from_mask(int(self.record.hand))

    @property
    def phase(self) -> str:
        """What the seat on turn has to do: draw, play (put down or discard) or over."""
        return Phase(int(self.record.phase)).name.lower()

    @property
    def upcard(self) -> Card | None:
        """The top of the discard pile."""
        return _card(int(self.record.upcard))

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The melds on the table, in the order they were made."""
        return tuple(self._meld(number) for number in range(int(self.record.melds)))

    @property
    def held(self) -> int:
        """How many cards the other seat holds."""
        return int(self.record.held)

    @property
    def known(self) -> Cards:
        """Those of them that one knows."""
        return Cards.from_mask(int(self.record.theirs))

    @property
    def discards(self) -> Cards:
        """The discard pile, the oldest card first."""
        record = self.record
        places = range(int(record.pile))
        return Cards.from_numbers(int(pile_card(record, place)) for place in places)

    @property
    def stock(self) -> int:
        """How many cards are left in the stock."""
        return int(self.record.stock)

    @property
    def next_card(self) -> Card | None:
        """The card that is drawn next, where one knows it: after a turnover."""
        return _card(int(stock_card(self.record, 0)))

    @property
    def taken(self) -> Card | None:
        """The discard taken this turn."""
        return _card(int(self.record.taken))

    @property
    def turnovers(self) -> int:
        """How often the discard pile was turned over."""
        return int(self.record.turnovers)

    @property
    def winner(self) -> Seat | None:
        """Who went out."""
        return None if self.record.winner == NONE else int(self.record.winner)

    @property
    def outcome(self) -> str | None:
        """How the round ended: out, rummy or tie; None before that."""
        outcome = Outcome(int(self.record.outcome))
        return None if outcome == Outcome.NONE else outcome.name.lower()

    @property
    def starter(self) -> Seat:
        """Who played first."""
        return int(self.record.starter)

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


def _card(number: int) -> Card | None:
    return deck_of(FRENCH)[number] if number >= 0 else None
