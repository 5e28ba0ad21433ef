"""A bot for any game that plays the move which the evaluator finds best.

Let it play: undercut match gin python:examples/evaluating_bot.py:Evaluating simple -n 100
"""

import sys

import undercut


class Evaluating(undercut.Agent[undercut.View]):
    """Tries every move on the same 120 deals of the hidden cards."""

    def act(self, view: undercut.View, random: undercut.Random) -> str:
        """Choose one of view.legal."""
        return undercut.evaluate(view, samples=120, seed=random.below(1 << 30)).action


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(undercut.match("gin:target=25", Evaluating(), "simple", games=games, seed=1))
