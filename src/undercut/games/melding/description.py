"""What descriptions share of games in which one draws to a hand of melds and throws from it."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar, Protocol

from undercut.core.cards import RANKS, parse_card
from undercut.core.records import View
from undercut.games.description import (
    Area,
    Cards,
    Choice,
    Company,
    Event,
    Group,
    Order,
    Part,
    Sentences,
    counted,
)
from undercut.games.melding.hand import Hand, held
from undercut.games.packs import FRENCH
from undercut.games.plain import Plain
from undercut.games.telling import tell_events


class MeldingDescription(Plain):
    """A French pack, a match to a number of points, sentences for draws and throws."""

    pack = FRENCH
    _APART: ClassVar = ("lay", "meld")  # a draw and a throw share a sentence

    def goal(self, options: Any) -> str:
        """How the match ends, in a few words."""
        return f"first to {options.target}"

    def tell(self, events: Sequence[Event], view: View, company: Company) -> Sentences:
        """What was done, in sentences."""
        return tell_events(events, self.phrase, company, self._APART)

    def phrase(self, action: str, is_you: bool) -> str:
        """An action as part of a sentence."""
        return phrase_action(action, is_you)


def phrase_action(action: str, is_you: bool) -> str:
    """An action that many games have as part of a sentence; nothing for any other.

    >>> phrase_action("draw", False), phrase_action("take 8h", True)
    ('draws from the stock', 'take 8h from the pile')
    """
    verb, _, rest = action.partition(" ")
    ending = "" if is_you else "s"
    if verb == "draw":
        return f"draw{ending} {rest + ' ' if rest else ''}from the stock"
    if verb == "take":
        return f"take{ending} {rest} from the pile"
    if verb == "discard":
        return f"throw{ending} {rest}"
    if verb == "lay":
        return f"lay{ending} off {rest}"
    return ""


def orders_of(hand: Hand) -> tuple[Order, ...]:
    """A hand by melds, by suits and by ranks."""
    by_suit = groupby(sorted(held(hand), key=parse_card), key=lambda card: card[1])
    by_rank = sorted(held(hand), key=lambda card: (RANKS.index(card[0]), card[1]))
    return (
        Order("melds", tuple(group for group in (*hand.melds, hand.loose) if group)),
        Order("suits", tuple(tuple(group) for _, group in by_suit)),
        Order("ranks", (tuple(by_rank),)),
    )


def hand_area(hand: Hand, note: str, seat: int) -> Area:
    """The hand of the one who looks, and what it counts."""
    parts = tuple(Part(group) for group in orders_of(hand)[0].groups)
    return Area("hand", "Your hand", parts, note, seat)


class Piles(Protocol):
    """What a sight has of the stock and of the discard pile."""

    @property
    def stock(self) -> int: ...
    @property
    def pile(self) -> int: ...
    @property
    def piled(self) -> Cards: ...
    @property
    def upcard(self) -> str | None: ...


def piles_area(sight: Piles, note: str = "") -> Area:
    """The upcard, and what lies on the pile and in the stock."""
    top = Part((sight.upcard,)) if sight.upcard else Part(before="none")
    drawn_from = f"stock {counted(sight.stock, 'card')}{note}"
    pile = Part(before=f"pile {counted(sight.pile, 'card')}", below=sight.piled)
    return Area("piles", "Upcard", (top, pile, Part((), drawn_from, "", sight.stock)))


def throws(hand: Hand, legal: Sequence[str]) -> Group:
    """The cards that may be thrown."""
    choices = (Choice(f"discard {card}", f"throw {card}", (card,)) for card in held(hand))
    allowed = tuple(choice for choice in choices if choice.action in legal)
    return Group("Throw which card?", "hand", allowed)


def why_not_thrown(card: str, hand: Cards) -> str:
    """Why a card may not be thrown."""
    if card not in hand:
        return f"you do not hold {card}"
    return f"you took {card} this turn: it may not be thrown back at once"
