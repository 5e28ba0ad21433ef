"""The curve of a self-play run as a picture."""

from pathlib import Path

from undercut.learn.extras import need
from undercut.learn.selfplay.run import Point


def plot_curve(curve: list[Point], path: Path, title: str) -> None:
    """Games won against each agent it was measured with, by the decisions it had learned from."""
    figures = need("matplotlib.figure", "train")
    figure = figures.Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    decisions = [float(str(point["decisions"])) / 1e6 for point in curve]
    rivals = [name for name, value in curve[-1].items() if isinstance(value, list)]
    for rival in rivals:
        pairs = [value if isinstance(value := point[rival], list) else [] for point in curve]
        wins, errors = ([100 * pair[place] for pair in pairs] for place in (0, 1))
        axes.errorbar(decisions, wins, yerr=errors, marker=".", capsize=2, label=f"against {rival}")
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlabel="decisions learned from (millions)", ylabel="games won (%)", title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)
