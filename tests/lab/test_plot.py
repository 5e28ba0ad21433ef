"""The picture of a tournament."""

from pathlib import Path

import pytest

from lab.tables import quick_agents
from undercut.lab.plot import check_plot_path, plot_standings
from undercut.lab.tournament import Tournament, parse_entrants
from undercut.text.errors import OptionsError


def test_names_and_ratings_are_in_the_picture(tmp_path: Path) -> None:
    game, _ = quick_agents()
    specs = ["simple", "random", "simple:knock_at=5"]
    standings = Tournament(game, parse_entrants(specs, game), 8, seed=1).play()
    path = tmp_path / "ratings.svg"
    plot_standings(standings, path)
    drawn = path.read_text()
    for text in (*specs, "gin:target=1: 8 games", "Elo points"):
        assert f"<!-- {text}" in drawn, text
    for kind in ("png", "pdf"):
        plot_standings(standings, tmp_path / f"ratings.{kind}")
        assert (tmp_path / f"ratings.{kind}").stat().st_size > 5000


def test_impossible_pictures_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    check_plot_path(tmp_path / "ratings.png")
    with pytest.raises(OptionsError, match=r"ratings\.doc': it must end in one of .*png"):
        check_plot_path(tmp_path / "ratings.doc")
    with pytest.raises(OptionsError, match="no folder"):
        check_plot_path(tmp_path / "nowhere" / "ratings.png")
