"""Eights in words: `play 8h`, `draw`, `pass`, and what a record and a position say."""

from typing import Any

from eights import rules
from undercut.cards.french import PACK, format_card, parse_card
from undercut.games.table.plain_notation import PlainText
from undercut.kernels.records import Action, View
from undercut.text.errors import NotationError

_WORDS = {rules.DRAW: "draw", rules.PASS: "pass"}


class EightsText(PlainText):
    """What `PlainText` cannot know."""

    def format_action(self, action: Action) -> str:
        """`play 8h`, `draw` or `pass`."""
        if not 0 <= action < rules.ACTIONS:
            raise NotationError(f"not an action of eights: {action} (0 to {rules.ACTIONS - 1})")
        return _WORDS.get(action) or f"play {format_card(action)}"

    def parse_action(self, text: str) -> Action:
        """Read an action, or a card alone."""
        for action, word in _WORDS.items():
            if text.strip() == word:
                return action
        return parse_card(text.strip().removeprefix("play "))

    def format_upcard(self, view: View) -> str:
        """The card that lies open."""
        return format_card(int(view.top))

    def format_outcome(self, view: View) -> str:
        """How the deal ended."""
        return "blocked" if view.passes == 2 else "out"

    def find_problem(self, view: View, options: Any) -> str:
        """Cards that do not add up; seats and points are checked already."""
        hand, played, drawn = int(view.hand), int(view.played), int(view.drawn)
        other = rules.held_by_other(view)
        if (hand | played) & ~PACK or hand & played or drawn > 52 or not 0 <= view.top < 52:
            return "the cards do not add up"
        if other < 0 or (hand == 0 and other == 0) or drawn < 2 * options.hand + 1:
            return "the cards do not add up"
        if not played >> int(view.top) & 1:
            return "the open card was not played"
        passes = int(view.passes)
        return "" if passes == 0 or (drawn == 52 and passes <= 2) else "nobody can have passed"


TEXT = EightsText(rules)
