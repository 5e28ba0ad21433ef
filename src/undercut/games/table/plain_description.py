"""The base class for descriptions, which shows any game by means of its notation."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from undercut.cards.packs import Pack
from undercut.games.table.actions import Action
from undercut.games.table.description import (
    Area,
    Choice,
    Company,
    Event,
    Group,
    Part,
    Question,
    Sentences,
    Summary,
    Table,
    not_understood,
)
from undercut.games.table.feats import Feat
from undercut.games.table.house_rules import HouseGroup
from undercut.games.table.readable import View
from undercut.text.errors import NotationError
from undercut.text.spec import options_of
from undercut.text.translation import say, say_count

if TYPE_CHECKING:
    from undercut.games.contract import Family

Looked = TypeVar("Looked", bound=View, contravariant=True)


class Plain(Generic[Looked]):
    """A game for people, in plain data and sentences: games/table/description.py defines the data.

    This class works for any game: it shows the hand and lists the legal actions. A game's own
    description overrides the texts that it can improve. Views are those of the viewing seat, and a
    description reads nothing else.
    """

    pack = Pack("plain")  # a card's text is also its name
    titles: ClassVar[Mapping[str, str]] = {}  # by preset
    about: ClassVar[Mapping[str, str]] = {}  # a sentence about each preset
    variants: ClassVar[Mapping[str, str]] = {}  # a sentence about each variant
    feats: tuple[Feat, ...] = ()  # for statistics
    house: tuple[HouseGroup, ...] = ()  # the house rules, in groups
    help: tuple[tuple[str, str], ...] = ()  # the words that players may type, and their meanings
    keys: ClassVar[Mapping[str, str]] = {}  # short forms to type, by action: {"draw": "d"}

    def goal(self, options: Any) -> str:
        """The end of the match, in a few words."""
        return first_to(options.target) if hasattr(options, "target") else say("one match")

    def aim(self, options: Any) -> Sentences:
        """The aim of the game, for a newcomer."""
        return ()

    def rules(self, options: Any) -> Sentences:
        """The rules; here the declared house rules."""
        declared = options_of(type(options)).items()
        told = [f"{name} = {getattr(options, name)}: {each.meaning}." for name, each in declared]
        return tuple(told) or (say("There are no house rules."),)

    def table(self, view: Looked, company: Company) -> Table:
        """The table; here only the viewer's hand."""
        hand = Part(view.hand.texts, seat=view.me)
        return Table((Area("hand", say("Your hand"), (hand,)),))

    def question(self, view: Looked, company: Company) -> Question:
        """The legal actions: on the cards of the hand if each names one card, else in a list."""
        hand, legal = view.hand, view.choices
        named = [tuple(word for word in action.split() if word in hand) for action in legal]
        keys = [self.keys.get(action, "") for action in legal]
        choices = tuple(Choice(*each) for each in zip(legal, legal, named, keys, strict=True))
        if len(set(named)) == len(legal) and all(len(cards) == 1 for cards in named):
            return Question((Group(say("Which card?"), "hand", choices),))
        return Question((Group(say("What will you do?"), "list", choices),))

    def refusal(self, view: Looked, action: str) -> str:
        """The reason why an action is not legal now, in one line."""
        return say("{action!r} is not allowed now", action=action)

    def seen(self, action: Action, before: Looked, after: Looked) -> Event:
        """An action of the seat on turn as the viewer saw it; here in the words of a record."""
        told = before.game.notation.format_public(action.number, after.record)
        return Event(before.seat, told)

    def tell(self, events: Sequence[Event], view: Looked, company: Company) -> Sentences:
        """The events, in sentences."""
        return tuple(f"{company.called(event.seat)}: {event.verb}" for event in events)

    def summary(self, view: Looked, points: Sequence[int], company: Company) -> Summary:
        """The end of the deal and its points."""
        award = ", ".join(f"{company.called(seat)} {each}" for seat, each in enumerate(points))
        outcome = view.game.notation.format_outcome(view.record).capitalize()
        return Summary((), (f"{outcome}: {award}.",))

    def read(self, text: str, view: Looked, choices: Sequence[str]) -> str:
        """The canonical text of a typed action or key; it need not be one of the choices."""
        notation = view.game.notation
        typed = {key: action for action, key in self.keys.items()}.get(text.strip().lower(), text)
        try:
            return notation.format_action(notation.parse_action(typed))
        except NotationError:
            raise NotationError(not_understood(text)) from None


def first_to(target: int) -> str:
    """The end of a match to a number of points.

    >>> first_to(100)
    'first to 100'
    """
    return say_count("first to {count}", "first to {count}", target)


def description_of(family: "Family") -> Plain[Any]:
    """A game's own description, or the plain one."""
    return family.description or Plain[Any]()
