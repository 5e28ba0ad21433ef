"""A Rummy player that plays random moves within the restrictions of the game's source."""

from undercut.games.rummy.players.strategy.restrictions import ALL, Restrictions, restrict
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action
from undercut.play.agent import Turn
from undercut.players.entry import Entry

WORKSPACE = rummy.LEGAL


@kernel
def choose(view: View, turn: Turn[Options, Restrictions]) -> Action:
    """A random action among those that the restrictions leave."""
    count = restrict(view, turn.legal, turn.settings, turn.workspace)
    return int(turn.workspace[rng.below(turn.generator, count)])


AGENT = Entry(
    "Plays any action that the four agent-only restrictions leave.", choose, ALL, WORKSPACE
)
