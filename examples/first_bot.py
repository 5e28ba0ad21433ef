"""Your first bot for Gin, without bit masks: takes what it can meld, throws what leaves the least.

Let it play: undercut match gin python:examples/first_bot.py:Hasty simple -n 200
"""

import undercut
from undercut.games.gin import GinView


class Hasty(undercut.Agent[GinView]):
    """Knocks at once, and never thinks of the other player."""

    def act(self, view: GinView, random: undercut.Random) -> str:
        """Choose one of view.legal."""
        if view.upcard is not None and "take" in view.legal:
            melds = view.lay_out(view.hand | [view.upcard]).melds
            is_useful = any(view.upcard in meld for meld in melds)
            others = [action for action in view.legal if action != "take"]
            return "take" if is_useful else others[0]
        knocks = [action for action in view.legal if action.verb == "knock"]
        return min(
            knocks or view.legal, key=lambda each: view.lay_out(view.hand - each.cards).deadwood
        )


if __name__ == "__main__":
    print(undercut.match("gin", Hasty(), "simple", games=200, seed=1))
