"""Two plain Pharaoh players that go by the length of their tuples: `biggest` and `smallest`."""

from undercut.games.pharaoh.players.strategy.answer import length
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.layout import Options, View, played_value
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer
from undercut.kernels.rng import Generator
from undercut.play.agent import NoSettings

_BITS = 3  # for the length of a tuple
_LENGTH = (1 << _BITS) - 1


@kernel
def choose_biggest(
    view: View,
    legal: Buffer,
    options: Options,
    settings: NoSettings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """Any of the longest tuples it can play; it draws only if there is none."""
    longest, found, choice = 0, 0, int(legal[0])
    for action in legal[1:]:
        cards = length(action)
        if cards > longest:
            longest, found = cards, 0
        if cards == longest:
            found += 1
            if rng.below(generator, found) == 0:
                choice = int(action)
    return choice


@kernel
def choose_smallest(
    view: View,
    legal: Buffer,
    options: Options,
    settings: NoSettings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """Of the values it can play, the one whose longest tuple is shortest, and of it that tuple."""
    lengths = _longest_by_value(legal)
    shortest = 5
    for value in range(8):
        longest = (lengths >> _BITS * value) & _LENGTH
        if 0 < longest < shortest:
            shortest = longest
    found, choice = 0, int(legal[0])
    for action in legal[1:]:
        longest = (lengths >> _BITS * played_value(action)) & _LENGTH
        if longest == shortest and length(action) == longest:
            found += 1
            if rng.below(generator, found) == 0:
                choice = int(action)
    return choice


@kernel
def _longest_by_value(legal: Buffer) -> int:
    """For each value the length of the longest tuple that can be played, in three bits."""
    lengths = 0
    for action in legal:
        if action >= pharaoh.PLAY:
            place = _BITS * played_value(action)
            if length(action) > (lengths >> place) & _LENGTH:
                lengths &= ~(_LENGTH << place)
                lengths |= length(action) << place
    return lengths
