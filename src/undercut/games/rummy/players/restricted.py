"""Plays any Rummy move that the restrictions of the game's source leave."""

from undercut.games.rummy.players.strategy.restrictions import ALL, Restrictions, restrict
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import Options, View
from undercut.kernels import rng
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
    """Any action that the restrictions leave, each equally likely."""
    count = restrict(view, legal, settings, workspace)
    return int(workspace[rng.below(generator, count)])


AGENT = Entry(
    "Plays any action that the four agent-only restrictions leave.", choose, ALL, WORKSPACE
)
