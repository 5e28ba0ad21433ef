"""The view of one seat of Gin."""

from dataclasses import dataclass

from undercut.cards.card import Card, Cards
from undercut.cards.french import HIDDEN, NONE, card_points
from undercut.games.gin.rules.layout import (
    Options,
    Outcome,
    Phase,
    drawn,
    knock_limit,
    thrown,
    was_taken,
)
from undercut.games.table.melding.hand import Layout, cheapest, lay_out
from undercut.games.table.melding.view import MeldingView
from undercut.kernels.records import Seat


@dataclass(frozen=True)
class Turn:
    """A turn, as the seat saw it."""

    seat: Seat
    drawn: Card | None  # None: unseen, or no draw
    was_taken: bool  # from the discard pile
    thrown: Card | None  # None: not yet, or face down

    def __str__(self) -> str:
        verb = "took" if self.was_taken else "drew"
        return f"seat {self.seat} {verb} {self.drawn or '?'}, threw {self.thrown or '?'}"


class GinView(MeldingView):
    """The view of one seat of Gin or Distilled Gin.

    `phase` is offer, draw, discard, spread, defend or over, `outcome` knock, gin, undercut or void.
    """

    options: Options
    PHASES = Phase
    FIELDS = (
        *("phase", "upcard", "deadwood", "known", "discards", "stock", "taken", "melds"),
        *("knocker", "outcome", "starter"),
    )

    @property
    def discards(self) -> Cards:
        """The known cards on the discard pile, the oldest first."""
        pile = [] if self.record.first_upcard == NONE else [int(self.record.first_upcard)]
        for turn in range(int(self.record.turn) + (self.record.phase == Phase.DISCARD)):
            if was_taken(self.record, turn):
                pile.pop()
            if turn < self.record.turn:
                pile.append(int(thrown(self.record, turn)))
        return Cards.from_numbers(card for card in pile if card != HIDDEN)

    @property
    def pile_size(self) -> int:
        """The number of cards on the discard pile, including a face-down card."""
        return len(self.discards) + int(self.record.upcard == HIDDEN)

    @property
    def melds(self) -> tuple[tuple[Cards, ...], ...]:
        """The melds on the table after a knock, by seat, lay-offs included."""
        return tuple(tuple(map(Cards.from_mask, self._melds(seat))) for seat in range(2))

    @property
    def knocker(self) -> Seat | None:
        """The seat that knocked."""
        return None if self.record.knocker == NONE else int(self.record.knocker)

    @property
    def knock_limit(self) -> int:
        """The most deadwood to knock with in this deal."""
        return int(knock_limit(self.options, int(self.record.first_upcard)))

    @property
    def face_points(self) -> int:
        """The points of a jack, a queen or a king."""
        return self.options.face_points

    @property
    def deadwood(self) -> int:
        """The hand's deadwood, in the cheapest layout."""
        return self.layout.deadwood

    @property
    def rest(self) -> Layout:
        """The hand without its cards on the table, in the cheapest layout."""
        return cheapest(int(self.record.hand) & ~int(self.record.melded[self.me]), self.face_points)

    @property
    def hands(self) -> tuple[Layout | None, ...]:
        """Every hand in its layout on the table, by seat; None: hidden."""
        return tuple(self._lie(seat) if self._is_open(seat) else None for seat in range(2))

    @property
    def history(self) -> tuple[Turn, ...]:
        """Every turn of the deal, as the seat saw it."""
        turns = int(self.record.turn) + (self.record.phase == Phase.DISCARD)
        return tuple(self._turn(number) for number in range(turns))

    def points(self, card: str) -> int:
        """The points of a card as deadwood."""
        return int(card_points(Card(card).number, self.face_points))

    def _turn(self, number: int) -> Turn:
        record = self.record
        seat = (int(record.opener) + number) % 2
        card = self._card(int(drawn(record, number)))
        is_thrown = number < record.turn
        out = self._card(int(thrown(record, number))) if is_thrown else None
        return Turn(seat, card, bool(was_taken(record, number)), out)

    def _melds(self, seat: Seat) -> list[int]:
        return [meld for meld in self.record["melds"][seat].tolist() if meld]

    def _is_open(self, seat: Seat) -> bool:
        """Whether a hand is visible: the own, the knocker's after its melds, both at the end."""
        if seat == self.me or self.knocker is None:
            return seat == self.me
        return self.phase == "over" or (self.phase == "defend" and seat == self.knocker)

    def _lie(self, seat: Seat) -> Layout:
        cards = int(self.record.hand if seat == self.me else self.record.theirs)
        if self._lies_best():
            return cheapest(cards, self.face_points)
        laid_off = sum(meld & cards for meld in self._melds(1 - seat))
        own = [meld & cards for meld in self._melds(seat)]
        return lay_out(own, laid_off, cards, self.face_points)

    def _lies_best(self) -> bool:
        """Whether no player chose the layout: before a knock, and after automatic gin."""
        if self.knocker is None:
            return True
        return self.record.outcome == Outcome.GIN and not self._melds(self.knocker)
