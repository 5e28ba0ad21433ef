"""Pictures of an evaluation: how true the chances are, and how recall grows with the turns."""

from pathlib import Path

from matplotlib.figure import Figure

from undercut.lab.plot import check_plot_path
from undercut.training.evaluate import KS, LAST_TURN, METHODS, Evaluation

_COLOURS = {"network": "#1f5fa8", "counting": "#c2571a"}
_GRID = "#d9dee3"


def plot_evaluation(result: Evaluation, path: Path) -> None:
    """Calibration on the left, recall by turn on the right; the file's name tells its kind."""
    check_plot_path(path)
    figure = Figure(figsize=(11, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], [0, 1], color="#9aa5af", linewidth=1, linestyle="--", label="true")
    for method in METHODS:
        points = result.calibration(method)
        chance, held = [point[0] for point in points], [point[1] for point in points]
        left.plot(chance, held, marker="o", markersize=4, color=_COLOURS[method], label=method)
    left.set_xlabel("chance given to a card")
    left.set_ylabel("share of such cards that were held")
    left.set_title(f"Calibration, {result.decisions:,} decisions")
    turns = range(1, LAST_TURN + 1)
    for k, style in zip((KS[0], KS[2]), ("-", ":"), strict=True):
        for method in METHODS:
            values = [
                float("nan") if value is None else value
                for value in result.by_turn(method, f"recall@{k}")
            ]
            label = f"{method}, K = {k}"
            right.plot(turns, values, style, color=_COLOURS[method], marker=".", label=label)
    right.set_xlabel(f"turn (the last: {LAST_TURN} and later)")
    right.set_ylabel("recall@K")
    right.set_title("The other hand's cards among the K likeliest")
    for axes in (left, right):
        axes.grid(color=_GRID)
        axes.set_axisbelow(True)
        axes.legend(frameon=False)
    figure.savefig(path, dpi=120)
