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
        throws = knocks or [action for action in view.legal if action.verb == "discard"]
        if not throws:  # melds are laid down: "done" stands last, and is no tie with the others
            return view.legal[0]
        costs = [self.cost(view, each.cards) for each in throws]
        best = [each for each, cost in zip(throws, costs, strict=True) if cost == min(costs)]
        return random.choice(best)

    def cost(self, view: undercut.GinView, thrown: undercut.Cards) -> tuple[int, int]:
        """The deadwood that is left; among equal ones, the cards that the thrown one goes with.

        Without the second, ties would be most of the choices, and chance would break up pairs.
        """
        (card,) = thrown
        near = [
            other.rank == card.rank
            or (other.suit == card.suit and abs(other.order - card.order) <= 2)
            for other in view.hand
        ]
        return view.lay_out(view.hand - thrown).deadwood, sum(near)


if __name__ == "__main__":
    print(undercut.match("gin", Hasty(), "simple", games=200, seed=1))
