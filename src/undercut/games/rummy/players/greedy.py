"""A simple Rummy player: it puts down all cards that it can, and throws its highest card."""

from undercut.cards.french import NONE
from undercut.games.rummy.players.strategy.hand import best_put_down, draw, highest_discard
from undercut.games.rummy.players.strategy.restrictions import Restrictions, restrict
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Phase
from undercut.games.rummy.rules.layout import Options, View
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action
from undercut.play.agent import Turn
from undercut.players.entry import Entry

WORKSPACE = rummy.LEGAL


@kernel
def choose(view: View, turn: Turn[Options, Restrictions]) -> Action:
    """Take cards to put down at once, put everything down, throw the highest card."""
    if view.phase == Phase.DRAW:
        return draw(view)
    if turn.legal[len(turn.legal) - 1] >= rummy.MELD:
        count = restrict(view, turn.legal, turn.settings, turn.workspace)
        action = best_put_down(view, turn.workspace[:count])
        if action != NONE:
            return action
    return highest_discard(turn.legal, turn.generator)


AGENT = Entry(
    "Takes what it can put down at once, puts everything down, throws its highest card.",
    choose,
    Restrictions(),
    WORKSPACE,
)
