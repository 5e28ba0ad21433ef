"""Duel in words: `play 8h`, and what a record and a position say."""

from typing import Any

from duel import rules
from undercut.cards.french import NONE, PACK, each, format_card, parse_card
from undercut.games.table.plain_notation import PlainText
from undercut.kernels.records import Action, View
from undercut.text.errors import NotationError


class DuelText(PlainText):
    """What `PlainText` cannot know."""

    def format_action(self, action: Action) -> str:
        """`play 8h`."""
        if not 0 <= action < rules.ACTIONS:
            raise NotationError(f"not an action of duel: {action} (0 to {rules.ACTIONS - 1})")
        return f"play {format_card(action)}"

    def parse_action(self, text: str) -> Action:
        """Read `play 8h`, or the card alone."""
        return parse_card(text.strip().removeprefix("play "))

    def format_outcome(self, view: View) -> str:
        """What the points are for."""
        return "last trick"

    def find_problem(self, view: View, options: Any) -> str:
        """Cards that do not add up; seats and points are checked already."""
        hand, played = int(view.hand), int(view.played)
        own = (played.bit_count() + (view.me != view.seat)) // 2
        if (hand | played) & ~PACK or hand & played or hand.bit_count() != options.hand - own:
            return "the cards do not add up"
        to_beat = [*each(played)] if played.bit_count() % 2 else [NONE]
        return "" if view.card in to_beat else "the card to beat was not played"


TEXT = DuelText(rules)
