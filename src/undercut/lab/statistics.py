"""Sums over rounds, and the means, rates and 95 % intervals computed from them."""

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from undercut.games.contract import Rules
from undercut.kernels.records import Floats
from undercut.lab.rounds import Rounds
from undercut.lab.student_t import t_quantile

Interval = tuple[float, float]

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Estimate(NamedTuple):
    """A value with its 95 % interval; a single round has none."""

    value: float
    interval: Interval | None


def half_width(estimate: Estimate) -> float:
    """Half the width of the interval; infinite if there is none."""
    return inf if estimate.interval is None else (estimate.interval[1] - estimate.interval[0]) / 2


@dataclass(frozen=True)
class Moments:
    """Sums and sums of products over rounds: results of each agent, counts, and luck.

    Their size does not depend on the number of rounds, and two of them can be added.
    """

    agents: int
    seats: int  # at a table
    rounds: int
    sums: Floats
    products: Floats
    seconds: float
    is_adjusted: bool = False  # luck is among the columns
    forfeits: tuple[int, ...] = ()  # by each agent; empty if no agent can fail

    @classmethod
    def of(cls, rounds: Rounds, seats: int | None = None) -> "Moments":
        """The sums over some rounds; by default all agents sit at one table."""
        agents = rounds.shares.shape[1]
        columns = [rounds.shares, rounds.places, rounds.points, rounds.dealt]
        rows = np.column_stack([*columns, rounds.games, rounds.deals, rounds.tally, rounds.luck])
        rows = rows.astype(np.float64)
        return cls(
            agents=agents,
            seats=agents if seats is None else seats,
            rounds=len(rows),
            sums=rows.sum(axis=0),
            products=rows.T @ rows,
            seconds=rounds.seconds,
            is_adjusted=rounds.luck.shape[1] > 0,
            forfeits=tuple(rounds.forfeits.sum(axis=0).astype(int).tolist()),
        )

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            agents=self.agents,
            seats=self.seats,
            rounds=self.rounds + other.rounds,
            sums=self.sums + other.sums,
            products=self.products + other.products,
            seconds=self.seconds + other.seconds,
            is_adjusted=self.is_adjusted,
            forfeits=tuple(map(sum, zip(self.forfeits, other.forfeits, strict=True))),
        )

    @property
    def games(self) -> int:
        return int(self.sums[4 * self.agents])

    @property
    def deals(self) -> int:
        return int(self.sums[4 * self.agents + 1])

    def win_rate(self, agent: int) -> float:
        """An agent's share of all wins, which is its share of first places."""
        return float(self.sums[agent] / self.rounds)

    def win_interval(self, agent: int) -> Interval:
        """The 95 % interval of the agent's win rate.

        As many rounds as there are seats are added first, one of them won (Agresti and Coull's
        remedy). Without them, the interval of an agent that has won every game would have no width.
        """
        low, high = self._mean_interval(agent, 1.0, 1.0)
        return max(0.0, low), min(1.0, high)

    def mean_win_rate(self, agent: int) -> Estimate:
        """An agent's share of all wins, as a mean over rounds."""
        return self._of_rounds(self._won(agent))

    def adjusted_rate(self, agent: int) -> Estimate:
        """An agent's share of all wins less its luck; it may be below 0 or above 1."""
        return self._of_rounds(self._won(agent) - self._lucky(agent))

    def luck(self, agent: int) -> Estimate:
        """The part of an agent's share of all wins that was luck: 0 in the long run."""
        return self._of_rounds(self._lucky(agent))

    def worth_of_adjusting(self, agent: int) -> float | None:
        """The factor of games that plain results need for the same precision; None: no variance."""
        left = self._variance(self._won(agent) - self._lucky(agent))
        return self._variance(self._won(agent)) / left if left > _NOISE else None

    def _won(self, agent: int) -> Floats:
        only: Floats = np.eye(len(self.sums))[agent]
        return only

    def _lucky(self, agent: int) -> Floats:
        assert self.is_adjusted, "luck is computed"
        only: Floats = np.eye(len(self.sums))[len(self.sums) - self.agents + agent]
        return only

    def _of_rounds(self, weights: Floats) -> Estimate:
        """The mean over rounds of a weighted sum of columns."""
        mean = float(weights @ self.sums / self.rounds)
        if self.rounds < 2:
            return Estimate(mean, None)
        error = (self._variance(weights) / self.rounds) ** 0.5
        return self._estimate(mean, error)

    def _estimate(self, mean: float, error: float) -> Estimate:
        """Student's interval of a mean, from its standard error over rounds."""
        half = t_quantile(self.rounds - 1, CONFIDENCE) * error
        return Estimate(mean, (mean - half, mean + half))

    def _variance(self, weights: Floats) -> float:
        """The variance over rounds of a weighted sum of columns."""
        squares = float(weights @ self.products @ weights)
        deviations = squares - float(weights @ self.sums) ** 2 / self.rounds
        return max(deviations, 0.0) / max(1, self.rounds - 1)

    def place(self, agent: int) -> float:
        """An agent's mean place: 1 is first, and tied agents share their places."""
        return float(self.sums[self.agents + agent] / self.rounds)

    def place_interval(self, agent: int) -> Interval:
        """The interval of the mean place; the added rounds have the agent in each place once."""
        seats = self.seats
        squares = seats * (seats + 1) * (2 * seats + 1) / 6
        low, high = self._mean_interval(self.agents + agent, seats * (seats + 1) / 2, squares)
        return max(1.0, low), min(float(seats), high)

    def points_per_deal(self, agent: int) -> Estimate:
        """An agent's points for each deal it played in."""
        points, dealt = np.zeros((2, len(self.sums)))
        points[2 * self.agents + agent] = 1
        dealt[3 * self.agents + agent] = 1
        return self._mean(points, dealt)

    def lead_per_deal(self, agent: int) -> Estimate:
        """The points that an agent gains on the mean of the others with each deal."""
        lead, dealt = np.zeros((2, len(self.sums)))
        lead[2 * self.agents : 3 * self.agents] = -1 / (self.agents - 1)
        lead[2 * self.agents + agent] = 1
        dealt[3 * self.agents + agent] = 1
        return self._mean(lead, dealt)

    def statistics(self, rules: Rules) -> dict[str, Estimate]:
        """The game's rates with their intervals."""
        names = ("games", "deals", *rules.TALLY)
        rows = np.eye(len(self.sums))[4 * self.agents :][: len(names)]
        weights = dict(zip(names, rows, strict=True))
        found = {"deals_per_game": self._mean(weights["deals"], weights["games"])}
        for rate in rules.RATES:
            estimate = self._share if rate.is_share else self._count
            found[rate.name] = estimate(weights[rate.counted], weights[rate.per])
        return found

    def _mean_interval(self, column: int, extra: float, extra_squares: float) -> Interval:
        """The interval of a mean over rounds, after adding as many rounds as there are seats."""
        count = self.rounds + self.seats
        mean = (self.sums[column] + extra) / count
        squares = (self.products[column, column] + extra_squares) / count
        half = Z * (max(squares - mean**2, 0.0) / (count - 1)) ** 0.5
        return float(mean - half), float(mean + half)

    def _ratio(self, part: Floats, whole: Floats) -> tuple[float, float]:
        """A ratio of two sums and its standard error, by linearisation: both vary by round."""
        total = float(whole @ self.sums)
        if total == 0:
            return 0.0, 0.0
        ratio = float(part @ self.sums) / total
        rest = part - ratio * whole
        return ratio, ratio_error(float(rest @ self.products @ rest), self.rounds) / total

    def _mean(self, part: Floats, whole: Floats) -> Estimate:
        """A ratio with its interval."""
        ratio, error = self._ratio(part, whole)
        if self.rounds < 2 or whole @ self.sums == 0:
            return Estimate(ratio, None)
        return self._estimate(ratio, error)

    def _count(self, part: Floats, whole: Floats) -> Estimate:
        """A ratio that cannot be negative; if it is 0, its interval is that of a share."""
        ratio, interval = self._mean(part, whole)
        if ratio == 0:
            return self._share(part, whole)
        return Estimate(ratio, interval and (max(0.0, interval[0]), interval[1]))

    def _share(self, part: Floats, whole: Floats) -> Estimate:
        """A ratio between 0 and 1.

        The interval is Wilson's, with the number of independent trials that has the same error as
        the rounds (Korn and Graubard, 1998). It has a width even if the share is 0 or 1.
        """
        share, error = self._ratio(part, whole)
        trials = float(whole @ self.sums)
        if self.rounds < 2 or trials == 0:
            return Estimate(share, None)
        spread = share * (1 - share)
        if spread > 0 and error > _NOISE:
            trials = spread / error**2 * (Z / t_quantile(self.rounds - 1, CONFIDENCE)) ** 2
        return Estimate(share, wilson(share, trials))


_NOISE = 1e-9  # smaller errors are rounding errors


def ratio_error(squares: float, rounds: int) -> float:
    """The standard error of a ratio of sums over rounds, times the sum below the line.

    `squares` is the sum over rounds of (part - ratio * whole) ** 2.
    """
    return sqrt(max(squares / max(1, rounds - 1), 0.0) * rounds)


def wilson(share: float, trials: float) -> Interval:
    """Wilson's 95 % interval of a share in this many independent trials.

    >>> [round(end, 3) for end in wilson(0.0, 100)]
    [0.0, 0.037]
    """
    centre = share + Z**2 / (2 * trials)
    half = Z * (share * (1 - share) / trials + Z**2 / (4 * trials**2)) ** 0.5
    scale = 1 + Z**2 / trials
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)
