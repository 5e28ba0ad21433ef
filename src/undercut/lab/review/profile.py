"""A player's profile: error rate, luck and themes over many deals, and how they change with time."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from undercut.kernels.records import Seat
from undercut.lab.review.review import DealReview, Review
from undercut.lab.review.worth import POINTS
from undercut.lab.statistics import CONFIDENCE, Estimate
from undercut.lab.student_t import t_quantile

MOST_PARTS = 12  # stretches of time in a plot
FEWEST_DEALS = 4  # of a stretch


@dataclass(frozen=True)
class PlayedSide:
    """One player's side of a reviewed deal."""

    decisions: int
    lost: float  # points that the errors cost
    luck: float
    result: float  # points, less the mean of the others
    themes: tuple[tuple[str, float], ...]  # of each error, with the points that it cost


@dataclass(frozen=True)
class ThemeSum:
    """How often a theme occurred, and what its errors cost together."""

    name: str
    count: int
    points: float


@dataclass(frozen=True)
class Profile:
    """The means over some deals, with 95 % intervals."""

    deals: int
    decisions: int
    error_rate: Estimate  # points lost a decision
    luck: Estimate  # points a deal
    result: Estimate  # points a deal
    themes: tuple[ThemeSum, ...]  # the one that cost most first


def profile(sides: Sequence[PlayedSide]) -> Profile:
    """The profile of a player over some deals."""
    return Profile(
        deals=len(sides),
        decisions=sum(side.decisions for side in sides),
        error_rate=ratio([side.lost for side in sides], [side.decisions for side in sides]),
        luck=ratio([side.luck for side in sides], [1.0] * len(sides)),
        result=ratio([side.result for side in sides], [1.0] * len(sides)),
        themes=tuple(_themes(sides)),
    )


def over_time(sides: Sequence[PlayedSide]) -> list[Profile]:
    """The profiles of consecutive stretches of about as many deals each, the first one first."""
    count = max(1, min(MOST_PARTS, len(sides) // FEWEST_DEALS))
    cuts = [len(sides) * part // count for part in range(count + 1)]
    return [profile(sides[first:last]) for first, last in pairwise(cuts)]


def ratio(sums: Sequence[float], counts: Sequence[float]) -> Estimate:
    """The sum for each counted thing, with an interval over deals.

    >>> ratio([2.0, 4.0, 0.0, 2.0], [1, 1, 1, 1]).value
    2.0
    """
    total, deals = sum(counts), len(sums)
    if not total:
        return Estimate(0.0, None)
    mean = sum(sums) / total
    if deals < 2:
        return Estimate(mean, None)
    rests = (each - mean * count for each, count in zip(sums, counts, strict=True))
    error = sqrt(deals / (deals - 1) * sum(rest**2 for rest in rests)) / total
    half = t_quantile(deals - 1, CONFIDENCE) * error
    return Estimate(mean, (mean - half, mean + half))


def sides_of(review: Review, seat: Seat) -> list[PlayedSide]:
    """A seat's side of each finished deal of a review."""
    return [_side(deal, seat) for deal in review.deals if POINTS in deal.accounts]


def by_player(reviews: Sequence[Review]) -> dict[tuple[str, str], list[PlayedSide]]:
    """The sides of each player in each game, by the game and the player's name."""
    found = defaultdict[tuple[str, str], list[PlayedSide]](list)
    for review in reviews:
        for seat, player in enumerate(review.players):
            found[review.game.name, player] += sides_of(review, seat)
    return {key: sides for key, sides in found.items() if sides}


def _side(deal: DealReview, seat: Seat) -> PlayedSide:
    own = [each for each in deal.judgements if each.seat == seat]
    errors = [each for each in own if each.kind]
    share = deal.accounts[POINTS].share(seat)
    return PlayedSide(
        decisions=len(own),
        lost=sum(each.points for each in errors),
        luck=share.luck,
        result=share.result,
        themes=tuple((theme, each.points) for each in errors for theme in each.themes),
    )


def _themes(sides: Sequence[PlayedSide]) -> Iterator[ThemeSum]:
    count, points = Counter[str](), defaultdict[str, float](float)
    for side in sides:
        for name, cost in side.themes:
            count[name] += 1
            points[name] += cost
    for name in sorted(count, key=lambda name: -points[name]):
        yield ThemeSum(name, count[name], points[name])
