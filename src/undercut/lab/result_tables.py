"""The results of several agents as columns of text, for the command line and Python."""

from collections.abc import Callable, Sequence

from undercut.lab.statistics import Interval, Moments
from undercut.text.tables import Grid

Column = tuple[str, Callable[[int], str]]  # its heading, and the cell of an agent by its number


def agents_grid(names: Sequence[str], order: Sequence[int], columns: Sequence[Column]) -> Grid:
    headings = ("agent", *(heading for heading, _ in columns))
    rows = ((names[agent], *(cell(agent) for _, cell in columns)) for agent in order)
    return Grid(headings, tuple(rows))


def wins_column(wins: Sequence[float]) -> Column:
    """Each agent's number of wins; a tie is half a win."""
    return "wins", lambda i: f"{wins[i]:,.1f}".removesuffix(".0")


def win_columns(moments: Moments) -> list[Column]:
    """Each agent's share of the wins; with more than two seats its place comes first."""
    wins: list[Column] = [
        ("win rate" if moments.seats == 2 else "first", lambda i: percent(moments.win_rate(i))),
        ("95 % interval", lambda i: percents(moments.win_interval(i))),
    ]
    if moments.seats == 2:
        return wins
    return [
        ("place", lambda i: f"{moments.place(i):.2f}"),
        ("95 % interval", lambda i: plain(moments.place_interval(i))),
        *wins,
    ]


def adjusted_columns(moments: Moments) -> list[Column]:
    """Each agent's share of the wins without luck, and the gain in numbers of games."""

    def games(agent: int) -> str:
        times = moments.worth_of_adjusting(agent)
        return "" if times is None else f"{times:.2f} times as many"

    return [
        ("win rate", lambda i: percent(moments.adjusted_rate(i).value)),
        ("95 % interval", lambda i: percents(moments.adjusted_rate(i).interval)),
        ("luck", lambda i: percent(moments.luck(i).value, sign="+")),
        ("as good as games", games),
    ]


def points_columns(moments: Moments) -> list[Column]:
    """Each agent's points a deal; with places in the table, there is no room for the interval."""
    columns: list[Column] = [
        ("points/deal", lambda i: f"{moments.points_per_deal(i).value:.2f}"),
        ("95 % interval", lambda i: plain(moments.points_per_deal(i).interval)),
    ]
    return columns if moments.seats == 2 else columns[:1]


def percent(share: float, digits: int = 1, sign: str = "") -> str:
    """A share in percent.

    >>> percent(0.814), percent(0.025, 2, "+")
    ('81.4 %', '+2.50 %')
    """
    return f"{100 * share:{sign}.{digits}f} %"


def percents(interval: Interval | None, digits: int = 1) -> str:
    """An interval of shares; "" if there is none.

    >>> percents((0.809, 0.82)), percents(None)
    ('80.9 – 82.0 %', '')
    """
    if interval is None:
        return ""
    return f"{100 * interval[0]:.{digits}f} – {100 * interval[1]:.{digits}f} %"


def plain(interval: Interval | None) -> str:
    return "" if interval is None else f"{interval[0]:.2f} – {interval[1]:.2f}"
