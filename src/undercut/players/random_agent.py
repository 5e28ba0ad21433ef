"""An agent for every game that plays any legal action."""

from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Options, View
from undercut.play.agent import NoSettings, Turn
from undercut.players.entry import Entry


@kernel
def choose(view: View, turn: Turn[Options, NoSettings]) -> Action:
    """Any legal action, each equally likely."""
    return int(turn.legal[rng.below(turn.generator, len(turn.legal))])


AGENT = Entry("Plays any legal action.", choose, looks=False)
