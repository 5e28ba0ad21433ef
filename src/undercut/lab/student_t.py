"""Student's t distribution, for intervals around a mean, without SciPy.

The formulas are those of Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.7.
"""

from functools import cache
from math import atan, cos, exp, lgamma, pi, sin, sqrt
from statistics import NormalDist

_MANY = 500  # degrees of freedom from which the expansion is exact to the last digits
_CLOSE = 1e-15


@cache
def t_quantile(freedom: int, confidence: float) -> float:
    """The half width, in standard errors, of an interval with this confidence.

    >>> [round(t_quantile(freedom, 0.95), 3) for freedom in (1, 10, 1_000_000)]
    [12.706, 2.228, 1.96]
    """
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    if freedom >= _MANY:
        return _expanded(normal, freedom)
    # The share is concave, so Newton's method from a point below never overshoots.
    quantile = normal
    while True:
        step = (confidence - _share(quantile, freedom)) / (2 * _density(quantile, freedom))
        quantile += step
        if step <= _CLOSE * quantile:
            return quantile


def _share(quantile: float, freedom: int) -> float:
    """The probability between -quantile and quantile (26.7.3 and 26.7.4)."""
    angle = atan(quantile / sqrt(freedom))
    total, term = 0.0, cos(angle) if freedom % 2 else 1.0
    for k in range(freedom % 2, freedom - 1, 2):
        total += term
        term *= cos(angle) ** 2 * (k + 1) / (k + 2)
    if freedom % 2:
        return (angle + sin(angle) * total) * 2 / pi
    return sin(angle) * total


def _density(quantile: float, freedom: int) -> float:
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    return float(scale * (1 + quantile**2 / freedom) ** (-(freedom + 1) / 2))


def _expanded(x: float, freedom: int) -> float:
    """The quantile from that of the normal distribution (26.7.5)."""
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))
