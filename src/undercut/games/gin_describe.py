"""A gin table as a person sees it: what a screen draws, made from one seat's view."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from undercut.core.cards import HIDDEN, NONE, Card, Cards, each, format_card, points, size
from undercut.core.game import Action, Options, Seat, View
from undercut.core.melds import LAYOUT, MELD_BUFFER, deadwood, list_layouts, meld_cards
from undercut.games import gin
from undercut.games.gin import Outcome, Phase
from undercut.games.gin_text import format_action

_LAYOUTS = 256  # layouts of one hand that reach the least deadwood, at most (tested)

CardTexts = tuple[str, ...]


@dataclass(frozen=True)
class Hand:
    """The cards of one seat, laid out; before a knock as cheaply as they can be."""

    melds: tuple[CardTexts, ...]
    laid_off: CardTexts  # on the other seat's melds
    loose: CardTexts
    deadwood: int


@dataclass(frozen=True)
class Table:
    """What one seat may know, in the words of a card player."""

    phase: Phase
    outcome: Outcome
    me: Seat
    seat: Seat  # whose turn it is
    starter: Seat
    knocker: Seat | None
    stock: int
    pile: int  # cards on the discard pile
    upcard: str | None  # None: the pile is empty or its top lies face down
    taken: str | None  # the upcard taken this turn, which may not be thrown back
    hand: Hand
    known: CardTexts  # cards the other seat is known to hold
    laid: tuple[tuple[CardTexts, ...], ...]  # melds on the table by seat, lay-offs included
    hands: tuple[Hand | None, ...]  # by seat, as they lie on the table; None: not to be seen


def describe(view: View, options: Options) -> Table:
    """What a screen draws of a view."""
    me = int(view.me)
    return Table(
        phase=Phase(int(view.phase)),
        outcome=Outcome(int(view.outcome)),
        me=me,
        seat=int(view.seat),
        starter=int(view.starter),
        knocker=None if view.knocker == NONE else int(view.knocker),
        stock=int(view.stock),
        pile=int(size(int(view.pile))) + int(view.upcard == HIDDEN),
        upcard=_card_text(int(view.upcard)),
        taken=_card_text(int(view.taken)),
        hand=cheapest(int(view.hand) & ~int(view.melded[me]), options),
        known=_texts(int(view.theirs)),
        laid=tuple(tuple(_texts(meld) for meld in _laid(view, seat)) for seat in range(2)),
        hands=tuple(_open_hand(view, seat, options) for seat in range(2)),
    )


def format_seen(action: Action, view: View, seat: Seat) -> str:
    """An action of `seat` as the viewer saw it: the cards seen are named, the others are not.

    `view` is the viewer's, just after the action.
    """
    if action == gin.DRAW and seat == view.me:
        return "draw " + format_card(gin.drawn(view, int(view.turn)))
    if action == gin.TAKE:
        return "take " + format_card(int(view.taken))
    if gin.KNOCK <= action < gin.DRAW and view.upcard == HIDDEN:
        return "knock"
    return format_action(action)


def deadwood_after(view: View, card: Card, options: Options) -> int:
    """The deadwood that is left when a card is thrown from the viewer's hand."""
    return int(deadwood(int(view.hand) & ~(1 << card), int(options.face_points)))


def cheapest(cards: Cards, options: Options) -> Hand:
    """Cards laid out so that the least is left over."""
    found = np.zeros(LAYOUT * _LAYOUTS, dtype=np.int64)
    list_layouts(cards, int(options.face_points), np.zeros(MELD_BUFFER, dtype=np.int64), found)
    return _hand(
        [meld_cards(int(meld)) for meld in found[:LAYOUT] if meld != NONE], 0, cards, options
    )


def _open_hand(view: View, seat: Seat, options: Options) -> Hand | None:
    """A hand that lies on the table, or the viewer's own."""
    me = int(view.me)
    cards = int(view.hand) if seat == me else int(view.theirs)
    if seat != me and not _is_open(view, seat):
        return None
    if _lies_best(view):
        return cheapest(cards, options)
    laid_off = sum(meld & cards for meld in _laid(view, 1 - seat))
    own = [meld & cards for meld in _laid(view, seat)]
    return _hand(own, laid_off, cards, options)


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


def _hand(melds: list[Cards], laid_off: Cards, cards: Cards, options: Options) -> Hand:
    loose = cards & ~laid_off & ~sum(melds)
    return Hand(
        melds=tuple(_texts(meld) for meld in sorted(melds)),
        laid_off=_texts(laid_off),
        loose=_texts(loose),
        deadwood=int(points(loose, int(options.face_points))),
    )


def _laid(view: View, seat: Seat) -> list[Cards]:
    melds: Any = view.melds
    return [int(meld) for meld in melds[seat] if meld]


def _texts(cards: Cards) -> CardTexts:
    return tuple(format_card(card) for card in each(cards))


def _card_text(card: int) -> str | None:
    return format_card(card) if card >= 0 else None
