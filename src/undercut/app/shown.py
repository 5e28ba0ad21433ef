"""What a person at a session is shown, and what the words typed mean: no screen, no rule."""

from collections.abc import Sequence

from undercut.app.session import Session
from undercut.core.agent import Random
from undercut.core.errors import IllegalAction, NotationError, OptionsError
from undercut.core.spec import one_of
from undercut.games.agents import parse_agent
from undercut.games.contract import Game
from undercut.games.description import (
    Choice,
    Company,
    Event,
    Pack,
    Question,
    Sentences,
    Summary,
    Table,
    title_of,
)
from undercut.games.families import all_families
from undercut.games.plain import description_of
from undercut.games.position import format_position
from undercut.play.ask import ask, ask_why

_SHORTCUT = ("auto", "a", "")  # what is typed to leave it to the assistant


class Shown:
    """A session as its game describes it; with a language, cards are also called by their names."""

    def __init__(self, session: Session, language: str | None = None) -> None:
        check_language(session.game, language)
        self._session = session
        self._describe = description_of(session.game.family)
        self._company = Company(session.game.options, session.names, language or "")

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""
        return self._describe.pack

    @property
    def language(self) -> str:
        """In which cards are called by their names, "" without."""
        return self._company.language

    @property
    def title(self) -> str:
        """The name of the game, with the rule set where it is not the plain one."""
        return title_of(self._session.game.name, self._describe.titles)

    @property
    def goal(self) -> str:
        """How the match ends, in a few words."""
        return self._describe.goal(self._company.options)

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """What may be typed, and what it does."""
        return self._describe.help

    def aim(self) -> Sentences:
        """What a newcomer has to know."""
        return self._describe.aim(self._company.options)

    def rules(self) -> Sentences:
        """The rules as they are played."""
        return self._describe.rules(self._company.options)

    def table(self) -> Table:
        """What lies on the table and in the person's hand."""
        return self._describe.table(self._session.view(), self._company)

    def question(self) -> Question:
        """What the person is asked now; only while there is a choice."""
        session = self._session
        return self._describe.question(session.view(), session.choices(), self._company)

    def tell(self, events: Sequence[Event]) -> Sentences:
        """What was done."""
        return self._describe.tell(events, self._session.view(), self._company)

    def summary(self) -> Summary:
        """How the deal ended."""
        points = self._session.results[-1].points
        return self._describe.summary(self._session.view(), points, self._company)

    def play(self, text: str, numbered: Sequence[Choice]) -> None:
        """Play what was typed, or raise an error that says in one line what is wrong.

        `numbered` are the choices that have a number, from 1 on.
        """
        session = self._session
        if text.strip().lower() in _SHORTCUT and self.question().shortcut:
            self._leave_to_assistant()
            return
        view, legal = session.view(), session.choices()
        offered = [action for choice in numbered for action in choice.actions]
        action = self._describe.read(by_number(text, numbered), view, offered)
        if action not in legal:
            raise IllegalAction(self._describe.refusal(view, action, legal, self._company))
        session.play(action)

    def advice(self) -> tuple[str, str]:
        """The position, and what the game's adviser would do in it."""
        game, view = self._session.game, self._session.view()
        agent = game.family.adviser or game.family.opponent
        legal = [game.notation.parse_action(text) for text in self._session.choices()]
        chosen = parse_agent(agent, game)
        found = ask_why(game, chosen, view, legal, Random.from_seed(0))
        advice = f"{agent}: {game.notation.format_action(found.action)}"
        reason = f" – {found.reason}" if found.reason else ""
        return format_position(game, view), advice + reason

    def rehearse(self) -> None:
        """Describe all there is and ask the assistant once, so that nothing is left to compile."""
        self.table()
        self.question()
        if self._describe.assistant:
            self._ask_assistant()

    def _leave_to_assistant(self) -> None:
        while self._session.choices() and self.question().shortcut:
            self._session.play(self._ask_assistant())

    def _ask_assistant(self) -> str:
        game, session = self._session.game, self._session
        agent = parse_agent(self._describe.assistant, game)
        legal = [game.notation.parse_action(text) for text in session.choices()]
        action = ask(game, agent, session.view(), legal, Random.from_seed(0))
        return game.notation.format_action(action)


def by_number(text: str, numbered: Sequence[Choice]) -> str:
    """What was typed, the action in place of its number; what else is to be said follows it.

    >>> by_number("2", [Choice("draw", ""), Choice("take", "")])
    'take'
    """
    number, *rest = text.replace(",", " ").split() or [""]
    if not number:
        raise NotationError("type a number or a word (help lists the words)")
    if not number.isdecimal():
        return text
    if not 1 <= int(number) <= len(numbered):
        raise NotationError(f"there is no choice {number}: 1 to {len(numbered)}")
    choice = numbered[int(number) - 1]
    if rest and not choice.more:
        raise NotationError(f"not understood: {text.strip()!r} (help lists the words)")
    return " ".join([choice.action, *rest])


def check_language(game: Game, language: str | None) -> None:
    """Raise an error if the cards of a game have no names in a language."""
    languages = [each.name for each in description_of(game.family).pack.languages]
    if language is None or language in languages:
        return
    if languages:
        raise OptionsError(f"unknown language {language!r}: {one_of(languages)}")
    families = [each for each in all_families() if description_of(each).pack.languages]
    named = ", ".join(family.name for family in families)
    raise OptionsError(
        f"language {language!r} is for {named}: the cards of {game.name} have no names"
    )
