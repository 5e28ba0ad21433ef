"""A plot of a tournament: every agent's rating and results with their intervals."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from undercut.lab.extras import need
from undercut.lab.statistics import Interval
from undercut.lab.tournament import Standings
from undercut.text.errors import OptionsError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK = "#22303c"
_DOT = "#1f5fa8"
_GRID = "#d9dee3"
_LONGEST = 34  # characters of a name


class _Panel(NamedTuple):
    """One measure: its label, and the value and interval of each agent."""

    label: str
    value: Callable[[int], float]
    interval: Callable[[int], Interval]
    text: str  # the format of a value
    tick: str
    is_long_tailed: bool = False  # drawn on a logarithmic axis


def new_figure(**options: object) -> "Figure":
    figure: Figure = need("matplotlib.figure", "plot").Figure(**options)
    return figure


def check_plot_path(path: Path) -> None:
    """Raise an error for a file that cannot be written, before hours of play."""
    kinds = new_figure().canvas.get_supported_filetypes()
    kind = path.suffix.removeprefix(".").lower()
    if kind not in kinds:
        raise OptionsError(
            f"cannot plot to {str(path)!r}: it must end in one of {', '.join(kinds)}"
        )
    if not path.parent.is_dir():
        raise OptionsError(f"cannot plot to {str(path)!r}: no folder {str(path.parent)!r}")


def plot_standings(standings: Standings, path: Path) -> None:
    """Draw the standings, best on top; the file's ending selects the format."""
    panels = _panels(standings)
    size = (2.4 + 3.2 * len(panels), 1.7 + 0.5 * len(standings.agents))
    layout = need("matplotlib.layout_engine", "plot").ConstrainedLayoutEngine(wspace=0.06)
    figure = new_figure(figsize=size, layout=layout)
    order = standings.order[::-1]
    all_axes = figure.subplots(1, len(panels), sharey=True)
    for axes, panel in zip(all_axes, panels, strict=True):
        _draw(axes, panel, order)
    names = [standings.agents[agent] for agent in order]
    names = [name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…" for name in names]
    all_axes[0].set_yticks(range(len(order)), names, color=_INK)
    all_axes[0].set_ylim(-0.6, len(order) - 0.3)
    title = (
        f"{standings.game.name}: {standings.games:,} games at each table, seed {standings.seed}, "
        "with 95 % intervals"
    )
    figure.suptitle(title, x=0.01, ha="left", color=_INK, fontsize=11)
    figure.savefig(path, dpi=160)


def _panels(standings: Standings) -> list[_Panel]:
    ratings, moments, times = standings.ratings, standings.moments, standings.times
    elo, intervals = ratings.elo.__getitem__, ratings.intervals.__getitem__
    wins = "share of wins" if moments.seats == 2 else "share of first places"
    panels = [
        _Panel("Elo points", elo, intervals, "{:+.0f}", "{x:g}"),
        _Panel(wins, moments.win_rate, moments.win_interval, "{:.1%}", "{x:.0%}"),
    ]
    if moments.seats > 2:
        place = _Panel("average place", moments.place, moments.place_interval, "{:.2f}", "{x:g}")
        panels.insert(1, place)
    if times is not None:
        time = _Panel(
            "µs a decision; 19 of 20 within the bar",
            lambda agent: times[agent].mean,
            lambda agent: (times[agent].mean, times[agent].percentile95),
            "{:,.1f}",
            "{x:,g}",
            is_long_tailed=True,
        )
        panels.append(time)
    return panels


def _draw(axes: "Axes", panel: _Panel, order: list[int]) -> None:
    rows = range(len(order))
    values = [panel.value(agent) for agent in order]
    intervals = [panel.interval(agent) for agent in order]
    # A mean may lie outside the middle 95 %: a bar cannot have a negative length.
    below = [max(0.0, value - low) for value, (low, _) in zip(values, intervals, strict=True)]
    above = [max(0.0, high - value) for value, (_, high) in zip(values, intervals, strict=True)]
    if panel.is_long_tailed:
        ticks = need("matplotlib.ticker", "plot")
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(ticks.LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_formatter(ticks.NullFormatter())
    axes.xaxis.set_major_formatter(panel.tick)
    axes.errorbar(values, rows, xerr=[below, above], fmt="o", color=_DOT, markersize=7, capsize=4)
    for row, value in zip(rows, values, strict=True):
        axes.annotate(
            panel.text.format(value).replace("-", "−"),
            (value, row),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            color=_INK,
            fontsize=9,
        )
    axes.margins(x=0.15)
    if panel.is_long_tailed:  # a narrow range would have no round number for a tick
        axes.set_xlim(min(low for low, _ in intervals) / 2, max(high for _, high in intervals) * 2)
    axes.set_xlabel(panel.label, color=_INK)
    axes.grid(axis="x", color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
