"""A Duel player that never spends more than it must."""

from undercut.cards.french import NONE
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Options, View
from undercut.play.agent import NoSettings, Turn
from undercut.players.entry import Entry


@kernel
def choose(view: View, turn: Turn[Options, NoSettings]) -> Action:
    """The lowest card that wins the trick, or the lowest of all."""
    best, least = int(turn.legal[0]), 99
    for action in turn.legal:
        rank = int(action) % 13
        wins = view.card != NONE and rank > int(view.card) % 13
        cost = rank if wins else rank + 13
        if cost < least:
            best, least = int(action), cost
    return best


AGENT = Entry("Takes a trick as cheaply as it can, or throws its lowest card.", choose)
