"""An agent for every game that plays any legal action."""

from undercut.core import rng
from undercut.core.agent import NoSettings
from undercut.core.jit import kernel
from undercut.core.records import (
    Action,
    Buffer,
    Options,
    View,
)
from undercut.core.rng import Generator
from undercut.games.entry import Entry


@kernel
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: NoSettings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """Any legal action, all alike likely."""
    return int(legal[rng.below(generator, len(legal))])


AGENT = Entry("Plays any legal action.", choose, looks=False)
