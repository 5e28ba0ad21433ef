"""Ratings of many agents on one scale: Bradley and Terry's model, in Elo points.

An agent 100 points stronger is expected to win 64 % of its games, one 200 points stronger 76 %.
Only differences mean something. Zero is the mean of all agents except those whose rating is
anyone's guess: an agent that has lost every game must not blur the intervals of all others.
"""

from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np

from undercut.kernels.records import Array, Floats
from undercut.lab.statistics import CONFIDENCE, Interval

ELO = 400 / log(10)  # Elo points in one unit of log odds

RESAMPLES = 1000
_LEAST = 1e-3  # of the games won by one agent against another
_DOUBTFUL = 10  # a rating that varies this many times as much as the median agent's is a guess
_LONGEST_STEP = 1.0  # of Newton's method, in log odds: 174 Elo points
_MOST_STEPS = 100
_CLOSE = 1e-9
_MOST_UNITS = 4096  # more rounds than this are put together before they are weighted


@dataclass(frozen=True)
class Ratings:
    """Each agent's rating, with its 95 % interval."""

    elo: tuple[float, ...]
    intervals: tuple[Interval, ...]


def rate(
    beats: Array, games: int, agents: int, chance: np.random.Generator, resamples: int = RESAMPLES
) -> Ratings:
    """Ratings from rounds in which all pairs of agents met in `games` games.

    Row k of `beats` is round k: for each pair of agents, in the order of `combinations`, twice
    the games that the first won, or what is left of them without luck. One round won outright by either side is added to each pair, so
    that the rating of an agent that has lost every game stays finite, and its interval open.

    The intervals are a Bayesian bootstrap (Rubin, 1981): again and again every round is given a
    random weight. A round keeps one weight in all pairs of agents, since all played the same cards.
    """
    units = _units(beats, 2.0 * games)
    pairs = beats.shape[1]
    extra = np.full((2, pairs), 2.0 * games)
    best = _log_odds(units.sum(axis=0).reshape(2, pairs) + extra, agents, None)
    samples = np.empty((resamples, agents))
    for i in range(resamples):
        totals = (chance.exponential(size=len(units)) @ units).reshape(2, pairs)
        totals += chance.exponential(size=(2, pairs)) * extra
        samples[i] = _log_odds(totals, agents, best)
    weights = _well_known(samples)
    best, samples = best - best @ weights, samples - (samples @ weights)[:, None]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0) * ELO
    return Ratings(
        tuple((best * ELO).tolist()), tuple(zip(low.tolist(), high.tolist(), strict=True))
    )


def _log_odds(totals: Floats, agents: int, start: Floats | None) -> Floats:
    """The strengths that explain each pair's wins and losses best."""
    wins = np.zeros((agents, agents))
    totals = np.maximum(totals, _LEAST)  # what is left without luck may be less than nothing
    for pair, (i, j) in enumerate(combinations(range(agents), 2)):
        wins[i, j], wins[j, i] = totals[:, pair]
    return _most_likely(wins, np.zeros(agents) if start is None else start)


def _most_likely(wins: Floats, strengths: Floats) -> Floats:
    """Strengths that add up to 0 and make these wins most likely: Newton's method.

    The likelihood is concave. A step is cut short where it would go too far, since far from the
    best place the curve is flat, and what Newton's method makes of it is anyone's guess.
    """
    games = wins + wins.T
    won = wins.sum(axis=1)
    for _ in range(_MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = won - (games * chances).sum(axis=1)
        bend = games * chances * (1 - chances)
        curve = np.diag(bend.sum(axis=1)) - bend
        # Only differences count: the mean is held by adding a constant to every entry.
        step = np.linalg.solve(curve + bend.mean(), slope)
        largest = np.abs(step).max()
        strengths = strengths + step * min(1.0, _LONGEST_STEP / max(largest, _CLOSE))
        if largest < _CLOSE:
            break
    centred: Floats = strengths - strengths.mean()
    return centred


def _well_known(samples: Floats) -> Floats:
    """Equal weights that add up to 1 for agents whose rating is well known; 0 for the others.

    How well is measured by quasi-variances (Firth and de Menezes, 2004): numbers q such that the
    difference of two ratings varies by about q[i] + q[j].
    """
    agents = samples.shape[1]
    if agents == 2:
        return np.full(2, 0.5)
    spread = (samples[:, :, None] - samples[:, None, :]).var(axis=0)
    of_each, of_all = spread.sum(axis=1), spread.sum() / 2
    quasi = (of_each - of_all / (agents - 1)) / (agents - 2)
    known = quasi <= _DOUBTFUL * np.median(quasi)
    shares: Floats = known / known.sum()
    return shares


def _units(beats: Array, meetings: float) -> Floats:
    """For each round the wins and then the losses of all pairs.

    Where there are very many rounds, neighbours are put together.
    """
    both = np.concatenate([beats, meetings - beats], axis=1)
    count = min(len(both), _MOST_UNITS)
    return np.add.reduceat(both, np.arange(count) * len(both) // count, axis=0)
