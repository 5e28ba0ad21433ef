"""A rummy table as a person sees it: what is told of it, read from one seat's view."""

from dataclasses import dataclass

from undercut.cards.french import NONE, format_card
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Outcome, Phase
from undercut.games.rummy.table.text import format_public
from undercut.games.table.melding.hand import (
    CardTexts,
    Hand,
    card_text,
    card_texts,
    cheapest,
)
from undercut.kernels.records import Action, Seat, View

FACE_POINTS = 10


@dataclass(frozen=True)
class Meld:
    """A meld on the table."""

    cards: CardTexts
    maker: Seat  # who put it down; either player may have laid off on it


@dataclass(frozen=True)
class Sight:
    """What one seat may know, in the words of a card player."""

    phase: Phase
    outcome: Outcome
    me: Seat
    seat: Seat  # whose turn it is
    winner: Seat | None
    stock: int
    next_card: str | None  # the top of the stock or of a pile to be turned over, where known
    pile: int  # cards on the discard pile
    piled: CardTexts  # the same, from the bottom
    turnovers: int
    upcard: str | None
    taken: str | None  # the upcard taken this turn
    hand: Hand
    held: int  # how many cards the other seat holds
    known: CardTexts  # those of them that this seat knows
    melds: tuple[Meld, ...]  # in the order they were made


def look(view: View) -> Sight:
    """What a view shows."""
    melds = range(int(view.melds))
    return Sight(
        phase=Phase(int(view.phase)),
        outcome=Outcome(int(view.outcome)),
        me=int(view.me),
        seat=int(view.seat),
        winner=None if view.winner == NONE else int(view.winner),
        stock=int(view.stock),
        next_card=card_text(rummy.stock_card(view, 0)),
        pile=int(view.pile),
        piled=_piled(view),
        turnovers=int(view.turnovers),
        upcard=card_text(int(view.upcard)),
        taken=card_text(int(view.taken)),
        hand=cheapest(int(view.hand), FACE_POINTS),
        held=int(view.held),
        known=card_texts(int(view.theirs)),
        melds=tuple(_describe_meld(view, number) for number in melds),
    )


def format_seen(action: Action, before: View, after: View, seat: Seat) -> str:
    """An action of `seat` as the viewer saw it: the cards seen are named, the others are not.

    Both views are the viewer's, from just before and just after the action. After the first
    turnover every card of the stock has lain open once.
    """
    if action == rummy.TAKE:
        return "take " + format_card(int(before.upcard))
    told = format_public(action, after)
    if action not in (rummy.DRAW, rummy.TURN_OVER):
        return told
    card = card_text(rummy.stock_card(before, 0))
    if seat == after.me:
        (card,) = card_texts(int(after.hand) & ~int(before.hand))
    return f"{told} {card}" if card else told


def _describe_meld(view: View, number: int) -> Meld:
    first = int(view.table[number])
    return Meld(
        cards=card_texts(int(rummy.meld_on_table(view, number))),
        maker=0 if int(view.laid[0]) >> first & 1 else 1,
    )


def _piled(view: View) -> CardTexts:
    return tuple(format_card(rummy.pile_card(view, place)) for place in range(int(view.pile)))
