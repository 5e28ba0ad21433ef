"""An agent for every game that plays any legal action."""

from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Options, View
from undercut.kernels.rng import Generator
from undercut.play.agent import NoSettings
from undercut.players.entry import Entry


@kernel
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: NoSettings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """Any legal action, each equally likely."""
    return int(legal[rng.below(generator, len(legal))])


AGENT = Entry("Plays any legal action.", choose, looks=False)
