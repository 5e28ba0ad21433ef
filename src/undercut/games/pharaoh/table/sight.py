"""A Pharaoh table as a person sees it: what is told of it, read from one seat's view."""

from dataclasses import dataclass

from undercut.cards.french import NONE, each
from undercut.cards.german import (
    SUIT_NAMES,
    VALUES,
    Cards,
    format_card,
)
from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.rules.layout import (
    DRAW,
    PASS,
    Options,
    Outcome,
)
from undercut.games.pharaoh.rules.view import unseen_fresh, unseen_old
from undercut.games.pharaoh.table.text import format_public
from undercut.kernels.records import Action, Seat, View
from undercut.text.translation import mark, say

CardTexts = tuple[str, ...]

_ANY = (
    *(mark("any seven"), mark("any eight"), mark("any nine"), mark("any ten")),
    *(mark("any under"), mark("any over"), mark("any king"), mark("any ace")),
)


@dataclass(frozen=True)
class Player:
    """Another seat."""

    seat: Seat
    held: int  # how many cards it holds
    known: CardTexts  # those of them that the viewer knows by counting
    place: int | None  # of a player who is out: 1 was the first


@dataclass(frozen=True)
class Sight:
    """What one seat may know, in the words of a card player."""

    outcome: Outcome
    me: Seat
    hand: CardTexts  # by value
    top: str
    suit: str  # to be matched
    penalty: int  # cards to take for sevens, 0 when there are none
    skips: int  # how many players are to be skipped, the one on turn first
    pile: int
    piled: CardTexts  # the same, from the bottom
    stock: int
    is_out: bool  # whether the viewer is
    others: tuple[Player, ...]  # in the order of play, from the viewer on


def look(view: View) -> Sight:
    """What a view shows."""
    players = int(view.players)
    order = [(int(view.me) + step) % players for step in range(1, players)]
    return Sight(
        outcome=Outcome(int(view.outcome)),
        me=int(view.me),
        hand=_card_texts(int(view.hand)),
        top=format_card(int(view.pile[int(view.piled) - 1])),
        suit=SUIT_NAMES[int(view.suit)],
        penalty=int(view.count) if view.count > 1 else 0,
        skips=int(view.ace),
        pile=int(view.piled),
        piled=tuple(format_card(int(card)) for card in view.pile[: int(view.piled)]),
        stock=int(view.stock),
        is_out=bool(view.out_at[int(view.me)] != NONE),
        others=tuple(_describe_player(view, seat) for seat in order),
    )


def fitting(table: Sight, options: Options) -> list[str]:
    """What may be put first on the pile, in words."""
    overs = [say("any over")] if options.over_on_active else []
    leaves_under = ["UL"] if options.leaves_under else []
    if table.skips:
        return [*([say("any ace")] if options.aces_stack else []), *overs]
    if table.penalty:
        return [say("any seven"), *leaves_under, *overs]
    if leaves_under == [table.top]:
        return [say("any card")]
    suit, value = GERMAN.name_suit(table.suit), say(_ANY[VALUES.index(table.top[0])])
    return [*dict.fromkeys([suit, value, say("any over"), *leaves_under])]


def format_seen(action: Action, before: View, after: View, seat: Seat) -> str:
    """An action of `seat` as the viewer saw it, and what came of it.

    Both views are the viewer's, from just before and just after the action. Others are seen to draw
    a number of cards: `draw 3`; a viewer's own are named: `draw KC`. `skip` is the pass of a player
    who is skipped. Behind a semicolon: `unasked` for a viewer who could only draw, `shuffled` for
    the pile, `out 2` with the place, and `back 3` for the seat that a heart VII brings back.
    """
    notes = []
    if action == DRAW and seat == after.me and not int(after.denied[seat]) & int(before.hand):
        notes.append("unasked")
    if after.reshuffles > before.reshuffles:
        notes.append("shuffled")
    for other in range(int(after.players)):
        if before.out_at[other] == NONE != after.out_at[other]:
            notes.append(f"out {_place(after, other)}")
        if before.out_at[other] != NONE == after.out_at[other]:
            notes.append(f"back {other}")
    return "; ".join([_format_move(action, before, after, seat), *notes])


def _format_move(action: Action, before: View, after: View, seat: Seat) -> str:
    if action == PASS and before.ace > 0:
        return "skip"
    if action != DRAW:
        return format_public(action, after)
    if seat == after.me:
        return " ".join(["draw", *_card_texts(int(after.hand) & ~int(before.hand))])
    return f"draw {int(after.held[seat]) - int(before.held[seat])}"


def _describe_player(view: View, seat: Seat) -> Player:
    return Player(
        seat=seat,
        held=int(view.held[seat]),
        known=_card_texts(_known(view, seat)),
        place=None if view.out_at[seat] == NONE else _place(view, seat),
    )


def _known(view: View, seat: Seat) -> Cards:
    """The cards that nobody but one seat can hold, since it alone holds cards of their kind."""
    others = [other for other in range(int(view.players)) if other not in (seat, int(view.me))]
    fresh, held = view.fresh, view.held
    known = 0
    if all(held[other] == fresh[other] for other in others):
        known |= int(unseen_old(view))
    if view.stock == 0 and not any(fresh[other] for other in others):
        known |= int(unseen_fresh(view))
    return known


def _place(view: View, seat: Seat) -> int:
    moves = [int(move) for move in view.out_at[: int(view.players)]]
    return 1 + sum(NONE != move < moves[seat] for move in moves)


def _card_texts(cards: Cards) -> CardTexts:
    return tuple(format_card(card) for card in each(cards))
