"""What screens share for games in which one draws to a hand of melds and throws from it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from rich.text import Text

from undercut.app.session import Session
from undercut.app.terminal.hand_drawing import ORDERS, arrange
from undercut.app.terminal.painting import FRENCH, paint_card
from undercut.app.terminal.screen import title_of
from undercut.core.errors import IllegalAction
from undercut.games.melding.hand import CardTexts, Hand


class MeldingScreen(ABC):
    """A hand that can be sorted, its throws numbered as it lies, and answers that are checked."""

    pack = FRENCH
    titles: ClassVar[Mapping[str, str]]  # by the name of a preset

    def __init__(self, session: Session) -> None:
        self._session = session
        self._options: Any = session.game.options
        self._order = 0

    @property
    def title(self) -> str:
        """The name of the game, with the rule set where it is not the plain one."""
        return title_of(self._session.game.name, self.titles)

    @property
    def goal(self) -> str:
        """How the match ends, in a few words."""
        return f"first to {self._options.target}"

    def play(self, text: str) -> None:
        """Play what was typed; an error in one line says what is wrong."""
        if text.strip().lower() == "sort":
            self._order = (self._order + 1) % len(ORDERS)
            return
        action = self._read(text)
        if action not in self._session.choices():
            raise IllegalAction(self._refusal(action))
        self._session.play(action)

    @abstractmethod
    def _read(self, text: str) -> str:
        """The action that was typed."""

    @abstractmethod
    def _refusal(self, action: str) -> str:
        """Why an action is not allowed now."""

    def _groups(self, hand: Hand) -> list[CardTexts]:
        return arrange(hand, ORDERS[self._order])

    def _discards(self, hand: Hand, held_back: str | None) -> list[str]:
        """The throws as the hand lies; the card just taken may be held back."""
        cards = [card for group in self._groups(hand) for card in group]
        return [f"discard {card}" for card in cards if card != held_back]


def ask_throw(discards: list[str]) -> Text:
    """The question which card to throw."""
    example = discards[-1].split()[1]
    question = Text(f"  Throw which card? Type its number, or its name: {example} is ")
    return question.append_text(paint_card(example)).append(".")


def why_not_thrown(card: str, hand: CardTexts) -> str:
    """Why a card may not be thrown."""
    if card not in hand:
        return f"you do not hold {card}"
    return f"you took {card} this turn: it may not be thrown back at once"
