"""The one bit codec: pieces of what a network reads, declared once, packed into words and unpacked."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undercut.cards.french import Card, Cards
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Array, Buffer, Options, Seat, Settings, State, View
from undercut.kernels.rng import Generator


class Piece(NamedTuple):
    """Some bits in a row that mean something together."""

    name: str
    width: int
    about: str = ""


class Place(NamedTuple):
    """Where a piece lies in its word."""

    shift: int
    width: int


class Layout:
    """Pieces in their order. Those that are given together share a word, the first lowest.

    >>> layout = Layout(Piece("hand", 52), (Piece("phase", 3), Piece("stock", 32)))
    >>> layout.planes, layout.words("hand stock"), layout.places("stock")
    ((52, 35), (0, 1), (Place(shift=3, width=32),))
    """

    def __init__(self, *words: Piece | Sequence[Piece]) -> None:
        grouped = [(word,) if isinstance(word, Piece) else tuple(word) for word in words]
        self.pieces = tuple(piece for word in grouped for piece in word)
        self.planes = tuple(sum(piece.width for piece in word) for word in grouped)
        """For each word how many of its bits are used."""
        self._places: dict[str, tuple[int, Place]] = {}
        for number, word in enumerate(grouped):
            shift = 0
            for piece in word:
                self._places[piece.name] = (number, Place(shift, piece.width))
                shift += piece.width

    def words(self, names: str) -> tuple[int, ...]:
        """The numbers of the words that hold these pieces."""
        return tuple(self._places[name][0] for name in names.split())

    def places(self, names: str) -> tuple[Place, ...]:
        """Where these pieces lie in their words."""
        return tuple(self._places[name][1] for name in names.split())


def bit_places(planes: tuple[int, ...]) -> Array:
    """For each bit that is used its place: 64 times its word, and the bit in there."""
    places = [64 * word + bit for word, width in enumerate(planes) for bit in range(width)]
    return np.array(places, dtype=np.int32)


def unpack(words: Array, planes: tuple[int, ...]) -> Array:
    """The bits of many rows of words, a byte each.

    >>> unpack(np.array([[5, 1]]), (4, 2)).tolist()
    [[1, 0, 1, 0, 1, 0]]
    """
    octets = np.ascontiguousarray(words, dtype=np.int64).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little")  # rows, 64 for each word
    return bits[:, bit_places(planes)]


@kernel
def single(card: Card) -> Cards:
    """A card as a set; nothing for NONE and HIDDEN.

    These are -1 and -2: shifted by two places more first, they fall out again, without a branch.
    """
    return (1 << (card + 2)) >> 2


@kernel
def gauge(number: int, place: Place) -> int:
    """As many low bits of a piece as the number says."""
    return ((1 << max(0, min(number, place.width))) - 1) << place.shift


@kernel
def flag(condition: bool, place: Place) -> int:
    """A piece of one bit."""
    return int(condition) << place.shift


@kernel
def share(points: int, target: int, place: Place) -> int:
    """As many low bits of a piece as points are of a target; none for less than nothing."""
    return gauge(place.width * points // target, place) if points > 0 else 0


@kernel
def reveal_other(state: State, options: Options, seat: Seat, words: Buffer) -> None:
    """The other hand, where two play."""
    words[0] = int(state.hands[1 - seat])


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
