"""Numbers and cards as the bits that networks read."""

from undercut.cards.french import Card, Cards
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Options, Settings, View
from undercut.kernels.rng import Generator


@kernel
def single(card: Card) -> Cards:
    """A card as a set; nothing for NONE and HIDDEN.

    These are -1 and -2: shifted by two places more first, they fall out again, without a branch.
    """
    return (1 << (card + 2)) >> 2


@kernel
def thermometer(number: int, most: int) -> int:
    """As many low bits as the number says, `most` at most."""
    return (1 << max(0, min(number, most))) - 1


@kernel
def encode_nothing(view: View, options: Options, words: Buffer) -> None:
    """What more there is to see where the network answers everything: nothing."""


@kernel
def same_output(action: Action) -> int:
    """Where every action is an answer of its own."""
    return action


@kernel
def asks_first(view: View, who: int) -> bool:
    """Where the network answers whatever there is to choose."""
    return who == 0


@kernel
def take_first(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """What is left to play where the network answers everything: nothing."""
    return int(legal[0])
