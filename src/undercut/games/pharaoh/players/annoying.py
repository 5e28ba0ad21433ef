"""A Pharaoh player that leaves a top card which the next player can hardly match."""

from undercut.games.pharaoh.players.strategy.answer import answer_chance, answers, length, next_seat
from undercut.games.pharaoh.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer
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
    """The play that is least likely to be answered, of equal ones the longest, then any."""
    after = next_seat(view, options)
    least, longest, found, choice = 2.0, 0, 0, int(legal[0])
    for action in legal[1:]:
        chance, cards = answer_chance(view, after, answers(view, options, action)), length(action)
        if chance < least or (chance == least and cards > longest):
            least, longest, found = chance, cards, 0
        if chance == least and cards == longest:
            found += 1
            if rng.below(generator, found) == 0:
                choice = int(action)
    return choice


AGENT = Entry("Leaves the top card that the next player is least likely to match.", choose)
