"""An Eights player that saves its eights."""

from eights.rules import DRAW, EIGHT
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Options, View
from undercut.play.agent import NoSettings, Turn
from undercut.players.entry import Entry


@kernel
def choose(view: View, turn: Turn[Options, NoSettings]) -> Action:
    """Any card but an eight, by chance; else an eight; drawing comes last, as in `legal`."""
    ties, chosen = 0, int(turn.legal[0])
    for action in turn.legal:
        if action < DRAW and action % 13 != EIGHT:
            ties += 1
            if rng.below(turn.generator, ties) == 0:  # each of the ties is equally likely
                chosen = int(action)
    return chosen


AGENT = Entry("Plays what fits, keeps its eights for the end, and draws only if it must.", choose)
