"""The shared description of games in which players draw a card, meld and throw a card."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import ClassVar, TypeVar

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
from undercut.games.table.plain_description import Plain
from undercut.games.table.sentences import tell_events
from undercut.text.translation import mark, mark_as, say, say_as, say_count

Looked = TypeVar("Looked", bound=MeldingView, contravariant=True)
Phrases = Mapping[str, tuple[str, str]]  # by verb: for the viewer, and for another player

PHRASES: Phrases = {
    "draw unseen": (mark_as("you", "draw from the stock"), mark("draws from the stock")),
    "draw": (mark_as("you", "draw {card} from the stock"), mark("draws {card} from the stock")),
    "take": (mark_as("you", "take {card} from the pile"), mark("takes {card} from the pile")),
    "discard": (mark_as("you", "throw {card}"), mark("throws {card}")),
    "lay": (mark_as("you", "lay off {card} on {target}"), mark("lays off {card} on {target}")),
}


class MeldingDescription(Plain[Looked]):
    """A French pack, a match to a number of points, sentences for draws and throws."""

    pack = FRENCH
    phrases: ClassVar[Phrases] = PHRASES
    _APART: ClassVar = ("lay", "meld")  # verbs with a sentence of their own
    _DRAWS: ClassVar = ("draw", "turn")  # verbs that bring a card from the stock

    def seen(self, action: Action, before: Looked, after: Looked) -> Event:
        """An action as the viewer saw it: with the card of his own draw, but of no other draw."""
        cards = action.cards.texts
        if action.verb == "lay":
            cards = cards[:1]  # without its target
        elif action == "take":
            cards = (str(before.upcard),)
        elif action.verb in self._DRAWS and before.seat == after.me:
            cards = (after.hand - before.hand).texts
        return Event(before.seat, action.verb, cards, action.target)

    def tell(self, events: Sequence[Event], view: Looked, company: Company) -> Sentences:
        """The events, in sentences."""
        return tell_events(events, self.phrase, company, self._APART)

    def phrase(self, event: Event, is_you: bool) -> str:
        """An event as part of a sentence; nothing if the game has no phrase for it.

        >>> phrase = MeldingDescription[MeldingView]().phrase
        >>> phrase(Event(1, "draw"), False), phrase(Event(0, "take", ("8h",)), True)
        ('draws from the stock', 'take 8h from the pile')
        """
        key = event.verb if event.cards else f"{event.verb} unseen"
        yours, theirs = self.phrases.get(key, ("", ""))
        cards = " ".join(event.cards)
        values = {"card": cards, "cards": cards, "target": name_target(event.target)}
        return say_as("you", yours, **values) if is_you and yours else say(theirs, **values)


def orders_of(hand: Layout) -> tuple[Order, ...]:
    """The orders of a hand: by melds, by suits and by ranks."""
    by_suit = groupby(sorted(hand.cards, key=parse_card), key=lambda card: card[1])
    by_rank = sorted(hand.cards, key=lambda card: (RANKS.index(card[0]), card[1]))
    return (
        Order(say("by melds"), hand.groups),
        Order(say("by suits"), tuple(tuple(group) for _, group in by_suit)),
        Order(say("by ranks"), (tuple(by_rank),)),
    )


def hand_area(hand: Layout, note: str, seat: int) -> Area:
    """The viewer's hand, and its points as a note."""
    return Area("hand", say("Your hand"), tuple(map(Part, hand.groups)), note, seat)


def piles_area(view: MeldingView, note: str = "") -> Area:
    """The upcard, the pile and the stock."""
    top = Part((str(view.upcard),)) if view.upcard else Part(before=say("none"))
    told = say_count("pile {count} card", "pile {count} cards", view.pile_size)
    stock = say_count("stock {count} card", "stock {count} cards", view.stock) + note
    below = Part(before=told, below=view.discards.texts)
    return Area("piles", say("Upcard"), (top, below, Part((), stock, "", view.stock)))


def take_choice(view: MeldingView) -> Choice:
    """The choice to take the upcard."""
    card = str(view.upcard)
    return Choice("take", say("take {card}", card=card), (card,), "t")


def throws(hand: Layout, legal: Sequence[str]) -> Group:
    """The cards that a player may throw."""
    choices = (
        Choice(f"discard {card}", say("throw {card}", card=card), (card,)) for card in hand.cards
    )
    allowed = tuple(choice for choice in choices if choice.action in legal)
    return Group(say("Throw which card?"), "hand", allowed)


def meld_choice(action: str) -> Choice:
    """The choice of a meld, `meld 5h 6h 7h`."""
    cards = action.removeprefix("meld ")
    return Choice(action, say_as("offered", "meld {cards}", cards=cards), tuple(cards.split()))


def layoff_choice(action: str, onto: Cards) -> Choice:
    """The choice of a lay-off, `lay 8h on 7h`, onto a meld."""
    card, _, target = action.removeprefix("lay ").partition(" on ")
    words = say("lay off {card} on {target}", card=card, target=name_target(target))
    return Choice(action, words, (card,), onto=onto)


def why_not_thrown(card: str, hand: Cards) -> str:
    """The reason why a player may not throw a card."""
    if card not in hand:
        return say("you do not hold {cards}", cards=card)
    return say("you took {card} this turn: it may not be thrown back at once", card=card)
