"""Duel at a terminal."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.session import Event, Session
from undercut.app.terminal.painting import FRENCH, Lines, paint
from undercut.core.cards import NONE, format_card
from undercut.core.errors import IllegalAction


class DuelScreen:
    """A line for the table and a line for the hand."""

    pack = FRENCH
    help = (("8h", "play that card"),)
    title = "Duel"
    is_new_turn = True

    def __init__(self, session: Session) -> None:
        self._session = session
        self.goal = f"to {session.game.options.target} tricks"

    def aim(self) -> Lines:
        """What a newcomer has to know."""
        return [Text("The higher card takes the trick, ace low; of equal ones the first.")]

    rules = aim

    def table(self) -> Lines:
        """The card to beat and the hand."""
        view = self._session.view()
        beaten = "You lead." if view.card == NONE else f"Beat {format_card(view.card)}."
        return [paint(f"  {beaten} You hold {self._session.game.notation.format_hand(view)}.")]

    def question(self) -> Lines:
        """The cards with their numbers."""
        numbered = enumerate(self._session.choices(), start=1)
        return [paint("  " + "   ".join(f"{number} {choice}" for number, choice in numbered))]

    def tell(self, events: Sequence[Event]) -> Lines:
        """What was done."""
        return [paint(f"{self._session.names[each.seat]}: {each.text}") for each in events]

    def summary(self) -> Lines:
        """How the deal ended."""
        return [
            Text(f"  Tricks: {self._session.game.notation.format_outcome(self._session.view())}")
        ]

    def prepare(self) -> None:
        """Nothing is left to compile."""

    def play(self, text: str) -> None:
        """Play a choice by its number or its card."""
        choices = self._session.choices()
        if text.isdecimal():
            if not 1 <= int(text) <= len(choices):
                raise IllegalAction(f"no choice {text}: 1 to {len(choices)}")
            text = choices[int(text) - 1]
        self._session.play(text)
