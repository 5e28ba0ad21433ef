"""The shared description of games in which players draw to a hand of melds and throw a card."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar, TypeVar

from undercut.cards.french import RANKS, parse_card
from undercut.cards.packs import FRENCH
from undercut.games.table.actions import Action
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
from undercut.games.table.melding.hand import Layout
from undercut.games.table.melding.layoffs import name_target
from undercut.games.table.melding.view import MeldingView
from undercut.games.table.plain_description import Plain, first_to
from undercut.games.table.sentences import tell_events
from undercut.text.translation import say, say_as, say_count

Looked = TypeVar("Looked", bound=MeldingView, contravariant=True)


class MeldingDescription(Plain[Looked]):
    """A French pack, a match to a number of points, sentences for draws and throws."""

    pack = FRENCH
    _APART: ClassVar = ("lay", "meld")  # a draw and a throw share a sentence
    _DRAWS: ClassVar = ("draw", "turn")  # what brings a card from the stock

    def goal(self, options: Any) -> str:
        """How the match ends, in a few words."""
        return first_to(options.target)

    def seen(self, action: Action, before: Looked, after: Looked) -> Event:
        """An action as the viewer saw it: with the card of the own draw, not of another's."""
        cards = action.cards.texts
        if action.verb == "lay":
            cards = cards[:1]  # the other is what it is laid on
        elif action == "take":
            cards = (str(before.upcard),)
        elif action.verb in self._DRAWS and before.seat == after.me:
            cards = (after.hand - before.hand).texts
        return Event(before.seat, action.verb, cards, action.target)

    def tell(self, events: Sequence[Event], view: Looked, company: Company) -> Sentences:
        """What was done, in sentences."""
        return tell_events(events, self.phrase, company, self._APART)

    def phrase(self, event: Event, is_you: bool) -> str:
        """An action that many games have as part of a sentence; nothing for any other.

        >>> phrase = MeldingDescription[MeldingView]().phrase
        >>> phrase(Event(1, "draw"), False), phrase(Event(0, "take", ("8h",)), True)
        ('draws from the stock', 'take 8h from the pile')
        """
        card, target = " ".join(event.cards), name_target(event.target)
        return (_phrase_yours if is_you else _phrase_theirs)(event.verb, card, target)


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
        return say_as("you", "lay off {card} on {target}", card=card, target=target)
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
        return say("lays off {card} on {target}", card=card, target=target)
    return ""


def orders_of(hand: Layout) -> tuple[Order, ...]:
    """A hand by melds, by suits and by ranks."""
    by_suit = groupby(sorted(hand.cards, key=parse_card), key=lambda card: card[1])
    by_rank = sorted(hand.cards, key=lambda card: (RANKS.index(card[0]), card[1]))
    return (
        Order(say("by melds"), hand.groups),
        Order(say("by suits"), tuple(tuple(group) for _, group in by_suit)),
        Order(say("by ranks"), (tuple(by_rank),)),
    )


def hand_area(hand: Layout, note: str, seat: int) -> Area:
    """The hand of the one who looks, and what it counts."""
    return Area("hand", say("Your hand"), tuple(map(Part, hand.groups)), note, seat)


def piles_area(view: MeldingView, note: str = "") -> Area:
    """The upcard, and what lies on the pile and in the stock."""
    top = Part((str(view.upcard),)) if view.upcard else Part(before=say("none"))
    told = say_count("pile {count} card", "pile {count} cards", view.pile_size)
    stock = say_count("stock {count} card", "stock {count} cards", view.stock) + note
    below = Part(before=told, below=view.discards.texts)
    return Area("piles", say("Upcard"), (top, below, Part((), stock, "", view.stock)))


def take_choice(view: MeldingView) -> Choice:
    """To take the upcard, as it is offered."""
    card = str(view.upcard)
    return Choice("take", say("take {card}", card=card), (card,), "t")


def throws(hand: Layout, legal: Sequence[str]) -> Group:
    """The cards that may be thrown."""
    choices = (
        Choice(f"discard {card}", say("throw {card}", card=card), (card,)) for card in hand.cards
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
