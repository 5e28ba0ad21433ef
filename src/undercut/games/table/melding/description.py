"""What descriptions share of games in which one draws to a hand of melds and throws from it."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar, Protocol

from undercut.cards.french import RANKS, parse_card
from undercut.cards.packs import FRENCH
from undercut.games.table.description import (
    Area,
    Cards,
    Choice,
    Company,
    Event,
    Group,
    Order,
    Part,
    Sentences,
)
from undercut.games.table.melding.hand import Hand, held
from undercut.games.table.melding.layoffs import name_target
from undercut.games.table.plain_description import Plain, first_to
from undercut.games.table.sentences import tell_events
from undercut.kernels.records import View
from undercut.text.translation import say, say_as, say_count


class MeldingDescription(Plain):
    """A French pack, a match to a number of points, sentences for draws and throws."""

    pack = FRENCH
    _APART: ClassVar = ("lay", "meld")  # a draw and a throw share a sentence

    def goal(self, options: Any) -> str:
        """How the match ends, in a few words."""
        return first_to(options.target)

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
    card, _, target = rest.partition(" on ")
    return _phrase_yours(verb, card, target) if is_you else _phrase_theirs(verb, card, target)


def _phrase_yours(verb: str, card: str, target: str) -> str:
    if verb == "draw" and not card:
        return say_as("you", "draw from the stock")
    if verb == "draw":
        return say_as("you", "draw {card} from the stock", card=card)
    if verb == "take":
        return say_as("you", "take {card} from the pile", card=card)
    if verb == "discard":
        return say_as("you", "throw {card}", card=card)
    if verb == "lay":
        return say_as("you", "lay off {card} on {target}", card=card, target=name_target(target))
    return ""


def _phrase_theirs(verb: str, card: str, target: str) -> str:
    if verb == "draw" and not card:
        return say("draws from the stock")
    if verb == "draw":
        return say("draws {card} from the stock", card=card)
    if verb == "take":
        return say("takes {card} from the pile", card=card)
    if verb == "discard":
        return say("throws {card}", card=card)
    if verb == "lay":
        return say("lays off {card} on {target}", card=card, target=name_target(target))
    return ""


def orders_of(hand: Hand) -> tuple[Order, ...]:
    """A hand by melds, by suits and by ranks."""
    by_suit = groupby(sorted(held(hand), key=parse_card), key=lambda card: card[1])
    by_rank = sorted(held(hand), key=lambda card: (RANKS.index(card[0]), card[1]))
    return (
        Order(say("by melds"), tuple(group for group in (*hand.melds, hand.loose) if group)),
        Order(say("by suits"), tuple(tuple(group) for _, group in by_suit)),
        Order(say("by ranks"), (tuple(by_rank),)),
    )


def hand_area(hand: Hand, note: str, seat: int) -> Area:
    """The hand of the one who looks, and what it counts."""
    parts = tuple(Part(group) for group in orders_of(hand)[0].groups)
    return Area("hand", say("Your hand"), parts, note, seat)


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
    top = Part((sight.upcard,)) if sight.upcard else Part(before=say("none"))
    told = say_count("pile {count} card", "pile {count} cards", sight.pile)
    stock = say_count("stock {count} card", "stock {count} cards", sight.stock) + note
    parts = (top, Part(before=told, below=sight.piled), Part((), stock, "", sight.stock))
    return Area("piles", say("Upcard"), parts)


def throws(hand: Hand, legal: Sequence[str]) -> Group:
    """The cards that may be thrown."""
    choices = (
        Choice(f"discard {card}", say("throw {card}", card=card), (card,)) for card in held(hand)
    )
    allowed = tuple(choice for choice in choices if choice.action in legal)
    return Group(say("Throw which card?"), "hand", allowed)


def meld_choice(action: str) -> Choice:
    """A meld to be put down, `meld 5h 6h 7h`, as it is offered."""
    cards = action.removeprefix("meld ")
    return Choice(action, say_as("offered", "meld {cards}", cards=cards), tuple(cards.split()))


def layoff_choice(action: str, onto: Cards) -> Choice:
    """A lay-off, `lay 8h on 7h`, as it is offered, and the meld on which it goes."""
    card, _, target = action.removeprefix("lay ").partition(" on ")
    words = say("lay off {card} on {target}", card=card, target=name_target(target))
    return Choice(action, words, (card,), onto=onto)


def why_not_thrown(card: str, hand: Cards) -> str:
    """Why a card may not be thrown."""
    if card not in hand:
        return say("you do not hold {cards}", cards=card)
    return say("you took {card} this turn: it may not be thrown back at once", card=card)
