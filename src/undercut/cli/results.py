"""The results of several agents as tables, for `undercut match` and `undercut tournament`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from undercut.cli import screen

if TYPE_CHECKING:
    from rich.table import Table

    from undercut.lab.result_tables import Column
    from undercut.lab.statistics import Estimate, Moments
    from undercut.lab.workers import Crew
    from undercut.play.agent import AnyAgent


def agents_table(
    names: Sequence[str], order: Sequence[int], columns: "Sequence[Column]", numbered: bool = False
) -> "Table":
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


def statistics_table(statistics: "dict[str, Estimate]", shares: set[str]) -> "Table":
    """A row for each statistic of a game, shares in per cent."""
    from undercut.lab.result_tables import percent, percents, plain

    table = screen.plain_table()
    table.add_column("statistic")
    table.add_column("value", justify="right")
    table.add_column("95 % interval", justify="right")
    for name, (value, interval) in statistics.items():
        is_share = name in shares
        table.add_row(
            name.replace("_", " "),
            percent(value, 2) if is_share else f"{value:.2f}",
            percents(interval, 2) if is_share else plain(interval),
        )
    return table


def say_forfeits(
    names: Sequence[str],
    moments: "Moments",
    agents: "Sequence[AnyAgent]",
    crew: "Crew | None" = None,
) -> None:
    """Print the forfeits of each agent, with the last reason if it happened in this run."""
    from undercut.lab.workers import faults_of

    faults = faults_of(agents) if crew is None else crew.faults
    for name, lost, agent in zip(names, moments.forfeits, agents, strict=False):
        if lost:
            games = "1 game" if lost == 1 else f"{lost:,} games"
            why = f"; the last time: {faults[agent.name]}" if agent.name in faults else ""
            screen.echo(f"{name} forfeited {games}{why}", err=True)
