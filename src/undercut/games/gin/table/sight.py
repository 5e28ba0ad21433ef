"""A gin table as a person sees it: what is told of it, read from one seat's view."""

from dataclasses import dataclass
from typing import Any

from undercut.cards.french import (
    HIDDEN,
    NONE,
    Card,
    Cards,
    format_card,
    size,
)
from undercut.cards.melds import deadwood
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Outcome, Phase
from undercut.games.gin.table.text import format_public
from undercut.games.table.melding.hand import (
    CardTexts,
    Hand,
    card_text,
    card_texts,
    cheapest,
    lay_out,
)
from undercut.kernels.records import (
    Action,
    Options,
    Seat,
    View,
)


@dataclass(frozen=True)
class Sight:
    """What one seat may know, in the words of a card player."""

    phase: Phase
    outcome: Outcome
    me: Seat
    seat: Seat  # whose turn it is
    starter: Seat
    knocker: Seat | None
    stock: int
    pile: int  # cards on the discard pile
    piled: CardTexts  # those of them that can be seen
    upcard: str | None  # None: the pile is empty or its top lies face down
    taken: str | None  # the upcard taken this turn, which may not be thrown back
    hand: Hand
    known: CardTexts  # cards the other seat is known to hold
    laid: tuple[tuple[CardTexts, ...], ...]  # melds on the table by seat, lay-offs included
    hands: tuple[Hand | None, ...]  # by seat, as they lie on the table; None: not to be seen


def look(view: View, options: Options) -> Sight:
    """What a view shows."""
    me = int(view.me)
    return Sight(
        phase=Phase(int(view.phase)),
        outcome=Outcome(int(view.outcome)),
        me=me,
        seat=int(view.seat),
        starter=int(view.starter),
        knocker=None if view.knocker == NONE else int(view.knocker),
        stock=int(view.stock),
        pile=int(size(int(view.pile))) + int(view.upcard == HIDDEN),
        piled=card_texts(int(view.pile)),
        upcard=card_text(int(view.upcard)),
        taken=card_text(int(view.taken)),
        hand=cheapest(int(view.hand) & ~int(view.melded[me]), int(options.face_points)),
        known=card_texts(int(view.theirs)),
        laid=tuple(tuple(card_texts(meld) for meld in _laid(view, seat)) for seat in range(2)),
        hands=tuple(_open_hand(view, seat, options) for seat in range(2)),
    )


def format_seen(action: Action, before: View, after: View, seat: Seat) -> str:
    """An action of `seat` as the viewer saw it: the cards seen are named, the others are not.

    Both views are the viewer's, from just before and just after the action.
    """
    if action == gin.DRAW and seat == after.me:
        return "draw " + format_card(gin.drawn(after, int(after.turn)))
    if action == gin.TAKE:
        return "take " + format_card(int(before.upcard))
    return format_public(action, after)


def deadwood_after(view: View, card: Card, options: Options) -> int:
    """The deadwood that is left when a card is thrown from the viewer's hand."""
    return int(deadwood(int(view.hand) & ~(1 << card), int(options.face_points)))


def _open_hand(view: View, seat: Seat, options: Options) -> Hand | None:
    """A hand that lies on the table, or the viewer's own."""
    me = int(view.me)
    cards = int(view.hand) if seat == me else int(view.theirs)
    if seat != me and not _is_open(view, seat):
        return None
    if _lies_best(view):
        return cheapest(cards, int(options.face_points))
    laid_off = sum(meld & cards for meld in _laid(view, 1 - seat))
    own = [meld & cards for meld in _laid(view, seat)]
    return lay_out(own, laid_off, cards, int(options.face_points))


def _is_open(view: View, seat: Seat) -> bool:
    """Whether the other hand can be seen: the knocker's once it is laid out, both at the end."""
    if view.knocker == NONE:
        return False
    return view.phase == Phase.OVER or (view.phase == Phase.DEFEND and seat == view.knocker)


def _lies_best(view: View) -> bool:
    """Whether nobody chose the layout: before a knock, and after gin that ended the deal by itself."""
    if view.knocker == NONE:
        return True
    return view.outcome == Outcome.GIN and not _laid(view, int(view.knocker))


def _laid(view: View, seat: Seat) -> list[Cards]:
    melds: Any = view.melds
    return [int(meld) for meld in melds[seat] if meld]
