"""A table of Pharaoh or Prší at a terminal: what a person is shown and asked, and what is played."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from undercut.app.session import Event, Session
from undercut.app.terminal.hand_drawing import offer
from undercut.app.terminal.painting import Lines, paint
from undercut.app.terminal.pharaoh import drawing as pharaoh_drawing
from undercut.app.terminal.pharaoh import rules as pharaoh_rules
from undercut.app.terminal.pharaoh import words as pharaoh_words
from undercut.app.terminal.pharaoh.summary import summarise
from undercut.app.terminal.screen import title_of
from undercut.app.terminal.telling import counted, tell
from undercut.core.errors import IllegalAction
from undercut.games.pharaoh.describe import (
    CardTexts,
    Table,
    describe,
    fitting,
)

_TITLES = {"pharaoh": "Pharaoh", "prsi": "Prší"}


class PharaohScreen:
    """What a person sees of a session, and what the words typed mean."""

    pack = pharaoh_drawing.GERMAN
    help = pharaoh_words.HELP
    is_new_turn = True  # a turn is one move

    def __init__(self, session: Session, language: str | None = None) -> None:
        """With a language, cards are also called by their names."""
        self._session = session
        self._language = language
        self._options: Any = session.game.options

    @property
    def title(self) -> str:
        """The name of the game, with the rule set where it is not the plain one."""
        return title_of(self._session.game.name, _TITLES)

    @property
    def goal(self) -> str:
        """How long the match is."""
        return counted(self._options.deals, "deal")

    def aim(self) -> Lines:
        """What a newcomer has to know."""
        return pharaoh_rules.aim(self._options)

    def rules(self) -> Lines:
        """The rules, as the options have them."""
        return pharaoh_rules.rules(self._options)

    def tell(self, events: Sequence[Event]) -> Lines:
        """What was done; once the person is out, only who else goes out or comes back."""
        if self._table().is_out:
            mine = [i for i, event in enumerate(events) if event.seat == self._session.person]
            last = mine[-1] if mine else -1
            after = [e for e in events[last + 1 :] if "; out" in e.text or "; back" in e.text]
            events = [*events[: last + 1], *after]
        return tell(events, self._session.names, self._phrase, self.pack)

    def summary(self) -> Lines:
        """How the deal ended: places, points and the cards that were left."""
        return summarise(self._session)

    def table(self) -> Lines:
        """What lies on the table and in the person's hand."""
        table, choices = self._table(), self._choices()
        numbers = [
            str(choices.index(f"play {card}") + 1) if f"play {card}" in choices else "-"
            for card in table.hand
        ]
        return [
            *pharaoh_drawing.draw_others(table, self._session.names),
            pharaoh_drawing.draw_piles(table, self._language),
            pharaoh_drawing.draw_need(table, fitting(table, self._options)),
            *pharaoh_drawing.draw_hand(table.hand, numbers, self._language),
        ]

    def question(self) -> Lines:
        """What the person is asked now, and the answers there are."""
        choices = self._choices()
        plays = [(number, _cards(choice)) for number, choice in enumerate(choices, start=1)]
        several = [(number, cards) for number, cards in plays if len(cards) > 1]
        lines = [self._ask(plays[0][1][0])]
        if several:
            lines.append(Text("  Or several at once, the last of them on top:"))
            lines += pharaoh_drawing.draw_offers(several)
        over = next((play for play in plays if "".join(play[1]).startswith("O")), None)
        if over:
            name = " ".join(over[1])
            words = f"  Overs name a suit: {over[0]} leaves, or {name} leaves, or {name} L."
            lines.append(paint(words, pack=self.pack))
        return [*lines, offer(str(len(choices)), self._move_without_cards(choices[-1]))]

    def prepare(self) -> None:
        """Compile whatever only comes late in a deal: here nothing does."""

    def play(self, text: str) -> None:
        """Play what was typed; an error in one line says what is wrong."""
        action = pharaoh_words.read_action(text, self._choices())
        if action not in self._session.choices():
            raise IllegalAction(self._refusal(action))
        self._session.play(action)

    def _table(self) -> Table:
        return describe(self._session.view())

    def _choices(self) -> list[str]:
        return pharaoh_words.offers(self._session.choices())

    def _phrase(self, seen: str, is_you: bool) -> str:
        return pharaoh_drawing.phrase(seen, is_you, self._session.names, self._language)

    def _ask(self, card: str) -> Text:
        name = pharaoh_drawing.name_cards([card], self._language or "english")
        words = f"  Play which card? Type its number, or its name: {card}{name}."
        return paint(words, pack=self.pack)

    def _move_without_cards(self, choice: str) -> str:
        table = self._table()
        if choice == "pass":
            return "pass" + (", and be skipped (p)" if table.skips else ", no card is left (p)")
        return f"draw {counted(table.penalty, 'card') if table.penalty else 'a card'} (d)"

    def _refusal(self, action: str) -> str:
        """Why an action is not allowed now."""
        table, cards = self._table(), _cards(action)
        instead = self._instead(table)
        if not cards:
            return f"you cannot {action} now: {instead}"
        missing = [card for card in cards if card not in table.hand]
        if missing:
            return f"you do not hold {' '.join(missing)}"
        most = self._options.most_cards
        if len(cards) > most:
            return f"{counted(len(cards), 'card')} at once: {most} at most"
        return f"{cards[0]} cannot come first now: {instead}"

    def _instead(self, table: Table) -> str:
        """What is allowed now."""
        fits = fitting(table, self._options)
        without = self._session.choices()[0]
        if table.penalty:
            without = f"draw {counted(table.penalty, 'card')}"
        return f"play {pharaoh_drawing.either(fits)}, or {without}"


def _cards(action: str) -> CardTexts:
    """The cards of a play; none of any other action."""
    verb, *cards = action.partition(" suit ")[0].split()
    return tuple(cards) if verb == "play" else ()
