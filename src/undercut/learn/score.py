"""Accuracy of beliefs about the other hand, on the same decisions as counting.

- recall@K: the share of the other hand's cards among the K likeliest, ties broken at random (the
  exact expected share).
- tkca@K: how often the first card of the other hand, aces before deuces, is among the K likeliest;
  tkca-suits@K: the same, clubs before diamonds. The paper calls its figure "top K categorical
  accuracy". If several answers are right, the usual libraries look for the first one only. The
  paper's hands are 13 x 4 matrices, and it does not specify the order in which they are read.
- log-loss: of the marginals, over the cards with an unknown place, in nats a card.
- calibration: of the cards with a probability near p, the share that was held. The error is the
  mean distance, weighted by the number of cards in each bin of a twentieth.

Counting and a joint belief know that the other seat holds the cards that it was seen taking. So
does a network of the paper if it remembers; otherwise these cards have its own output.

The paper has one entry of data for each turn, and does not specify its moment. Here every choice is
an entry, so there are also figures for draws and for discards alone.

Intervals are over matches, since the decisions of a match are not independent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from undercut.kernels.records import Array, Buffer, Floats
from undercut.lab.statistics import Z, ratio_error
from undercut.learn.candidates import COUNTING, Candidate, check_unseen, counting
from undercut.learn.decisions import Block, Decisions
from undercut.players.belief import Belief

KS = (10, 15, 20, 25)
BINS = 20
LAST_TURN = 15  # the bin of this turn includes later ones
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
    rows: dict[str, Floats]  # for each candidate, columns of NAMES
    bins: dict[str, Floats]  # for each candidate its calibration


def figures_of(belief: Belief, block: Block, candidates: Mapping[str, Candidate]) -> Figures:
    """The figures of some candidates; thread-safe."""
    views, hands = block.views, block.hands
    firsts = [first_cards(hands, order) for order in ORDERS.values()]
    unknown = belief.unknown(views)
    guesses = {name: candidate.marginals(views) for name, candidate in candidates.items()}
    rows = {
        name: np.column_stack(
            [
                *(recall(chances, hands, k) for k in KS),
                log_losses(chances, hands, unknown),
                *(recall(chances, first, k) for first in firsts for k in KS),
            ]
        )
        for name, chances in guesses.items()
    }
    bins = {name: _calibration(chances, hands, unknown) for name, chances in guesses.items()}
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
    """Sums for one candidate over some decisions, columns of NAMES."""

    by_match: Floats  # for each of CHOICES, a row for each match
    by_turn: Floats
    by_opponent: Floats
    bins: Floats = field(default_factory=lambda: np.zeros((BINS, 3)))  # cards, chance, held


class Score:
    """Figures of candidates on the same decisions."""

    def __init__(self, data: Decisions, candidates: Sequence[str], remember: bool = True) -> None:
        width = len(NAMES)
        self.remember = remember  # of the paper's networks
        self.agents = data.agents
        self.matches = data.matches
        self.counts = np.zeros((len(CHOICES), data.matches))
        self.turn_counts = np.zeros(LAST_TURN + 1)
        self.opponent_counts = np.zeros(len(data.agents))
        self.sums = {
            name: Sums(
                np.zeros((len(CHOICES), data.matches, width)),
                np.zeros((LAST_TURN + 1, width)),
                np.zeros((len(data.agents), width)),
            )
            for name in candidates
        }

    def add(self, figures: Figures) -> None:
        matches, turns, opponents = figures.matches, figures.turns, figures.opponents
        np.add.at(self.counts, (figures.choices, matches), 1)
        self.turn_counts += np.bincount(turns, minlength=LAST_TURN + 1)
        self.opponent_counts += np.bincount(opponents, minlength=len(self.agents))
        for candidate, sums in self.sums.items():
            rows = figures.rows[candidate]
            np.add.at(sums.by_match, (figures.choices, matches), rows)
            np.add.at(sums.by_turn, turns, rows)
            np.add.at(sums.by_opponent, opponents, rows)
            sums.bins += figures.bins[candidate]

    @property
    def candidates(self) -> list[str]:
        """Their names; counting is the last."""
        return list(self.sums)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Candidates to compare: each with counting, then each with those before it."""
        *others, last = self.candidates
        return [(each, last) for each in others] + [
            (each, before) for place, each in enumerate(others) for before in others[:place]
        ]

    @property
    def decisions(self) -> int:
        return int(self.counts.sum())

    def decisions_at(self, choice: str) -> int:
        """The number of draws, or of discards."""
        return int(self.counts[CHOICES.index(choice)].sum())

    def mean(self, candidate: str, name: str) -> tuple[float, tuple[float, float]]:
        """A figure of a candidate and its 95 % interval."""
        return self._ratio(self._columns(candidate, name).sum(axis=0), self.counts.sum(axis=0))

    def mean_at(
        self, choice: str, candidate: str, name: str
    ) -> tuple[float, tuple[float, float]] | None:
        """The same over draws or discards alone, if there are any."""
        if not self.decisions_at(choice):
            return None
        place = CHOICES.index(choice)
        return self._ratio(self._columns(candidate, name)[place], self.counts[place])

    def lift(
        self, candidate: str, name: str, over: str = COUNTING
    ) -> tuple[float, tuple[float, float]]:
        """A candidate's figure minus that of another, on the same decisions."""
        gained = self._columns(candidate, name) - self._columns(over, name)
        return self._ratio(gained.sum(axis=0), self.counts.sum(axis=0))

    def _columns(self, candidate: str, name: str) -> Floats:
        """Sums of a figure: a row for each of CHOICES, a column for each match."""
        return self.sums[candidate].by_match[:, :, NAMES.index(name)]

    def _ratio(self, sums: Floats, counts: Floats) -> tuple[float, tuple[float, float]]:
        """The mean over decisions; its error by linearisation over matches."""
        value = float(sums.sum() / counts.sum())
        rest = sums - value * counts
        half = Z * ratio_error(float((rest**2).sum()), self.matches) / float(counts.sum())
        return value, (value - half, value + half)

    def calibration(self, candidate: str) -> list[tuple[float, float, int]]:
        """For each bin with cards: mean probability, share that was held, number of cards."""
        return [
            (float(chance / count), float(held / count), int(count))
            for count, chance, held in self.sums[candidate].bins
            if count
        ]

    def calibration_error(self, candidate: str) -> float:
        """The mean distance between probability and frequency over all cards."""
        bins = self.sums[candidate].bins
        return float(np.abs(bins[:, 1] - bins[:, 2]).sum() / bins[:, 0].sum())

    def by_turn(self, candidate: str, name: str) -> list[float | None]:
        """A figure by the turn of the predicting seat, from 1 on; the last is 15 and later."""
        return _means(self.sums[candidate].by_turn[1:, NAMES.index(name)], self.turn_counts[1:])

    def by_opponent(self, candidate: str, name: str) -> list[float | None]:
        """A figure by the agent opposite, in the order of `agents`."""
        return _means(self.sums[candidate].by_opponent[:, NAMES.index(name)], self.opponent_counts)

    def headline(self) -> dict[str, object]:
        """The means of all candidates."""
        return {
            "decisions": self.decisions,
            **{each: {name: self.mean(each, name)[0] for name in NAMES} for each in self.sums},
        }

    def to_json(self) -> dict[str, object]:
        """Everything as one JSON object."""
        by_opponent = self.opponent_counts.astype(int).tolist()
        return {
            "decisions": self.decisions,
            "matches": self.matches,
            "remember": self.remember,
            "beliefs": {candidate: self._figures(candidate) for candidate in self.sums},
            "lifts": [
                {
                    "belief": belief,
                    "over": over,
                    "figures": {name: _to_json(*self.lift(belief, name, over)) for name in NAMES},
                }
                for belief, over in self.pairs
            ],
            "decisions_by_choice": {each: self.decisions_at(each) for each in CHOICES},
            "decisions_by_turn": self.turn_counts[1:].astype(int).tolist(),
            "decisions_by_opponent": dict(zip(self.agents, by_opponent, strict=True)),
        }

    def _figures(self, candidate: str) -> dict[str, object]:
        return {
            **{name: _to_json(*self.mean(candidate, name)) for name in NAMES},
            "calibration_error": self.calibration_error(candidate),
            "calibration": self.calibration(candidate),
            "by_choice": {choice: self._figures_at(choice, candidate) for choice in CHOICES},
            "by_turn": {name: self.by_turn(candidate, name) for name in NAMES},
            "by_opponent": {
                name: dict(zip(self.agents, self.by_opponent(candidate, name), strict=True))
                for name in NAMES
            },
        }

    def _figures_at(self, choice: str, candidate: str) -> dict[str, object]:
        found = {name: self.mean_at(choice, candidate, name) for name in NAMES}
        return {name: _to_json(*figure) for name, figure in found.items() if figure is not None}


def _to_json(mean: float, interval: tuple[float, float]) -> dict[str, object]:
    return {"mean": mean, "ci95": list(interval)}


def _means(sums: Floats, counts: Floats) -> list[float | None]:
    return [float(s / n) if n else None for s, n in zip(sums, counts, strict=True)]


def score(
    candidates: Mapping[str, Candidate],
    folders: Sequence[Path],
    *,
    remember: bool = True,
    progress: Progress | None = None,
) -> Score:
    """Score beliefs, and counting, on the decisions of some folders.

    None of them may have learned from these deals.
    """
    data = Decisions(folders)
    for candidate in candidates.values():
        check_unseen(candidate.trained, data)
    scored = {**candidates, COUNTING: counting(data.belief)}
    result = Score(data, list(scored), remember)
    for rows in data.blocks(np.arange(data.matches)):
        for figures in data.map(lambda block: figures_of(data.belief, block, scored), rows):
            result.add(figures)
            if progress is not None:
                progress(len(figures.matches))
    return result
