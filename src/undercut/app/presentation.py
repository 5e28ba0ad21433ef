"""The data that a screen shows of a session, and the reading of typed text: no screen, no rule."""

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
    not_understood,
    title_of,
)
from undercut.games.table.plain_description import description_of
from undercut.games.table.typed import in_english
from undercut.play.agent import Random
from undercut.play.ask import ask_why
from undercut.players.catalog import parse_agent
from undercut.text.errors import IllegalAction, NotationError, UndercutError
from undercut.text.translation import say

_SHORTCUT = ("auto", "a", "")  # what is typed to have the best done


class Unsure(UndercutError):
    """A choice gives something away: it is played when it is chosen once more."""

    def __init__(self, action: str, warning: str) -> None:
        super().__init__(warning)
        self.action = action


class Shown:
    """A session as its game describes it, in the language that is spoken."""

    def __init__(self, session: Session, names_cards: bool = False) -> None:
        """`names_cards` helps people who do not know the letters of the cards."""
        self._session = session
        self._describe = description_of(session.game.family)
        names = names_cards and self._describe.pack.is_strange
        self._company = Company(session.names, names)

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""
        return self._describe.pack

    @property
    def names_cards(self) -> bool:
        """Whether cards are also called by their names."""
        return self._company.names_cards

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats, as a list shows them."""
        return tuple(map(self._company.called, range(len(self._company.names))))

    @property
    def title(self) -> str:
        """The name of the game, with the rule set where it is not the plain one."""
        return title_of(self._session.game.name, self._describe.titles)

    @property
    def goal(self) -> str:
        """How the match ends, in a few words."""
        return self._describe.goal(self._session.game.options)

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """The words that may be typed, and their meaning."""
        return tuple((say(word) if word else "", say(does)) for word, does in self._describe.help)

    def aim(self) -> Sentences:
        """The aim of the game, for a newcomer."""
        return self._describe.aim(self._session.game.options)

    def rules(self) -> Sentences:
        """The rules as they are played."""
        return self._describe.rules(self._session.game.options)

    def table(self) -> Table:
        """The cards on the table and in the person's hand."""
        return self._describe.table(self._session.view(), self._company)

    def question(self) -> Question:
        """The question that the person has to answer; only while there is a choice."""
        return self._describe.question(self._session.view(), self._company)

    def tell(self, events: Sequence[Event]) -> Sentences:
        """What was done."""
        return self._describe.tell(events, self._session.view(), self._company)

    def summary(self) -> Summary:
        """How the deal ended."""
        points = self._session.results[-1].points
        return self._describe.summary(self._session.view(), points, self._company)

    def play(self, text: str, numbered: Sequence[Choice], sure_of: str = "") -> None:
        """Play what was typed, or raise an error that says in one line what is wrong.

        `numbered` are the choices that have a number, from 1 on; `sure_of` is an action that is
        played whatever it gives away.
        """
        session, text = self._session, in_english(text, self.pack)
        if text.strip().lower() in _SHORTCUT and self.question().shortcut:
            self.play_best()
            return
        offered = [action for choice in numbered for action in choice.actions]
        action = self._describe.read(by_number(text, numbered), session.view(), offered)
        choice = self._choice(action)
        if choice is not None and choice.warning and action != sure_of:
            raise Unsure(action, choice.warning)
        session.play(action)

    def play_best(self) -> None:
        """Play what a question proposes, again and again while it proposes something."""
        if not self._session.choices() or not self.question().shortcut:
            raise IllegalAction(say("nothing is proposed now"))
        while self._session.choices() and (question := self.question()).shortcut:
            self._session.play(question.best)

    def advice(self) -> tuple[str, str]:
        """The position, and what the game's adviser would do in it."""
        game, view = self._session.game, self._session.view()
        agent = game.family.adviser or game.family.opponent
        chosen = parse_agent(agent, game)
        found = ask_why(game, chosen, view.record, view.actions, Random.from_seed(0))
        advice = f"{agent}: {self._word(game.notation.format_action(found.action))}"
        reason = f" – {say(found.reason)}" if found.reason else ""
        return view.position, advice + reason

    def _choice(self, action: str) -> Choice | None:
        """The choice that an action is; None if it is not allowed."""
        choices = [choice for group in self.question().groups for choice in group.choices]
        return next((choice for choice in choices if action in choice.actions), None)

    def _word(self, action: str) -> str:
        """An action in the words of its choice, the suit that it names included."""
        choice = self._choice(action)
        assert choice is not None, "the adviser's answer is checked"
        more = [each.words for each in choice.more if each.action == action]
        return " ".join([choice.words, *more])

    def rehearse(self) -> None:
        """Describe all there is, so that nothing is left to compile."""
        self.table()
        self.question()


def by_number(text: str, numbered: Sequence[Choice]) -> str:
    """Typed text with the action in place of its number; the suit that it names follows.

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
