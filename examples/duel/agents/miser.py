"""A Duel player that never spends more than it must."""

from undercut.core.agent import NoSettings
from undercut.core.cards import NONE
from undercut.core.jit import kernel
from undercut.core.records import Action, Buffer, Options, View
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
    """The lowest card that wins the trick, or the lowest of all."""
    lowest, winner = int(legal[0]), NONE
    for action in legal:
        rank = action % 13
        if rank < lowest % 13:
            lowest = int(action)
        is_winner = view.card != NONE and rank > int(view.card) % 13
        if is_winner and (winner == NONE or rank < winner % 13):
            winner = int(action)
    return lowest if winner == NONE else winner


AGENT = Entry("Wins a trick as cheaply as it can, or throws its lowest card.", choose)
