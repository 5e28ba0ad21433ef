"""Plays any Rummy move that the restrictions of the game's source leave."""

from undercut.core import rng
from undercut.core.jit import kernel
from undercut.core.records import (
    Action,
    Buffer,
    Options,
    View,
)
from undercut.core.rng import Generator
from undercut.games.entry import Entry
from undercut.games.rummy import rules as rummy
from undercut.games.rummy.strategy.restrictions import ALL, Restrictions, restrict

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
    """Any action that the restrictions leave, all alike likely."""
    count = restrict(view, legal, settings, workspace)
    return int(workspace[rng.below(generator, count)])


AGENT = Entry(
    "Plays any action that the four agent-only restrictions leave.", choose, ALL, WORKSPACE
)
