"""Two simple Pharaoh players that choose tuples by length: `biggest` and `smallest`."""

from undercut.games.pharaoh.players.strategy.answer import length
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.layout import Options, View, played_value
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer
from undercut.play.agent import NoSettings, Turn

_BITS = 3  # for the length of a tuple
_LENGTH = (1 << _BITS) - 1


@kernel
def choose_biggest(view: View, turn: Turn[Options, NoSettings]) -> Action:
    """A random longest legal tuple; a draw only without one."""
    longest, found, choice = 0, 0, int(turn.legal[0])
    for action in turn.legal[1:]:
        cards = length(action)
        if cards > longest:
            longest, found = cards, 0
        if cards == longest:
            found += 1
            if rng.below(turn.generator, found) == 0:
                choice = int(action)
    return choice


@kernel
def choose_smallest(view: View, turn: Turn[Options, NoSettings]) -> Action:
    """A longest tuple of the value whose longest legal tuple is shortest."""
    lengths = _longest_by_value(turn.legal)
    shortest = 5
    for value in range(8):
        longest = (lengths >> _BITS * value) & _LENGTH
        if 0 < longest < shortest:
            shortest = longest
    found, choice = 0, int(turn.legal[0])
    for action in turn.legal[1:]:
        longest = (lengths >> _BITS * played_value(action)) & _LENGTH
        if longest == shortest and length(action) == longest:
            found += 1
            if rng.below(turn.generator, found) == 0:
                choice = int(action)
    return choice


@kernel
def _longest_by_value(legal: Buffer) -> int:
    """The length of the longest legal tuple of each value, in three bits."""
    lengths = 0
    for action in legal:
        if action >= pharaoh.PLAY:
            place = _BITS * played_value(action)
            if length(action) > (lengths >> place) & _LENGTH:
                lengths &= ~(_LENGTH << place)
                lengths |= length(action) << place
    return lengths
