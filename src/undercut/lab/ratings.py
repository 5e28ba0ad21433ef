"""Ratings of many agents on one scale: Bradley and Terry's model, in Elo points.

An agent 100 points stronger is expected to win 64 % of its games, with 200 points 76 %. Only
differences have a meaning. Zero is the mean of all agents with a well-known rating: an agent
that has lost every game must not widen the intervals of all others.
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
_DOUBTFUL = 10  # a rating with this many times the variance of the median is not well known
_LONGEST_STEP = 1.0  # of Newton's method, in log odds: 174 Elo points
_MOST_STEPS = 100
_CLOSE = 1e-9
_MOST_UNITS = 4096  # of the bootstrap; more rounds are grouped


@dataclass(frozen=True)
class Ratings:
    elo: tuple[float, ...]
    intervals: tuple[Interval, ...]


def rate(
    beats: Array, games: int, agents: int, chance: np.random.Generator, resamples: int = RESAMPLES
) -> Ratings:
    """Ratings from rounds in which all pairs of agents met in `games` games.

    Row k of `beats` is round k: for each pair of agents, in the order of `combinations`, twice the
    games that the first won, with or without luck. For each pair, one more round won by each side
    is added. So an agent that has lost every game has a finite rating and a wide interval.

    The intervals are a Bayesian bootstrap (Rubin, 1981): each resample gives every round a random
    weight. A round has one weight in all pairs of agents, since all played the same cards.
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
    """The maximum-likelihood strengths for each pair's wins and losses."""
    wins = np.zeros((agents, agents))
    totals = np.maximum(totals, _LEAST)  # without luck, wins may be negative
    for pair, (i, j) in enumerate(combinations(range(agents), 2)):
        wins[i, j], wins[j, i] = totals[:, pair]
    return _most_likely(wins, np.zeros(agents) if start is None else start)


def _most_likely(wins: Floats, strengths: Floats) -> Floats:
    """Strengths that add up to 0 and make these wins most likely: Newton's method.

    The likelihood is concave. The length of a step is limited, since far from the maximum the
    curve is flat and Newton's step would overshoot.
    """
    games = wins + wins.T
    won = wins.sum(axis=1)
    for _ in range(_MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = won - (games * chances).sum(axis=1)
        bend = games * chances * (1 - chances)
        curve = np.diag(bend.sum(axis=1)) - bend
        # Only differences count: a constant added to every entry fixes the mean.
        step = np.linalg.solve(curve + bend.mean(), slope)
        largest = np.abs(step).max()
        strengths = strengths + step * min(1.0, _LONGEST_STEP / max(largest, _CLOSE))
        if largest < _CLOSE:
            break
    centred: Floats = strengths - strengths.mean()
    return centred


def _well_known(samples: Floats) -> Floats:
    """Equal weights that add up to 1 for agents with a well-known rating; 0 for the others.

    The measure is the quasi-variance (Firth and de Menezes, 2004): numbers q such that the variance
    of the difference of two ratings is about q[i] + q[j].
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
    """For each round, or group of consecutive rounds, the wins and then the losses of all pairs."""
    both = np.concatenate([beats, meetings - beats], axis=1)
    count = min(len(both), _MOST_UNITS)
    return np.add.reduceat(both, np.arange(count) * len(both) // count, axis=0)
