"""Hands drawn from a joint belief: their distribution, and the files of its networks."""

from collections import Counter
from itertools import permutations
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from joint_networks import BLOCKS, WIDTH, random_belief, random_weights, slow_logits
from positions import scaled
from undercut.games.families import parse_game
from undercut.kernels.records import Array, pack
from undercut.play.deal import Deal
from undercut.players.encoding import encoding_of
from undercut.players.joint.belief import Draw, JointBelief, Sight, joint_belief, spread
from undercut.players.joint.weights import JointWeights, load_joint, save_joint, shapes
from undercut.players.network_files import NetworkError
from undercut.text.errors import OptionsError

GAME = parse_game("gin")
ENCODING = encoding_of(GAME)


def _sight(belief: JointBelief, *draws: Draw) -> Sight:
    """A position in which only these cards are hidden."""
    first = belief.look(Deal(GAME, seed=3).observe()).first
    return Sight(first, np.zeros(1, dtype=np.int64), draws)


def _chances_of_hands(belief: JointBelief, sight: Sight) -> dict[int, float]:
    """The chance of every hand: a sum over the orders in which its cards can be drawn."""
    (draw,) = sight.draws
    cards = [card for card in range(52) if draw.pool >> card & 1]
    found: dict[int, float] = Counter()
    for order in permutations(cards, draw.count):
        hand, chance = 0, 1.0
        for card in order:
            logits = belief._logits(sight, np.array([[hand]]))[0, 0].tolist()
            left = [exp(logits[each]) for each in cards if not hand >> each & 1]
            chance *= exp(logits[card]) / sum(left)
            hand |= 1 << card
        found[hand] += chance
    return found


def test_hands_come_as_often_as_their_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    belief, samples = random_belief(GAME), 20_000
    sight = _sight(belief, Draw(0, 0b111011, 3))
    monkeypatch.setattr(belief, "look", lambda view: sight)
    expected = _chances_of_hands(belief, sight)
    assert len(expected) == 10
    assert max(expected.values()) > 2 * min(expected.values())
    counts = Counter(belief.sample(None, samples, seed=5)[:, 0].tolist())
    off = sum(
        (counts[hand] - samples * chance) ** 2 / (samples * chance)
        for hand, chance in expected.items()
    )
    assert off < 27.9  # chi squared with 9 degrees of freedom exceeds it once in a thousand times
    first = np.array([[0]])
    logits = belief._logits(sight, first)[0, 0][[0, 1, 3, 4, 5]]
    assert belief.marginals(None)[0, [0, 1, 3, 4, 5]] == pytest.approx(spread(logits, 3))


def test_the_layers_are_those_of_the_definition() -> None:
    belief, view = random_belief(GAME), Deal(GAME, seed=4).observe()
    words = np.zeros(len(ENCODING.planes), dtype=np.int64)
    ENCODING.encode(view, pack(GAME.options), words)
    bits = [
        int(word) >> bit & 1
        for word, width in zip(words, ENCODING.planes, strict=True)
        for bit in range(width)
    ]
    found = belief._logits(belief.look(view), np.array([[0b1011]]))[0]
    slow = slow_logits(random_weights(ENCODING), ENCODING, bits, [0b1011])
    assert np.allclose(found, slow, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("shares", "count", "expected"),
    [
        ([1, 1, 1, 1], 2, [0.5, 0.5, 0.5, 0.5]),
        ([3, 1, 1, 1], 1, [0.5, 1 / 6, 1 / 6, 1 / 6]),
        ([100, 1, 1, 2], 2, [1, 0.25, 0.25, 0.5]),
        ([100, 50, 1, 1], 3, [1, 1, 0.5, 0.5]),
        ([7, 5], 2, [1, 1]),
    ],
)
def test_no_chance_is_above_one(shares: list[float], count: int, expected: list[float]) -> None:
    assert spread(np.log(shares), count) == pytest.approx(np.array(expected))


def test_a_certain_card_leaves_the_others_their_share() -> None:
    found = spread(np.array([900.0, 0.0, -900.0]), 2)
    assert found == pytest.approx(np.array([1.0, 1.0, 0.0]))


def test_samples_are_at_least_one() -> None:
    with pytest.raises(OptionsError, match="0 samples: must be at least 1"):
        random_belief(GAME).sample(Deal(GAME, seed=1).observe(), 0)


def test_the_cards_chosen_before_matter() -> None:
    """Samples are no products of marginals: the second card goes by the first."""
    belief = random_belief(GAME)
    sight = belief.look(Deal(GAME, seed=5).observe())
    one, other = belief._logits(sight, np.array([[1], [2]]))[:, 0]
    assert np.abs(one - other).max() > 0.1


# Files


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, weights = tmp_path / "belief.safetensors", random_weights(ENCODING)
    save_joint(path, weights, ENCODING)
    again = load_joint(path, ENCODING)
    assert (again.width, again.blocks, again.about) == (WIDTH, BLOCKS, {"command": "random"})
    assert set(again.tensors) == set(weights.tensors)
    for name, tensor in weights.tensors.items():
        assert np.array_equal(again.tensors[name], tensor.astype(np.float16).astype(np.float32))
    view = Deal(GAME, seed=2).observe()
    assert joint_belief(GAME, path).sample(view, scaled(20, 3)).shape[1] == 1


def test_a_network_for_an_earlier_encoding_answers_as_it_did(tmp_path: Path) -> None:
    """Its inputs are the first of today's."""
    from dataclasses import replace

    old = ENCODING.earlier[0]
    path, inputs = tmp_path / "old.safetensors", sum(old)
    weights = random_weights(ENCODING)
    tensors = {**weights.tensors, "entry.weight": weights.tensors["entry.weight"][:inputs]}
    earlier = replace(ENCODING, seen=_Planes(old))
    save_joint(path, replace(weights, tensors=tensors), earlier)
    entry = load_joint(path, ENCODING).tensors["entry.weight"]
    assert entry.shape == (ENCODING.inputs, WIDTH)
    assert np.abs(entry[:inputs]).min() >= 0
    assert not entry[inputs:].any()
    assert entry[inputs - 1].any()


class _Planes:
    """A layout of which only the numbers of bits are known."""

    def __init__(self, planes: tuple[int, ...]) -> None:
        self.planes = planes


def test_networks_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "belief.safetensors"

    def refused(change: dict[str, Any], message: str, value: float = 0.0) -> None:
        sizes = {**shapes(ENCODING, 8, 1), **change}
        tensors: dict[str, Array] = {
            name: np.full(shape, value, "f4") for name, shape in sizes.items()
        }
        save_joint(path, JointWeights(tensors, 8, 1, {}), ENCODING)
        with pytest.raises(NetworkError, match=message):
            load_joint(path, ENCODING)

    refused({"chosen.weight": (51, 8)}, "layers that do not fit")
    refused({"blocks.0.first.weight": (4, 4)}, "layers that do not fit")
    refused({"norm.bias": (9,)}, "layers that do not fit")
    refused({}, "is not finite", float("nan"))


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "belief.safetensors"
    save_joint(path, random_weights(ENCODING), ENCODING)
    with pytest.raises(NetworkError, match="made for another game"):
        load_joint(path, encoding_of(parse_game("rummy")))
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(NetworkError, match="is damaged: its checksum does not match"):
        load_joint(path, ENCODING)
    path.write_bytes(data[:100])
    with pytest.raises(NetworkError, match="cannot read"):
        load_joint(path, ENCODING)
    blueprint = Path(__file__).parents[3] / "src/undercut/games/gin/players/blueprint.safetensors"
    with pytest.raises(NetworkError, match="is no network that guesses hidden hands"):
        load_joint(blueprint, ENCODING)
