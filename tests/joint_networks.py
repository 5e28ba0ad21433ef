"""Joint beliefs with random weights, and a slow obvious twin that draws one card at a time."""

from functools import cache
from math import exp, sqrt
from typing import Any

import numpy as np

from positions import generator
from undercut.games.contract import Game
from undercut.kernels import rng
from undercut.kernels.records import pack
from undercut.players.encoding import Encoding, encoding_of
from undercut.players.joint.belief import JointBelief, read_limits
from undercut.players.joint.weights import JointWeights, shapes

WIDTH, BLOCKS = 24, 2


def random_weights(encoding: Encoding, seed: int = 1) -> JointWeights:
    """Weights that make some cards much likelier than others."""
    random = np.random.default_rng(seed)
    tensors = {}
    for name, shape in shapes(encoding, WIDTH, BLOCKS).items():
        scale = 0.5 if len(shape) == 2 else 0.2
        mean = 1.0 if name.endswith("norm.weight") else 0.0
        tensors[name] = (mean + scale * random.standard_normal(shape)).astype(np.float32)
    return JointWeights(tensors, WIDTH, BLOCKS, {"command": "random"})


@cache
def random_belief(game: Game) -> JointBelief:
    """A belief with random weights."""
    return JointBelief(game, random_weights(encoding_of(game)))


def slow_sample(belief: JointBelief, view: Any, samples: int, seed: int) -> list[list[int]]:
    """The hands of `JointBelief.sample`, each alone, by the definition."""
    encoding, options = encoding_of(belief.game), pack(belief.game.options)
    limits, words = np.zeros(encoding.limits, np.int64), np.zeros(len(encoding.planes), np.int64)
    encoding.limit(view, options, limits)
    encoding.encode(view, options, words)
    bits = [
        int(word) >> bit & 1
        for word, width in zip(words, encoding.planes, strict=True)
        for bit in range(width)
    ]
    random, found = generator(0), []
    rng.start(random, seed)
    for _ in range(samples):
        known, draws = read_limits(limits, encoding, belief.game.seats - 1)
        hands = known.tolist()
        for draw in draws:
            for _ in range(draw.count):
                used = 0
                for hand in hands:
                    used |= hand
                logits = slow_logits(belief.weights, encoding, bits, hands)[draw.hand]
                cards = [card for card in range(len(logits)) if (draw.pool & ~used) >> card & 1]
                highest = max(logits[card] for card in cards)
                weights = [exp(logits[card] - highest) for card in cards]
                mark, passed = rng.word(random) / 2**32 * sum(weights), 0.0
                for card, weight in zip(cards, weights, strict=True):
                    passed += weight
                    if passed > mark:
                        hands[draw.hand] |= 1 << card
                        break
        found.append(hands)
    return found


def slow_logits(
    weights: JointWeights, encoding: Encoding, bits: list[int], hands: list[int]
) -> list[list[float]]:
    """The answers of a network for one position, layer by layer."""
    tensors = {name: tensor.astype(float) for name, tensor in weights.tensors.items()}
    cards = encoding.hidden[0]
    chosen = [hand >> card & 1 for hand in hands for card in range(cards)]
    chosen += [0] * (sum(encoding.hidden) - len(chosen))

    def layer(name: str, values: Any) -> Any:
        return values @ tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    def norm(name: str, values: Any) -> Any:
        centred = values - values.mean()
        unit = centred / sqrt((centred**2).mean() + 1e-5)
        return unit * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    values = layer("entry", np.array(bits, float)) + np.array(chosen) @ tensors["chosen.weight"]
    for number in range(weights.blocks):
        start = f"blocks.{number}"
        inner = layer(f"{start}.first", norm(f"{start}.norm", values))
        values = values + layer(f"{start}.second", np.maximum(inner, 0))
    logits: list[list[float]] = layer("heads", norm("norm", values)).reshape(-1, cards).tolist()
    return logits
