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
    best, least = int(legal[0]), 99
    for action in legal:
        rank = int(action) % 13
        wins = view.card != NONE and rank > int(view.card) % 13
        cost = rank if wins else rank + 13
        if cost < least:
            best, least = int(action), cost
    return best


AGENT = Entry("Takes a trick as cheaply as it can, or throws its lowest card.", choose)
