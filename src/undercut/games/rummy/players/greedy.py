"""A plain Rummy player: puts down whatever it can, throws its highest card."""

from undercut.cards.french import NONE
from undercut.games.rummy.players.strategy.hand import (
    best_put_down,
    can_be_put_down,
    highest_discard,
)
from undercut.games.rummy.players.strategy.restrictions import Restrictions, restrict
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Phase
from undercut.games.rummy.rules.layout import Options, View
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer
from undercut.kernels.rng import Generator
from undercut.players.entry import Entry

WORKSPACE = rummy.LEGAL


@kernel
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Restrictions,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """Take what can be put down at once, put everything down, throw the highest card."""
    if view.phase == Phase.DRAW:
        if can_be_put_down(view, int(view.upcard)):
            return rummy.TAKE
        return rummy.DRAW if view.stock > 0 else rummy.TURN_OVER
    if legal[len(legal) - 1] >= rummy.MELD:
        count = restrict(view, legal, settings, workspace)
        action = best_put_down(view, workspace[:count])
        if action != NONE:
            return action
    return highest_discard(legal, generator)


AGENT = Entry(
    "Takes what it can put down at once, puts everything down, throws its highest card.",
    choose,
    Restrictions(),
    WORKSPACE,
)
