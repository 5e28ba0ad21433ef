"""An agent of your own: takes any card it can use, throws the highest, knocks when it may.

Let it play: undercut match gin python:examples/my_agent.py:Hasty simple -n 200
"""

from collections.abc import Sequence
from typing import Any

from undercut.core.agent import Random
from undercut.core.cards import card_points
from undercut.core.melds import in_melds
from undercut.games.gin import rules as gin


class Hasty:
    """Knocks at once, melds at once, and otherwise throws its highest card."""

    name = "hasty"

    def act(self, view: Any, legal: Sequence[int], random: Random) -> int:
        """Choose one of the legal actions; `view` is all this seat may know."""
        if gin.TAKE in legal:
            upcard = 1 << int(view.upcard)
            useful = in_melds(int(view.hand) | upcard) & upcard
            return gin.TAKE if useful else next(action for action in legal if action != gin.TAKE)
        knocks = [action for action in legal if gin.KNOCK <= action < gin.DRAW]
        if knocks:
            return random.choice(knocks)
        discards = [action for action in legal if action < gin.KNOCK]
        if discards:
            return max(discards, key=lambda card: card_points(card, 10))
        return legal[0]
