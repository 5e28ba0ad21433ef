"""A bot for any game that plays the move which the evaluator finds best.

Let it play: undercut match gin python:examples/evaluating_bot.py:Evaluating simple -n 100
"""

import undercut


class Evaluating(undercut.Agent[undercut.View]):
    """Tries every move on the same 120 deals of the hidden cards."""

    def act(self, view: undercut.View, random: undercut.Random) -> str:
        """Choose one of view.legal."""
        return undercut.evaluate(view, samples=120, seed=random.below(1 << 30)).action


if __name__ == "__main__":
    print(undercut.match("gin", Evaluating(), "simple", games=20, seed=1))
