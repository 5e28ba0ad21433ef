"""Accuracy of a network's predictions of the other hand, compared with counting.

- recall@K: the share of the other hand's cards among the K likeliest, ties broken at random (the
  exact expected share).
- tkca@K: how often the first card of the other hand, aces before deuces, is among the K likeliest;
  tkca-suits@K: the same, clubs before diamonds. The paper calls its figure "top K categorical
  accuracy". If several answers are right, the usual libraries look for the first one only. The
  paper's hands are 13 x 4 matrices, and it does not specify the order in which they are read.
- log-loss: of the marginals, over the cards with an unknown place, in nats a card.
- calibration: of the cards with a probability near p, the share that was held. The error is the
  mean distance, weighted by the number of cards in each bin of a twentieth.

Counting knows that the other seat holds the cards that it was seen taking. So does the network if
it remembers; otherwise these cards have the probability of its own output.

The paper has one entry of data for each turn, and does not specify its moment. Here every choice is
an entry, so there are also figures for draws and for discards alone.

Intervals are over matches, since the decisions of a match are not independent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from undercut.kernels.records import Array, Buffer, Floats
from undercut.lab.statistics import Z, ratio_error
from undercut.learn.decisions import Block, Decisions
from undercut.learn.shards import DataError
from undercut.players.belief import Belief, Network

KS = (10, 15, 20, 25)
BINS = 20
LAST_TURN = 15  # the bin of this turn includes later ones
METHODS = ("network", "counting")
CHOICES = ("draw", "discard")
_LEAST = 1e-6
_BY_SUIT = np.arange(52)
_BY_RANK = _BY_SUIT.reshape(4, 13).T.ravel()  # the aces first
ORDERS = {"tkca": _BY_RANK, "tkca-suits": _BY_SUIT}
MEASURES = (*ORDERS, "recall")
"""The possible meanings of the paper's figure."""

Progress = Callable[[int], None]


def recall(chances: Array, hands: Buffer, k: int) -> Floats:
    """For each row the share of a hand's cards among the k likeliest, ties at random."""
    held = _bits(hands)
    least = -np.partition(-chances, k - 1, axis=1)[:, k - 1 : k]
    above, level = chances > least, chances == least
    places = k - above.sum(axis=1)
    surely = (held & above).sum(axis=1)
    found = surely + (held & level).sum(axis=1) * places / level.sum(axis=1)
    recall: Floats = found / held.sum(axis=1)
    return recall


def _bits(masks: npt.ArrayLike) -> NDArray[np.bool]:
    bits: NDArray[np.bool] = (np.asarray(masks)[:, None] >> np.arange(52)) & 1 == 1
    return bits


def first_cards(hands: npt.ArrayLike, order: Buffer) -> Buffer:
    """For each hand its first card in some order of the pack.

    >>> first_cards([0b1 << 12 | 0b1 << 14], ORDERS["tkca"])  # king of clubs, deuce of diamonds
    array([16384])
    """
    cards: Buffer = 1 << order[np.argmax(_bits(hands)[:, order], axis=1)]
    return cards


def log_losses(chances: Array, hands: Buffer, unknown: Buffer) -> Floats:
    """For each row the mean of -log(probability of the truth) over the unknown cards."""
    held, open_cards = _bits(hands), _bits(unknown)
    right = np.where(held, chances, 1 - chances)
    losses = -np.log(np.clip(right, _LEAST, 1))
    means: Floats = (losses * open_cards).sum(axis=1) / np.maximum(1, open_cards.sum(axis=1))
    return means


NAMES = (
    *(f"recall@{k}" for k in KS),
    "log_loss",
    *(f"{order}@{k}" for order in ORDERS for k in KS),
)


@dataclass(frozen=True)
class Figures:
    """The figures of some decisions: a row for each."""

    matches: Buffer
    turns: Buffer
    opponents: Buffer
    choices: Buffer  # places in CHOICES
    rows: dict[str, Floats]  # for each method, columns of NAMES
    bins: dict[str, Floats]  # for each method its calibration


def figures_of(belief: Belief, block: Block, network: Network, remember: bool = True) -> Figures:
    """The figures of a network and of counting; thread-safe."""
    views, hands = block.views, block.hands
    features = np.zeros((len(views), belief.features), dtype=np.int8)
    belief.fill_features(views, features)
    firsts = [first_cards(hands, order) for order in ORDERS.values()]
    unknown = belief.unknown(views)
    guesses = {
        "network": belief.marginals(views, network.predict(features), remember),
        "counting": belief.counting(views),
    }
    rows = {
        method: np.column_stack(
            [
                *(recall(chances, hands, k) for k in KS),
                log_losses(chances, hands, unknown),
                *(recall(chances, first, k) for first in firsts for k in KS),
            ]
        )
        for method, chances in guesses.items()
    }
    bins = {method: _calibration(chances, hands, unknown) for method, chances in guesses.items()}
    turns = np.minimum(belief.turns(views), LAST_TURN)
    choices = belief.discards(views).astype(np.int64)
    return Figures(block.matches, turns, block.opponents, choices, rows, bins)


def _calibration(chances: Floats, hands: Buffer, unknown: Buffer) -> Floats:
    chosen = _bits(unknown)
    chance, held = chances[chosen], _bits(hands)[chosen]
    places = np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    columns = [np.bincount(places, weights, BINS) for weights in (None, chance, held)]
    return np.column_stack(columns)


@dataclass
class Sums:
    """Sums for one method over some decisions, columns of NAMES."""

    by_match: Floats  # for each of CHOICES, a row for each match
    by_turn: Floats
    by_opponent: Floats
    bins: Floats = field(default_factory=lambda: np.zeros((BINS, 3)))  # cards, chance, held


class Score:
    """Figures of a network and of counting on the same decisions."""

    def __init__(self, data: Decisions, remember: bool = True) -> None:
        width = len(NAMES)
        self.remember = remember
        self.agents = data.agents
        self.matches = data.matches
        self.counts = np.zeros((len(CHOICES), data.matches))
        self.turn_counts = np.zeros(LAST_TURN + 1)
        self.opponent_counts = np.zeros(len(data.agents))
        self.sums = {
            method: Sums(
                np.zeros((len(CHOICES), data.matches, width)),
                np.zeros((LAST_TURN + 1, width)),
                np.zeros((len(data.agents), width)),
            )
            for method in METHODS
        }

    def add(self, figures: Figures) -> None:
        matches, turns, opponents = figures.matches, figures.turns, figures.opponents
        np.add.at(self.counts, (figures.choices, matches), 1)
        self.turn_counts += np.bincount(turns, minlength=LAST_TURN + 1)
        self.opponent_counts += np.bincount(opponents, minlength=len(self.agents))
        for method, sums in self.sums.items():
            rows = figures.rows[method]
            np.add.at(sums.by_match, (figures.choices, matches), rows)
            np.add.at(sums.by_turn, turns, rows)
            np.add.at(sums.by_opponent, opponents, rows)
            sums.bins += figures.bins[method]

    @property
    def decisions(self) -> int:
        return int(self.counts.sum())

    def decisions_at(self, choice: str) -> int:
        """The number of draws, or of discards."""
        return int(self.counts[CHOICES.index(choice)].sum())

    def mean(self, method: str, name: str) -> tuple[float, tuple[float, float]]:
        """A figure of a method and its 95 % interval."""
        return self._ratio(self._columns(method, name).sum(axis=0), self.counts.sum(axis=0))

    def mean_at(
        self, choice: str, method: str, name: str
    ) -> tuple[float, tuple[float, float]] | None:
        """The same over draws or discards alone, if there are any."""
        if not self.decisions_at(choice):
            return None
        place = CHOICES.index(choice)
        return self._ratio(self._columns(method, name)[place], self.counts[place])

    def lift(self, name: str) -> tuple[float, tuple[float, float]]:
        """The network's figure minus counting's, on the same decisions."""
        network, counting = (self._columns(method, name) for method in METHODS)
        return self._ratio((network - counting).sum(axis=0), self.counts.sum(axis=0))

    def _columns(self, method: str, name: str) -> Floats:
        """Sums of a figure: a row for each of CHOICES, a column for each match."""
        return self.sums[method].by_match[:, :, NAMES.index(name)]

    def _ratio(self, sums: Floats, counts: Floats) -> tuple[float, tuple[float, float]]:
        """The mean over decisions; its error by linearisation over matches."""
        value = float(sums.sum() / counts.sum())
        rest = sums - value * counts
        half = Z * ratio_error(float((rest**2).sum()), self.matches) / float(counts.sum())
        return value, (value - half, value + half)

    def calibration(self, method: str) -> list[tuple[float, float, int]]:
        """For each bin with cards: mean probability, share that was held, number of cards."""
        return [
            (float(chance / count), float(held / count), int(count))
            for count, chance, held in self.sums[method].bins
            if count
        ]

    def calibration_error(self, method: str) -> float:
        """The mean distance between probability and frequency over all cards."""
        bins = self.sums[method].bins
        return float(np.abs(bins[:, 1] - bins[:, 2]).sum() / bins[:, 0].sum())

    def by_turn(self, method: str, name: str) -> list[float | None]:
        """A figure by the turn of the predicting seat, from 1 on; the last is 15 and later."""
        return _means(self.sums[method].by_turn[1:, NAMES.index(name)], self.turn_counts[1:])

    def by_opponent(self, method: str, name: str) -> list[float | None]:
        """A figure by the agent opposite, in the order of `agents`."""
        return _means(self.sums[method].by_opponent[:, NAMES.index(name)], self.opponent_counts)

    def headline(self) -> dict[str, object]:
        """The means of the network and of counting."""
        return {
            "decisions": self.decisions,
            **{method: {name: self.mean(method, name)[0] for name in NAMES} for method in METHODS},
        }

    def to_json(self) -> dict[str, object]:
        """Everything as one JSON object."""
        result: dict[str, object] = {
            "decisions": self.decisions,
            "matches": self.matches,
            "remember": self.remember,
        }
        for method in METHODS:
            figures: dict[str, object] = {
                name: _to_json(*self.mean(method, name)) for name in NAMES
            }
            figures["calibration_error"] = self.calibration_error(method)
            figures["calibration"] = self.calibration(method)
            figures["by_choice"] = {choice: self._figures_at(choice, method) for choice in CHOICES}
            figures["by_turn"] = {name: self.by_turn(method, name) for name in NAMES}
            figures["by_opponent"] = {
                name: dict(zip(self.agents, self.by_opponent(method, name), strict=True))
                for name in NAMES
            }
            result[method] = figures
        result["lift"] = {name: _to_json(*self.lift(name)) for name in NAMES}
        result["decisions_by_choice"] = {each: self.decisions_at(each) for each in CHOICES}
        result["decisions_by_turn"] = self.turn_counts[1:].astype(int).tolist()
        result["decisions_by_opponent"] = dict(
            zip(self.agents, self.opponent_counts.astype(int).tolist(), strict=True)
        )
        return result

    def _figures_at(self, choice: str, method: str) -> dict[str, object]:
        found = {name: self.mean_at(choice, method, name) for name in NAMES}
        return {name: _to_json(*figure) for name, figure in found.items() if figure is not None}


def _to_json(mean: float, interval: tuple[float, float]) -> dict[str, object]:
    return {"mean": mean, "ci95": list(interval)}


def _means(sums: Floats, counts: Floats) -> list[float | None]:
    return [float(s / n) if n else None for s, n in zip(sums, counts, strict=True)]


def score(
    network: Network,
    folders: Sequence[Path],
    *,
    remember: bool = True,
    allow_trained: bool = False,
    progress: Progress | None = None,
) -> Score:
    """Score a network on the decisions of some folders, on which it must not have trained."""
    data = Decisions(folders)
    if not allow_trained:
        check_unseen(trained_on(network.metadata), data)
    result = Score(data, remember)
    for rows in data.blocks(np.arange(data.matches)):
        for figures in data.map(
            lambda block: figures_of(data.belief, block, network, remember), rows
        ):
            result.add(figures)
            if progress is not None:
                progress(len(figures.matches))
    return result


def trained_on(metadata: Mapping[str, str]) -> list[dict[str, object]]:
    """The deals that a network was trained on, from the metadata of its file."""
    try:
        return msgspec.json.decode(metadata.get("data", "[]"), type=list[dict[str, object]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DataError(f"the model does not list the deals of its training: {error}") from None


def check_unseen(trained: Sequence[Mapping[str, object]], data: Decisions) -> None:
    """Raise an error if the data has deals that a network was trained on."""
    seeds = [entry.get("seed") for entry in trained]
    for entry in data.describe():
        if entry["seed"] in seeds:
            raise DataError(
                f"the model was trained on these deals ({' v '.join(entry['agents'])}): "
                "test on decisions generated with another --seed"
            )
