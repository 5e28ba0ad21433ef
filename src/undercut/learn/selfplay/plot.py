"""A plot of the learning curve of a self-play run."""

from pathlib import Path

from undercut.lab.plot import new_figure
from undercut.learn.selfplay.run import Point


def plot_curve(curve: list[Point], path: Path, title: str) -> None:
    """Plot the games won against each measured agent, by the decisions of the training."""
    figure = new_figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    unit, name = (1e9, "billions") if _decisions(curve[-1]) >= 1e9 else (1e6, "millions")
    # A continued run may be measured against other agents than before.
    named = [name for point in curve for name, value in point.items() if isinstance(value, list)]
    for rival in dict.fromkeys(named):
        met = [(point, score) for point in curve if isinstance(score := point.get(rival), list)]
        decisions = [_decisions(point) / unit for point, _ in met]
        wins, errors = ([100 * score[place] for _, score in met] for place in (0, 1))
        axes.errorbar(decisions, wins, yerr=errors, marker=".", capsize=2, label=f"against {rival}")
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlabel=f"decisions learned from ({name})", ylabel="games won (%)", title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


def _decisions(point: Point) -> float:
    return float(str(point["decisions"]))
