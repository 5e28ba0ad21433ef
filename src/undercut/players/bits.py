"""The bit codec: pieces of an observation, declared once, packed into words and unpacked."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undercut.cards.french import Card, Cards
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Array, Buffer, Options, Seat, Settings, State, View
from undercut.play.agent import Turn


class Piece(NamedTuple):
    """Consecutive bits with one meaning."""

    name: str
    width: int
    about: str = ""


class Place(NamedTuple):
    """The bits of a piece in its word."""

    shift: int
    width: int


class Layout:
    """Pieces in their order. Pieces in one tuple share a word, the first in the lowest bits.

    >>> layout = Layout(Piece("hand", 52), (Piece("phase", 3), Piece("stock", 32)))
    >>> layout.planes, layout.words("hand stock"), layout.places("stock")
    ((52, 35), (0, 1), (Place(shift=3, width=32),))
    """

    def __init__(self, *words: Piece | Sequence[Piece]) -> None:
        grouped = [(word,) if isinstance(word, Piece) else tuple(word) for word in words]
        self.pieces = tuple(piece for word in grouped for piece in word)
        self.planes = tuple(sum(piece.width for piece in word) for word in grouped)
        """The number of used bits of each word."""
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
        """The bits of these pieces in their words."""
        return tuple(self._places[name][1] for name in names.split())


def bit_places(planes: tuple[int, ...]) -> Array:
    """For each used bit: 64 times the number of its word, plus its number in the word."""
    places = [64 * word + bit for word, width in enumerate(planes) for bit in range(width)]
    return np.array(places, dtype=np.int32)


def unpack(words: Array, planes: tuple[int, ...]) -> Array:
    """The bits of rows of words, one byte each.

    >>> unpack(np.array([[5, 1]]), (4, 2)).tolist()
    [[1, 0, 1, 0, 1, 0]]
    """
    octets = np.ascontiguousarray(words, dtype=np.int64).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little")  # rows, 64 for each word
    return bits[:, bit_places(planes)]


@kernel
def single(card: Card) -> Cards:
    """A card as a set; nothing for NONE and HIDDEN.

    These are -1 and -2. Shifted up by two more places first, they fall out again without a branch.
    """
    return (1 << (card + 2)) >> 2


@kernel
def gauge(number: int, place: Place) -> int:
    """The lowest `number` bits of a piece."""
    return ((1 << max(0, min(number, place.width))) - 1) << place.shift


@kernel
def flag(condition: bool, place: Place) -> int:
    """A piece of one bit."""
    return int(condition) << place.shift


@kernel
def share(points: int, target: int, place: Place) -> int:
    """The low bits of a piece, in the proportion of points to a target; none for negative points."""
    return gauge(place.width * points // target, place) if points > 0 else 0


@kernel
def reveal_other(state: State, options: Options, seat: Seat, words: Buffer) -> None:
    """The other hand in a game of two."""
    words[0] = int(state.hands[1 - seat])


@kernel
def encode_nothing(view: View, options: Options, words: Buffer) -> None:
    """`encode_laying` of a game without further observations."""


@kernel
def same_output(action: Action) -> int:
    """`output_of` of a game with one output for each action."""
    return action


@kernel
def asks_first(view: View, who: int) -> bool:
    """`is_asked` of a game whose network makes every decision."""
    return who == 0


@kernel
def take_first(view: View, turn: Turn[Options, Settings]) -> Action:
    """`rest` of a game whose network makes every decision; nothing calls it."""
    return int(turn.legal[0])
