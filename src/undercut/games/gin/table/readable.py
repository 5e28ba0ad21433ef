"""A view of Gin that reads well."""

from collections.abc import Iterable
from dataclasses import dataclass

from undercut.cards.card import Card, Cards, deck_of
from undercut.cards.french import NONE, card_points
from undercut.cards.packs import FRENCH
from undercut.games.gin.rules.layout import Outcome, Phase, drawn, thrown, was_taken
from undercut.games.table.melding.hand import cheapest
from undercut.games.table.readable import View
from undercut.kernels.records import Seat


@dataclass(frozen=True)
class Layout:
    """Cards laid out so that the least is left over."""

    melds: tuple[Cards, ...]
    loose: Cards
    deadwood: int

    def __str__(self) -> str:
        melds = " | ".join(map(str, self.melds)) or "no meld"
        return f"{melds}, deadwood {self.deadwood}"


@dataclass(frozen=True)
class Turn:
    """What one saw of a turn."""

    seat: Seat
    drawn: Card | None  # None: unseen, or nothing was drawn
    was_taken: bool  # from the discard pile
    thrown: Card | None  # None: not yet, or face down

    def __str__(self) -> str:
        verb = "took" if self.was_taken else "drew"
        return f"seat {self.seat} {verb} {self.drawn or '?'}, threw {self.thrown or '?'}"


class GinView(View):
    """What one seat of Gin or Distilled Gin may know."""

    FIELDS = (
        *("phase", "upcard", "deadwood", "known", "discards", "stock", "taken", "melds"),
        *("knocker", "outcome", "starter"),
    )

    @property
    def hand(self) -> Cards:
        """One's own cards, those that one has laid down included."""
        return Cards.from_mask(int(self.record.hand))

    @property
    def phase(self) -> str:
        """What the seat on turn has to do: offer, draw, discard, spread, defend or over."""
        return Phase(int(self.record.phase)).name.lower()

    @property
    def upcard(self) -> Card | None:
        """The top of the discard pile; None if there is none or it lies face down."""
        return _card(int(self.record.upcard))

    @property
    def known(self) -> Cards:
        """The cards that the other seat is known to hold, or to have laid down."""
        return Cards.from_mask(int(self.record.theirs))

    @property
    def discards(self) -> Cards:
        """The cards on the discard pile that one can know, sorted; `history` has their order."""
        return Cards.from_mask(int(self.record.pile))

    @property
    def stock(self) -> int:
        """How many cards are left in the stock."""
        return int(self.record.stock)

    @property
    def taken(self) -> Card | None:
        """The upcard taken this turn, which may not be thrown back."""
        return _card(int(self.record.taken))

    @property
    def melds(self) -> tuple[tuple[Cards, ...], ...]:
        """The melds on the table after a knock, by seat, lay-offs included."""
        melds = self.record["melds"].tolist()
        return tuple(tuple(Cards.from_mask(meld) for meld in row if meld) for row in melds)

    @property
    def knocker(self) -> Seat | None:
        """Who knocked."""
        return None if self.record.knocker == NONE else int(self.record.knocker)

    @property
    def outcome(self) -> str | None:
        """How the deal ended: knock, gin, undercut or void; None before that."""
        outcome = Outcome(int(self.record.outcome))
        return None if outcome == Outcome.NONE else outcome.name.lower()

    @property
    def starter(self) -> Seat:
        """Who played first."""
        return int(self.record.starter)

    @property
    def layout(self) -> Layout:
        """One's hand laid out as well as it can be."""
        return self.lay_out(self.hand)

    @property
    def deadwood(self) -> int:
        """The points of one's cards that fit into no meld, laid out as well as they can be."""
        return self.layout.deadwood

    @property
    def history(self) -> tuple[Turn, ...]:
        """Every turn so far, as one saw it."""
        turns = int(self.record.turn) + (self.record.phase == Phase.DISCARD)
        return tuple(self._turn(number) for number in range(turns))

    def lay_out(self, cards: str | Iterable[str]) -> Layout:
        """Any cards laid out so that the least deadwood is left: what if I held these?"""
        hand = cheapest(Cards(cards).mask, int(self.game.options.face_points))
        return Layout(tuple(map(Cards, hand.melds)), Cards(hand.loose), hand.deadwood)

    def points(self, card: str) -> int:
        """What a card counts as deadwood."""
        return int(card_points(Card(card).number, int(self.game.options.face_points)))

    def _turn(self, number: int) -> Turn:
        record = self.record
        seat = (int(record.opener) + number) % 2
        card = _card(int(drawn(record, number)))
        is_thrown = number < record.turn
        out = _card(int(thrown(record, number))) if is_thrown else None
        return Turn(seat, card, bool(was_taken(record, number)), out)


def _card(number: int) -> Card | None:
    return deck_of(FRENCH)[number] if number >= 0 else None
