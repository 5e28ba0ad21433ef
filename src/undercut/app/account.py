"""The data of statistics: shares, streaks, and accounts of games."""

from dataclasses import dataclass

from undercut.lab.statistics import Interval, wilson


@dataclass(frozen=True)
class Share:
    """A share of games or deals with its 95 % interval; without any games there is no interval."""

    count: float
    of: int
    rate: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Streak:
    """Games won in a row; a negative current streak counts lost games."""

    current: int
    longest: int  # of won games


@dataclass(frozen=True)
class Against:
    """The results against certain opponents; a shared win counts in part."""

    opponents: tuple[str, ...]
    won: Share


@dataclass(frozen=True)
class Ending:
    """The number of deals with one outcome, by the player who gained most."""

    outcome: str
    mine: Share
    theirs: Share
    nobody: Share


@dataclass(frozen=True)
class OfGame:
    game: str
    title: str
    won: Share
    streak: Streak
    against: tuple[Against, ...]
    deals_won: Share
    endings: tuple[Ending, ...]
    story: tuple[str, ...]


@dataclass(frozen=True)
class Account:
    won: Share
    streak: Streak
    games: tuple[OfGame, ...]
    story: tuple[str, ...]


@dataclass(frozen=True)
class Statistics:
    """The finished games of one person; training games have an account of their own.

    Of games that were left only the number counts. Games of several people do not count.
    """

    played: Account
    training: Account
    left: int


def share(count: float, of: int) -> Share:
    """A share and its interval.

    >>> share(3, 4).rate, share(0, 0).interval
    (0.75, None)
    """
    if not of:
        return Share(count, of, None, None)
    return Share(count, of, count / of, wilson(count / of, of))
