"""The joint belief: hidden hands of the right size, whose cards depend on each other.

A network adds one card at a time to the hidden hands: it reads the view and the cards chosen so
far, and says which unseen card belongs to a hand too. It needs NumPy only, and sees one view.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undercut.cards.french import Cards
from undercut.games.contract import Game
from undercut.kernels import rng
from undercut.kernels.records import Array, Buffer, Floats, View, new, pack
from undercut.kernels.rng import GENERATOR
from undercut.players.bits import unpack
from undercut.players.encoding import Encoding, encoding_of
from undercut.players.joint.weights import CHOSEN, JointWeights, load_joint
from undercut.players.network_files import Shipped
from undercut.text.errors import OptionsError

SAMPLES = 256
STABLE = 1e-5  # what a layer norm adds to a variance
_WORDS = 1 << 32  # different random words


@dataclass(frozen=True)
class Draw:
    """Some cards of one hidden hand that come from one set."""

    hand: int
    pool: Cards
    count: int


@dataclass(frozen=True)
class Sight:
    """A view, read: the first layer of the network, and the limits of the hidden hands."""

    first: Array  # width
    known: Buffer  # for each hidden hand the cards that it certainly holds
    draws: tuple[Draw, ...]  # in the order in which hands are filled

    @property
    def missing(self) -> int:
        """The number of cards that are not known."""
        return sum(draw.count for draw in self.draws)


class JointBelief:
    """Guesses the hidden hands for any view of one game.

    Hidden hands are those of the other seats, in the order of play.
    """

    def __init__(self, game: Game, weights: JointWeights) -> None:
        self.game, self.encoding = game, encoding_of(game)
        self.hands, self.cards = game.seats - 1, self.encoding.hidden[0]
        self._options, self.weights = pack(game.options), weights
        self._blocks = [_block(weights, number) for number in range(weights.blocks)]
        self._heads = _fold(weights, "norm", "heads")

    def sample(self, view: View, samples: int = SAMPLES, seed: int = 0) -> Buffer:
        """Hidden hands as masks: a row for each sample, a column for each other seat.

        Each sample has its own random numbers, so the first samples of many are the same as few
        samples, up to the rounding of 32-bit products.
        """
        if samples < 1:
            raise OptionsError(f"{samples} samples: must be at least 1")
        sight = self.look(view)
        chances = _random_numbers(seed, samples, sight.missing)
        hands = np.tile(sight.known, (samples, 1))
        place = 0
        for draw in sight.draws:
            for _ in range(draw.count):
                self._add_card(sight, draw, hands, chances[:, place])
                place += 1
        return hands

    def marginals(self, view: View) -> Floats:
        """The chance of each card, a row for each other seat; a row's sum is the size of its hand.

        With several hidden hands, each is judged as if the others were unknown.
        """
        found: Floats = self.marginals_of([view])[0]
        return found

    def marginals_of(self, views: Iterable[View]) -> Floats:
        """The same for many views at once: the first axis is that of the views."""
        sights = [self.look(view) for view in views]
        known = np.stack([sight.known for sight in sights])
        found = _bits(known, self.cards).astype(np.float64)
        logits = self._answers(np.stack([sight.first for sight in sights]), known)
        for row, sight in enumerate(sights):
            for draw in sight.draws:
                pool = _bits(np.array([draw.pool]), self.cards)[0]
                chances = spread(logits[row, draw.hand, pool], draw.count)
                found[row, draw.hand, pool] += chances
        return found

    def look(self, view: View) -> Sight:
        """Read a view: the only way to the network."""
        encoding = self.encoding
        words = np.zeros((1, len(encoding.planes)), dtype=np.int64)
        encoding.encode(view, self._options, words[0])
        tensors = self.weights.tensors
        seen = np.flatnonzero(unpack(words, encoding.planes)[0])
        first = tensors["entry.bias"] + tensors["entry.weight"][seen].sum(axis=0)
        return Sight(first.astype(np.float32), *self.limits(view))

    def limits(self, view: View) -> tuple[Buffer, tuple[Draw, ...]]:
        """The known cards of each hidden hand, and the draws that fill the hands."""
        limits = np.zeros(self.encoding.limits, dtype=np.int64)
        self.encoding.limit(view, self._options, limits)
        known, draws = read_limits(limits, self.encoding, self.hands)
        return known, tuple(draws)

    def _add_card(self, sight: Sight, draw: Draw, hands: Buffer, chances: Floats) -> None:
        """Add a card of a draw to its hand in every sample.

        Many samples have the same cards up to here; the network answers once for all of these.
        """
        first, where = _distinct(hands)
        different = hands[first]
        used = np.bitwise_or.reduce(different, axis=1)
        possible = _bits(draw.pool & ~used, self.cards)
        logits = self._logits(sight, different)[:, draw.hand]
        total = np.cumsum(_weights_of(logits, possible), axis=1)[where]
        chosen = (total <= chances[:, None] * total[:, -1:]).sum(axis=1)
        hands[:, draw.hand] |= np.left_shift(1, chosen)

    def _logits(self, sight: Sight, hands: Buffer) -> Array:
        """The network's answers for one view: rows, hidden hands, cards."""
        return self._answers(sight.first, hands)

    def _answers(self, first: Array, hands: Buffer) -> Array:
        """The same from the first layer, of one view or of one for each row."""
        chosen = _bits(hands, self.cards).reshape(len(hands), -1)
        rows = self.weights.tensors[CHOSEN][: chosen.shape[1]]
        values = first + chosen.astype(np.float32) @ rows
        for (weight, bias), (second_weight, second_bias) in self._blocks:
            inner = _normal(values) @ weight
            inner += bias
            np.maximum(inner, 0, out=inner)
            values += inner @ second_weight
            values += second_bias
        weight, bias = self._heads
        used = self.hands * self.cards
        logits = _normal(values) @ weight[:, :used] + bias[:used]
        return np.asarray(logits.reshape(len(hands), self.hands, self.cards))


def joint_belief(game: Game, source: Path | Shipped) -> JointBelief:
    """The belief of a game from a file of weights."""
    return JointBelief(game, load_joint(source, encoding_of(game)))


def read_limits(limits: Buffer, encoding: Encoding, hands: int) -> tuple[Buffer, Iterator[Draw]]:
    """The known cards of each hidden hand, and its draws, from the words of `Encoding.limit`."""
    pools, step = limits[: encoding.pools].tolist(), 1 + encoding.pools
    of_hands = limits[encoding.pools :].reshape(-1, step)[:hands]

    def draws() -> Iterator[Draw]:
        for hand, (_, *counts) in enumerate(of_hands.tolist()):
            for pool, count in zip(pools, counts, strict=True):
                if count > 0:
                    yield Draw(hand, pool, count)

    return of_hands[:, 0].copy(), draws()


def spread(logits: Array, count: int) -> Floats:
    """Chances that add up to `count`, in the proportion of exp(logits), none above 1."""
    chances = np.ones(len(logits))
    free = np.ones(len(logits), dtype=bool)
    while free.any():
        left = count - int((~free).sum())
        shares = np.exp(np.asarray(logits, dtype=np.float64)[free] - np.max(logits[free]))
        chances[free] = shares * (left / shares.sum())
        if not (chances > 1).any():
            break
        free &= chances <= 1
        chances = np.minimum(chances, 1.0)
    return chances


def _weights_of(logits: Array, possible: NDArray[np.bool]) -> Floats:
    """The weight of each card; 0 for impossible ones."""
    held = np.where(possible, logits, -np.inf).astype(np.float64)
    weights: Floats = np.exp(held - held.max(axis=1, keepdims=True))
    return weights


def _distinct(hands: Buffer) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows in which different hands first occur, and for each row the number of its hands."""
    if hands.shape[1] == 1:
        _, first, where = np.unique(hands[:, 0], return_index=True, return_inverse=True)
    else:
        _, first, where = np.unique(hands, axis=0, return_index=True, return_inverse=True)
    return first, where.reshape(-1)


def _random_numbers(seed: int, samples: int, count: int) -> Floats:
    """Random numbers in [0, 1), `count` for each sample."""
    words, generator = np.zeros(samples * count, dtype=np.int64), new(GENERATOR, 1)[0]
    rng.start(generator, seed)
    rng.fill(generator, words)
    numbers: Floats = words.reshape(samples, count) / _WORDS
    return numbers


def _bits(masks: Buffer | Sequence[int], cards: int) -> NDArray[np.bool]:
    """The cards of each mask: one more axis, with the cards of the pack."""
    bits: NDArray[np.bool] = (np.asarray(masks)[..., None] >> np.arange(cards)) & 1 == 1
    return bits


def _normal(values: Array) -> Array:
    """Rows with mean 0 and variance 1."""
    centred: Array = values - values.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred) / np.float32(values.shape[1])
    centred /= np.sqrt(variance + np.float32(STABLE))[:, None]
    return centred


def _fold(weights: JointWeights, norm: str, layer: str) -> tuple[Array, Array]:
    """A layer and its bias, with the gain and the bias of the norm before it."""
    tensors = weights.tensors
    weight, bias = tensors[f"{layer}.weight"], tensors[f"{layer}.bias"]
    gain, shift = tensors[f"{norm}.weight"], tensors[f"{norm}.bias"]
    return np.ascontiguousarray(gain[:, None] * weight), shift @ weight + bias


def _block(weights: JointWeights, number: int) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    start = f"blocks.{number}"
    second = weights.tensors[f"{start}.second.weight"], weights.tensors[f"{start}.second.bias"]
    return _fold(weights, f"{start}.norm", f"{start}.first"), second
