"""The data that a screen shows of a session, and the parsing of typed text."""

from collections.abc import Sequence

from undercut.app.session import Session
from undercut.cards.packs import Pack
from undercut.games.table.description import (
    Choice,
    Company,
    Event,
    Question,
    Sentences,
    Summary,
    Table,
    as_sentence,
    not_understood,
    title_of,
)
from undercut.games.table.open_table import turn_up
from undercut.games.table.plain_description import description_of
from undercut.games.table.typed import in_english
from undercut.text.errors import IllegalAction, NotationError, UndercutError
from undercut.text.translation import say

_SHORTCUT = ("auto", "a", "")  # typed text that plays the proposed action


class Unsure(UndercutError):
    """A choice that gives something away; the person must confirm it."""

    def __init__(self, action: str, warning: str) -> None:
        super().__init__(warning)
        self.action = action


class Shown:
    """A session as its game describes it, in the current language."""

    def __init__(self, session: Session, names_cards: bool = False) -> None:
        """With `names_cards`, cards of an unusual pack also have their names."""
        self._session = session
        self._describe = description_of(session.game.family)
        self.pack: Pack = self._describe.pack
        self.names_cards = names_cards and self.pack.is_strange
        self._company = Company(session.names, self.names_cards)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats, as a list shows them."""
        seats = range(len(self._company.names))
        return tuple(as_sentence(self._company.called(seat)) for seat in seats)

    @property
    def title(self) -> str:
        """The name of the game and of its rule set, if that is not the default."""
        return title_of(self._session.game.name, self._describe.titles)

    @property
    def goal(self) -> str:
        """How the match ends, in a few words."""
        return self._describe.goal(self._session.game.options)

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        return tuple((say(word) if word else "", say(does)) for word, does in self._describe.help)

    def aim(self) -> Sentences:
        """The aim of the game, for a newcomer."""
        return self._describe.aim(self._session.game.options)

    def rules(self) -> Sentences:
        return self._describe.rules(self._session.game.options)

    def table(self) -> Table:
        """The cards on the table and in the person's hand; at the end of a deal all hands."""
        table = self._describe.table(self._session.view(), self._company)
        return turn_up(table, self._session.open_hands())

    def question(self) -> Question:
        """The person's next choice; an error if there is none."""
        return self._describe.question(self._session.view(), self._company)

    def tell(self, events: Sequence[Event]) -> Sentences:
        """Sentences about events."""
        return self._describe.tell(events, self._session.view(), self._company)

    def summary(self) -> Summary:
        points = self._session.results[-1].points
        return self._describe.summary(self._session.view(), points, self._company)

    def play(self, text: str, numbered: Sequence[Choice], sure_of: str = "") -> None:
        """Play typed text, or raise an error of one line.

        `numbered` are the choices with a number, from 1. `sure_of` is an action that needs no
        further confirmation.
        """
        session, text = self._session, in_english(text, self.pack)
        if text.strip().lower() in _SHORTCUT and self.question().shortcut:
            self.play_best()
            return
        offered = [action for choice in numbered for action in choice.actions]
        action = self._describe.read(by_number(text, numbered), session.view(), offered)
        choice = _choice(self.question(), action)
        if choice is not None and choice.warning and action != sure_of:
            raise Unsure(action, choice.warning)
        session.play(action)

    def play_best(self) -> None:
        """Play the proposed action, repeatedly until nothing is proposed."""
        if not self._session.choices() or not self.question().shortcut:
            raise IllegalAction(say("nothing is proposed now"))
        while self._session.choices() and (question := self.question()).shortcut:
            self._session.play(question.best)

    def rehearse(self) -> None:
        """Describe the table and the question, so that their kernels are compiled."""
        self.table()
        self.question()


def words_of(question: Question, action: str) -> str:
    """An action in the words of its choice, with the suit that it names."""
    choice = _choice(question, action)
    if choice is None:  # the screen plays it without a question
        return action
    more = [each.words for each in choice.more if each.action == action]
    return " ".join([choice.words, *more])


def _choice(question: Question, action: str) -> Choice | None:
    """The choice of an action; None for an illegal action."""
    choices = [choice for group in question.groups for choice in group.choices]
    return next((choice for choice in choices if action in choice.actions), None)


def by_number(text: str, numbered: Sequence[Choice]) -> str:
    """Typed text with the action in place of its number; the rest, such as a suit, follows.

    >>> by_number("2", [Choice("draw", ""), Choice("take", "")])
    'take'
    """
    number, *rest = text.replace(",", " ").split() or [""]
    if not number:
        raise NotationError(say("type a number or a word (help lists the words)"))
    if not number.isdecimal():
        return text
    if not 1 <= int(number) <= len(numbered):
        last = len(numbered)
        raise NotationError(
            say("there is no choice {number}: 1 to {last}", number=number, last=last)
        )
    choice = numbered[int(number) - 1]
    if rest and not choice.more:
        raise NotationError(not_understood(text))
    return " ".join([choice.action, *rest])
