"""Sums over rounds, from which means and their 95 % intervals follow."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from undercut.lab.rounds import Rounds

Interval = tuple[float, float]

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Moments:
    """Sums and sums of products over rounds: shares and points of each agent, then deals.

    They take no more room for a million rounds than for one, and two of them can be added.
    """

    agents: int
    rounds: int
    sums: Any
    products: Any
    tally: Any  # the counts that the game keeps
    seconds: float

    @classmethod
    def of(cls, rounds: Rounds) -> "Moments":
        """The sums over some rounds."""
        rows = np.column_stack([rounds.shares, rounds.points, rounds.deals]).astype(np.float64)
        return cls(
            agents=rounds.shares.shape[1],
            rounds=len(rows),
            sums=rows.sum(axis=0),
            products=rows.T @ rows,
            tally=rounds.tally.sum(axis=0),
            seconds=rounds.seconds,
        )

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            agents=self.agents,
            rounds=self.rounds + other.rounds,
            sums=self.sums + other.sums,
            products=self.products + other.products,
            tally=self.tally + other.tally,
            seconds=self.seconds + other.seconds,
        )

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return int(self.sums[-1])

    def win_rate(self, agent: int) -> float:
        """An agent's share of all wins."""
        return float(self.sums[agent] / self.rounds)

    def win_interval(self, agent: int) -> Interval:
        """Where the agent's win rate lies, with 95 % confidence.

        One round won outright by each agent is added first (Agresti and Coull's remedy): without
        it, an agent that has won every game so far would be given an interval of no width.
        """
        count = self.rounds + self.agents
        mean = (self.sums[agent] + 1) / count
        variance = ((self.products[agent, agent] + 1) / count - mean**2) * count / (count - 1)
        half = Z * (max(variance, 0.0) / count) ** 0.5
        return max(0.0, float(mean - half)), min(1.0, float(mean + half))

    def points_per_deal(self, agent: int) -> tuple[float, Interval | None]:
        """An agent's points for each deal, and the interval; one round alone has none."""
        weights = np.zeros(len(self.sums))
        weights[self.agents + agent] = 1
        return self._per_deal(weights)

    def lead_per_deal(self, agent: int) -> tuple[float, Interval | None]:
        """How many points an agent gains on the mean of the others with each deal."""
        weights = np.zeros(len(self.sums))
        weights[self.agents : 2 * self.agents] = -1 / (self.agents - 1)
        weights[self.agents + agent] = 1
        return self._per_deal(weights)

    def _per_deal(self, weights: Any) -> tuple[float, Interval | None]:
        """The ratio of two sums; its error by linearisation, since deals vary from round to round."""
        ratio = float(weights @ self.sums / self.sums[-1])
        if self.rounds < 2:
            return ratio, None
        rest = weights.copy()
        rest[-1] -= ratio
        variance = float(rest @ self.products @ rest) / (self.rounds - 1)
        error = (max(variance, 0.0) / self.rounds) ** 0.5 * self.rounds / float(self.sums[-1])
        half = t_quantile(self.rounds - 1) * error
        return ratio, (ratio - half, ratio + half)


def t_quantile(freedom: int) -> float:
    """Student's factor for a 95 % interval (Abramowitz and Stegun 26.7.5).

    >>> round(t_quantile(10), 3), round(t_quantile(1_000_000), 3)
    (2.228, 1.96)
    """
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))
