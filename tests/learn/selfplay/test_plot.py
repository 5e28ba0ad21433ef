"""The picture of a run."""

from pathlib import Path
from typing import Any

import pytest

from golden import check_golden, described
from undercut.lab.plot import new_figure
from undercut.learn.selfplay import plot
from undercut.learn.selfplay.plot import plot_curve
from undercut.learn.selfplay.run import Point

SHOWN = Path(__file__).parent / "shown"


@pytest.mark.parametrize(("unit", "name"), [(1e6, "millions"), (5e8, "billions")])
def test_every_agent_is_drawn_from_where_it_was_met(
    unit: float, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: list[Any] = []

    def kept(**options: Any) -> Any:
        figures.append(new_figure(**options))
        return figures[-1]

    monkeypatch.setattr(plot, "new_figure", kept)
    curve: list[Point] = [
        {"decisions": unit, "seconds": 1.0, "simple": [0.2, 0.05]},
        {"decisions": 2 * unit, "seconds": 2.0, "simple": [0.3, 0.05], "patient": [0.1, 0.02]},
    ]
    plot_curve(curve, tmp_path / "curve.png", "a run")
    check_golden(SHOWN / f"{name}.txt", described(figures[0]))
    assert (tmp_path / "curve.png").stat().st_size > 1000
