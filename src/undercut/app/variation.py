"""Another move in a deal that is over, and how strong players would have gone on.

The hidden cards are those of the deal, and the stock has its order. So it is only for deals whose
hands the seat may see.
"""

from undercut.app.history import Moment, Past
from undercut.app.host import Result
from undercut.app.session import Session
from undercut.kernels.records import Seat
from undercut.play.agent import Random
from undercut.play.ask import ask
from undercut.players.search.evaluate import evaluator_of
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

MOST_MOVES = 400  # of a deal that does not end


class Variation(Past):
    """A match that went another way from one ply of a deal on."""

    def vary(self, action: str) -> Result | None:
        """Play an action, and let the game's strongest quick player go on for every seat.

        The result is that of the deal; None if it did not end.
        """
        agent, random = evaluator_of(self.game.name).guide, Random.from_seed(0)
        deal, finished = self.match.deal, len(self.results)
        number = self._actions.read(action)
        for _ in range(MOST_MOVES):
            self._apply(number)
            if deal.is_over:
                self._settle()
                return self.results[finished]
            number = ask(self.game, agent, deal.observe(), deal.actions, random)
        return None


def varied(
    moment: Moment, seat: Seat, ply: int, deal: int, action: str
) -> tuple[Session, Result | None]:
    """The table after another move of the seat on turn, and the result of the deal."""
    if not moment.may_show(deal) or deal >= len(moment.results):
        raise IllegalAction(say("the deal is not over"))
    past = Variation(moment, ply, deal)
    if action not in map(str, past.match.deal.legal):
        raise IllegalAction(say("{action} cannot be played now", action=action))
    result = past.vary(action)
    return Session.beside(past, seat), result
