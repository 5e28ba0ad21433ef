"""A game in words with no more than its notation: what a description begins from."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from undercut.cards.packs import Pack
from undercut.games.contract import Description, Family
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
from undercut.games.table.readable import View
from undercut.text.errors import NotationError
from undercut.text.spec import options_of
from undercut.text.translation import say, say_count

Looked = TypeVar("Looked", bound=View, contravariant=True)


class Plain(Generic[Looked]):
    """Shows a hand and lists what may be done. A game's own description says more where it can."""

    pack = Pack("plain")  # cards stay as they are written
    titles: ClassVar[Mapping[str, str]] = {}
    help: tuple[tuple[str, str], ...] = ()
    keys: ClassVar[Mapping[str, str]] = {}  # a short form to type, by the action: {"draw": "d"}

    def goal(self, options: Any) -> str:
        """How the match ends, in a few words."""
        return first_to(options.target) if hasattr(options, "target") else say("one match")

    def aim(self, options: Any) -> Sentences:
        """The aim of the game, for a newcomer."""
        return ()

    def rules(self, options: Any) -> Sentences:
        """The house rules, as they are declared."""
        declared = options_of(type(options)).items()
        told = [f"{name} = {getattr(options, name)}: {each.meaning}." for name, each in declared]
        return tuple(told) or (say("There are no house rules."),)

    def table(self, view: Looked, company: Company) -> Table:
        """The hand of the viewer."""
        hand = Part(view.hand.texts, seat=view.me)
        return Table((Area("hand", say("Your hand"), (hand,)),))

    def question(self, view: Looked, company: Company) -> Question:
        """All that is allowed: on the cards of the hand if each is about one, else in a list."""
        hand, legal = view.hand, view.choices
        named = [tuple(word for word in action.split() if word in hand) for action in legal]
        keys = [self.keys.get(action, "") for action in legal]
        choices = tuple(Choice(*each) for each in zip(legal, legal, named, keys, strict=True))
        if len(set(named)) == len(legal) and all(len(cards) == 1 for cards in named):
            return Question((Group(say("Which card?"), "hand", choices),))
        return Question((Group(say("What will you do?"), "list", choices),))

    def refusal(self, view: Looked, action: str) -> str:
        """Why an action is not allowed now."""
        return say("{action!r} is not allowed now", action=action)

    def seen(self, action: Action, before: Looked, after: Looked) -> Event:
        """An action as the viewer saw it, in the words of a record."""
        told = before.game.notation.format_public(action.number, after.record)
        return Event(before.seat, told)

    def tell(self, events: Sequence[Event], view: Looked, company: Company) -> Sentences:
        """What was done."""
        return tuple(f"{company.called(event.seat)}: {event.verb}" for event in events)

    def summary(self, view: Looked, points: Sequence[int], company: Company) -> Summary:
        """How the deal ended."""
        award = ", ".join(f"{company.called(seat)} {each}" for seat, each in enumerate(points))
        outcome = view.game.notation.format_outcome(view.record).capitalize()
        return Summary((), (f"{outcome}: {award}.",))

    def read(self, text: str, view: Looked, choices: Sequence[str]) -> str:
        """The action that was typed, in its usual words or by its key."""
        notation = view.game.notation
        typed = {key: action for action, key in self.keys.items()}.get(text.strip().lower(), text)
        try:
            return notation.format_action(notation.parse_action(typed))
        except NotationError:
            raise NotationError(not_understood(text)) from None


def first_to(target: int) -> str:
    """How a match ends that goes to a number of points.

    >>> first_to(100)
    'first to 100'
    """
    return say_count("first to {count}", "first to {count}", target)


def description_of(family: Family) -> Description[Any]:
    """How a game is described; one that does not say gets the plain way."""
    return family.description or Plain[Any]()
