"""The example that trains with sb3-contrib runs, if only for a moment."""

import runpy
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_with_sb3.py"


def test_it_learns_and_is_measured() -> None:
    program = runpy.run_path(str(EXAMPLE))
    assert "undercut" in program, "it registers the environments, whatever was imported before"
    model = program["train"](600, count=8, steps=256)
    assert model.num_timesteps == 256
    points, share = program["measure"](model, "random", deals=10)
    assert -150 < points < 150
    assert 0 <= share <= 1
