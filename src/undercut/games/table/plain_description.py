"""A game in words with no more than its notation: what a description begins from."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from undercut.cards.packs import Pack
from undercut.games.contract import Description, Family, Notation, Rules
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
from undercut.kernels.records import Action, Seat, View
from undercut.text.errors import NotationError
from undercut.text.spec import options_of
from undercut.text.translation import say, say_count


class Plain:
    """Shows a hand and lists what may be done. A game's own description says more where it can."""

    pack = Pack("plain")  # cards stay as they are written
    titles: ClassVar[Mapping[str, str]] = {}
    help: tuple[tuple[str, str], ...] = ()

    def __init__(self, rules: Rules, notation: Notation) -> None:
        self._rules = rules
        self._notation = notation

    def goal(self, options: Any) -> str:
        """How the match ends, in a few words."""
        return first_to(options.target) if hasattr(options, "target") else say("one match")

    def aim(self, options: Any) -> Sentences:
        """What a newcomer has to know."""
        return ()

    def rules(self, options: Any) -> Sentences:
        """The house rules, as they are declared."""
        declared = options_of(type(options)).items()
        told = [f"{name} = {getattr(options, name)}: {each.meaning}." for name, each in declared]
        return tuple(told) or (say("There are no house rules."),)

    def table(self, view: View, company: Company) -> Table:
        """The hand of the one who looks."""
        hand = tuple(self._notation.format_hand(view).split())
        return Table((Area("hand", say("Your hand"), (Part(hand, seat=int(view.me)),)),))

    def question(self, view: View, legal: Sequence[str], company: Company) -> Question:
        """All that is allowed: on the cards of the hand if each is about one, else in a list."""
        hand = self._notation.format_hand(view).split()
        named = [tuple(word for word in action.split() if word in hand) for action in legal]
        choices = tuple(Choice(*each) for each in zip(legal, legal, named, strict=True))
        if len(set(named)) == len(legal) and all(len(cards) == 1 for cards in named):
            return Question((Group(say("Which card?"), "hand", choices),))
        return Question((Group(say("What will you do?"), "list", choices),))

    def refusal(self, view: View, action: str, legal: Sequence[str], company: Company) -> str:
        """Why an action is not allowed now."""
        return say("{action!r} is not allowed now", action=action)

    def seen(self, action: Action, before: View, after: View, seat: Seat) -> str:
        """An action as one who looked on before and after it saw it: what a record says."""
        return self._notation.format_public(action, after)

    def tell(self, events: Sequence[Event], view: View, company: Company) -> Sentences:
        """What was done."""
        return tuple(f"{company.called(event.seat)}: {event.text}" for event in events)

    def summary(self, view: View, points: Sequence[int], company: Company) -> Summary:
        """How the deal ended."""
        award = ", ".join(f"{company.called(seat)} {each}" for seat, each in enumerate(points))
        return Summary((), (f"{self._notation.format_outcome(view).capitalize()}: {award}.",))

    def read(self, text: str, view: View, choices: Sequence[str]) -> str:
        """The action that was typed, in its usual words."""
        try:
            return self._notation.format_action(self._notation.parse_action(text))
        except NotationError:
            raise NotationError(not_understood(text)) from None


def first_to(target: int) -> str:
    """How a match ends that goes to a number of points.

    >>> first_to(100)
    'first to 100'
    """
    return say_count("first to {count}", "first to {count}", target)


def description_of(family: Family) -> Description:
    """How a game is described; one that does not say gets the plain way."""
    return family.description or Plain(family.rules, family.notation)
