"""A picture of a tournament: every agent's rating with its interval."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from undercut.core.errors import OptionsError
from undercut.lab.tournament import Standings

_INK = "#22303c"
_DOT = "#1f5fa8"
_GRID = "#d9dee3"
_LONGEST_NAME = 34


def check_plot_path(path: Path) -> None:
    """Refuse a file that could not be written, before hours are spent on what it should show."""
    kinds = Figure().canvas.get_supported_filetypes()
    kind = path.suffix.removeprefix(".").lower()
    if kind not in kinds:
        raise OptionsError(
            f"cannot plot to {str(path)!r}: it must end in one of {', '.join(kinds)}"
        )
    if not path.parent.is_dir():
        raise OptionsError(f"cannot plot to {str(path)!r}: no folder {str(path.parent)!r}")


def plot_ratings(standings: Standings, path: Path) -> None:
    """Draw the ratings, best on top; the end of the file's name says what kind of picture."""
    figure = Figure(figsize=(8, 1.7 + 0.42 * len(standings.agents)), layout="constrained")
    axes = figure.add_subplot()
    order = standings.order[::-1]
    elo = [standings.ratings.elo[agent] for agent in order]
    intervals = [standings.ratings.intervals[agent] for agent in order]
    below = [rating - low for rating, (low, _) in zip(elo, intervals, strict=True)]
    above = [high - rating for rating, (_, high) in zip(elo, intervals, strict=True)]
    rows = range(len(order))
    axes.errorbar(elo, rows, xerr=[below, above], fmt="o", color=_DOT, markersize=7, capsize=4)
    for row, rating, (low, high) in zip(rows, elo, intervals, strict=True):
        axes.annotate(
            f"{rating:+.0f} ({low:+.0f} to {high:+.0f})".replace("-", "−"),
            (rating, row),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            color=_INK,
            fontsize=9,
        )
    axes.set_yticks(list(rows), [_short(standings.agents[agent]) for agent in order])
    axes.set_ylim(-0.6, len(order) - 0.3)
    axes.margins(x=0.08)
    _dress(axes, standings)
    figure.savefig(path, dpi=160)


def _dress(axes: Any, standings: Standings) -> None:
    axes.set_title(
        f"{standings.game.name}: {standings.games:,} games at each table, seed {standings.seed}",
        loc="left",
        color=_INK,
        fontsize=11,
    )
    axes.set_xlabel("Elo points, with 95 % intervals", color=_INK)
    axes.grid(axis="x", color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
