"""The picture of a run."""

from pathlib import Path

from undercut.learn.selfplay.plot import plot_curve
from undercut.learn.selfplay.run import Point


def test_agents_that_were_met_later_are_drawn_from_there_on(tmp_path: Path) -> None:
    curve: list[Point] = [
        {"decisions": 1e6, "seconds": 1.0, "simple": [0.2, 0.05]},
        {"decisions": 2e6, "seconds": 2.0, "simple": [0.3, 0.05], "patient": [0.1, 0.02]},
    ]
    plot_curve(curve, tmp_path / "curve.png", "a run")
    alone = tmp_path / "alone.png"
    plot_curve([{**curve[0]}], alone, "a run")
    assert (tmp_path / "curve.png").read_bytes() != alone.read_bytes()
