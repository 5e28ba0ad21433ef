"""Results of several agents as tables: what `undercut match` and `undercut tournament` share."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from undercut.cli import screen

if TYPE_CHECKING:
    from rich.table import Table

    from undercut.core.agent import AnyAgent
    from undercut.lab.moments import Estimate, Interval, Moments

Column = tuple[str, Callable[[int], str]]  # its heading, and the cell of an agent by its number


def agents_table(
    names: Sequence[str], order: Sequence[int], columns: Sequence[Column], numbered: bool = False
) -> "Table":
    """A row for each agent."""
    table = screen.plain_table()
    if numbered:
        table.add_column("", justify="right")
    table.add_column("agent", overflow="fold")
    for heading, _ in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    for place, agent in enumerate(order, start=1):
        start = [str(place)] if numbered else []
        table.add_row(*start, names[agent], *(cell(agent) for _, cell in columns))
    return table


def win_columns(moments: "Moments") -> list[Column]:
    """Each agent's share of the wins; with more than two seats its place comes first."""
    wins: list[Column] = [
        ("win rate" if moments.seats == 2 else "first", lambda i: f"{moments.win_rate(i):.1%}"),
        ("95 % interval", lambda i: _percent(moments.win_interval(i))),
    ]
    if moments.seats == 2:
        return wins
    return [
        ("place", lambda i: f"{moments.place(i):.2f}"),
        ("95 % interval", lambda i: _plain(moments.place_interval(i))),
        *wins,
    ]


def adjusted_columns(moments: "Moments") -> list[Column]:
    """Each agent's share of the wins without luck, and how many more games that is worth."""

    def games(agent: int) -> str:
        times = moments.worth_of_adjusting(agent)
        return "" if times is None else f"{times:.2f} times as many"

    return [
        ("win rate", lambda i: f"{moments.adjusted_rate(i).value:.1%}"),
        ("95 % interval", lambda i: _percent(moments.adjusted_rate(i).interval)),
        ("luck", lambda i: f"{moments.luck(i).value:+.1%}"),
        ("as good as games", games),
    ]


def points_columns(moments: "Moments") -> list[Column]:
    """Each agent's points for each deal; beside places there is no room for their interval."""
    columns: list[Column] = [
        ("points/deal", lambda i: f"{moments.points_per_deal(i).value:.2f}"),
        ("95 % interval", lambda i: _plain(moments.points_per_deal(i).interval)),
    ]
    return columns if moments.seats == 2 else columns[:1]


def statistics_table(statistics: "dict[str, Estimate]", shares: set[str]) -> "Table":
    """A row for each statistic of a game; shares are in per cent."""
    table = screen.plain_table()
    table.add_column("statistic")
    table.add_column("value", justify="right")
    table.add_column("95 % interval", justify="right")
    for name, (value, interval) in statistics.items():
        is_share = name in shares
        table.add_row(
            name.replace("_", " "),
            f"{value:.2%}" if is_share else f"{value:.2f}",
            _percent(interval, 2) if is_share else _plain(interval),
        )
    return table


def _percent(interval: "Interval | None", digits: int = 1) -> str:
    return "" if interval is None else f"{interval[0]:.{digits}%} – {interval[1]:.{digits}%}"


def _plain(interval: "Interval | None") -> str:
    return "" if interval is None else f"{interval[0]:.2f} – {interval[1]:.2f}"


def say_forfeits(names: Sequence[str], moments: "Moments", agents: "Sequence[AnyAgent]") -> None:
    """Say who lost games by failing, and why the last time."""
    for name, lost, agent in zip(names, moments.forfeits, agents, strict=False):
        if lost:
            last = (getattr(agent, "faults", None) or ["no reason is known"])[-1]
            games = "1 game" if lost == 1 else f"{lost:,} games"
            click.echo(f"{name} forfeited {games}; the last time: {last}", err=True)
