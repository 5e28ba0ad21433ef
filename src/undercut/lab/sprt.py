"""A sequential test: which of two values fits an agent's win rate better?

Wald's sequential probability ratio test over pairs of games (rounds). After each pair, the test
compares the likelihoods of the two win rates, and stops as soon as one of them is clearly ahead.
That takes far fewer games than a fixed number, above all if the difference is large.
"""

from dataclasses import dataclass, field
from math import log

import numpy as np
import numpy.typing as npt

from undercut.kernels.records import Buffer, Floats
from undercut.text.errors import OptionsError

LOW, HIGH, UNDECIDED = "low", "high", "undecided"

# The variance of pair results is measured. Until there are enough pairs, this many assumed pairs
# are added with the largest possible variance: one agent wins both games.
_ASSUMED_PAIRS = 10
_ASSUMED_VARIANCE = 1 / 4


@dataclass
class Sprt:
    """The test of win rate `low` (the null hypothesis) against win rate `high`."""

    low: float
    high: float
    alpha: float = 0.05  # the chance to accept `high` when `low` is true, at most about this
    beta: float = 0.05  # the chance to accept `low` when `high` is true
    pairs: int = field(default=0, init=False)
    ratio: float = field(default=0.0, init=False)  # log of the likelihood ratio
    _sum: float = field(default=0.0, init=False)
    _squares: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise OptionsError(
                f"--sprt {self.low:g},{self.high:g}: two win rates with 0 < low < high < 1"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise OptionsError(f"--{name} {chance:g}: must be more than 0 and less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which the test stops."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def verdict(self) -> str:
        """The accepted win rate, LOW or HIGH; UNDECIDED while the test continues."""
        lower, upper = self.bounds
        if self.ratio <= lower:
            return LOW
        return HIGH if self.ratio >= upper else UNDECIDED

    def to_json(self) -> dict[str, object]:
        return {
            **{name: getattr(self, name) for name in ("low", "high", "alpha", "beta", "pairs")},
            "log_likelihood_ratio": self.ratio,
            "bounds": list(self.bounds),
            "verdict": self.verdict,
        }

    def update(self, shares: npt.ArrayLike) -> int:
        """Add the results of pairs, 0 to 1 each; returns the number of pairs up to the decision."""
        given = np.asarray(shares, dtype=np.float64)
        counts = self.pairs + np.arange(1, len(given) + 1)
        sums = self._sum + np.cumsum(given)
        squares = self._squares + np.cumsum(given**2)
        ratios = self._ratios(counts, sums, squares)
        lower, upper = self.bounds
        stops = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        used = int(stops[0]) + 1 if len(stops) else len(given)
        if used:
            last = used - 1
            self.pairs, self.ratio = int(counts[last]), float(ratios[last])
            self._sum, self._squares = float(sums[last]), float(squares[last])
        return used

    def _ratios(self, counts: Buffer, sums: Floats, squares: Floats) -> Floats:
        """Log likelihood ratios of two normal means with the variance measured up to each pair."""
        deviations = np.maximum(squares - sums**2 / counts, 0.0)
        variances = deviations + _ASSUMED_PAIRS * _ASSUMED_VARIANCE
        variances /= counts + _ASSUMED_PAIRS
        middle = (self.low + self.high) / 2
        return (self.high - self.low) * (sums - counts * middle) / variances


def win_rate_of_elo(elo: float) -> float:
    """The expected win rate of a player with this Elo advantage.

    >>> win_rate_of_elo(0), round(win_rate_of_elo(200), 2)
    (0.5, 0.76)
    """
    return float(1 / (1 + 10 ** (-elo / 400)))
