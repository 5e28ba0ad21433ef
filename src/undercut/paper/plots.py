"""Plots of the scores of beliefs: calibration, recall by turn and recall by opponent."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from undercut.lab.plot import check_plot_path, new_figure
from undercut.learn.candidates import COUNTING
from undercut.learn.score import KS, LAST_TURN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Found = dict[str, Any]  # the JSON of `undercut score`

_COLOURS = ("#1f5fa8", "#2f8f4e", "#8a4fa3", "#b08a00", "#5c6770")  # of networks, in turn
_COUNTING = "#c2571a"
_GRID = "#d9dee3"
_BARS = 0.76  # the height of the bars of an opponent


def plot_scores(found: Found, path: Path, names: Mapping[str, str] = {}) -> None:
    """Plot `Score.to_json` to a file in the format of its suffix; `names` label agents."""
    check_plot_path(path)
    figure = new_figure(figsize=(15, 4.8), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    _draw_calibration(left, found)
    _draw_turns(middle, found)
    _draw_opponents(right, found, names)
    for axes in (left, middle, right):
        axes.grid(color=_GRID)
        axes.set_axisbelow(True)
        axes.legend(frameon=False)
    figure.savefig(path, dpi=120)


def _coloured(found: Found) -> list[tuple[str, str, Found]]:
    """Each belief's name, its colour and its figures."""
    names = [name for name in found["beliefs"] if name != COUNTING]
    colours = {name: _COLOURS[place % len(_COLOURS)] for place, name in enumerate(names)}
    figures = found["beliefs"].items()
    return [(name, colours.get(name, _COUNTING), belief) for name, belief in figures]


def _draw_calibration(axes: "Axes", found: Found) -> None:
    axes.plot([0, 1], [0, 1], color="#9aa5af", linewidth=1, linestyle="--", label="true")
    for name, colour, belief in _coloured(found):
        chance, held, _ = zip(*belief["calibration"], strict=True)
        axes.plot(chance, held, marker="o", markersize=4, color=colour, label=name)
    axes.set_xlabel("chance given to a card")
    axes.set_ylabel("share of such cards that were held")
    axes.set_title(f"Calibration, {found['decisions']:,} decisions")


def _draw_turns(axes: "Axes", found: Found) -> None:
    for k, style in zip((KS[0], KS[2]), ("-", ":"), strict=True):
        for name, colour, belief in _coloured(found):
            values = [
                float("nan") if value is None else value
                for value in belief["by_turn"][f"recall@{k}"]
            ]
            label = f"{name}, K = {k}"
            axes.plot(range(1, LAST_TURN + 1), values, style, color=colour, marker=".", label=label)
    axes.set_xlabel(f"turn (the last: {LAST_TURN} and later)")
    axes.set_ylabel("recall@K")
    axes.set_title("The other hand's cards among the K likeliest")


def _draw_opponents(axes: "Axes", found: Found, names: Mapping[str, str]) -> None:
    order = list(names)
    agents = [agent for agent, count in found["decisions_by_opponent"].items() if count]
    agents.sort(key=lambda agent: order.index(agent) if agent in order else -1)
    height = _BARS / len(found["beliefs"])
    for number, (name, colour, belief) in enumerate(_coloured(found)):
        values = [belief["by_opponent"][f"recall@{KS[0]}"][agent] for agent in agents]
        shift = (number + 0.5) * height - _BARS / 2
        places = [place + shift for place in range(len(agents))]
        axes.barh(places, values, height, color=colour, label=name)
    labels = [names.get(agent, agent if len(agent) <= 24 else agent[:23] + "…") for agent in agents]
    axes.set_yticks(range(len(agents)), labels)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)  # room for the legend to the right of the bars
    axes.set_xlabel(f"recall@{KS[0]}")
    axes.set_title("By opponent")
