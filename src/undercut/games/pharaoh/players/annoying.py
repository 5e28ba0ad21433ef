"""A Pharaoh player that leaves top cards that the next player can hardly match."""

from undercut.games.pharaoh.players.strategy.answer import answer_chance, answers, length, next_seat
from undercut.games.pharaoh.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action
from undercut.play.agent import NoSettings, Turn
from undercut.players.entry import Entry


@kernel
def choose(view: View, turn: Turn[Options, NoSettings]) -> Action:
    """The play with the least likely answer, ties by length, then by chance."""
    after = next_seat(view, turn.options)
    least, longest, found, choice = 2.0, 0, 0, int(turn.legal[0])
    for action in turn.legal[1:]:
        cards = length(action)
        chance = answer_chance(view, after, answers(view, turn.options, action))
        if chance < least or (chance == least and cards > longest):
            least, longest, found = chance, cards, 0
        if chance == least and cards == longest:
            found += 1
            if rng.below(turn.generator, found) == 0:
                choice = int(action)
    return choice


AGENT = Entry("Leaves the top card that the next player is least likely to match.", choose)
