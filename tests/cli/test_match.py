"""A match that is stopped: what is known so far, and going on to the same result."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lab.tables import GAME
from undercut.cli import main
from undercut.lab import compare
from undercut.lab.rounds import play_rounds


def match(*arguments: str | Path) -> dict[str, Any]:
    done = CliRunner().invoke(main, ["match", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    del told["deals_per_second"]
    return told


@pytest.fixture
def ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes while the third piece of a match is played."""
    pieces: list[range] = []

    def play(game: Any, agents: Any, piece: range, *rest: Any) -> Any:
        pieces.append(piece)
        if len(pieces) == 3:
            raise KeyboardInterrupt
        return play_rounds(game, agents, piece, *rest)

    monkeypatch.setattr(compare, "play_rounds", play)
    monkeypatch.setattr(compare, "_PIECE_SECONDS", 0.0)  # all pieces are small


AGENTS = (GAME, "simple", "random", "-n", "600", "--seed", "3")


def test_ctrl_c_shows_what_is_known_so_far(ctrl_c: None) -> None:
    done = CliRunner().invoke(main, ["match", *AGENTS])
    assert done.exit_code == 130
    assert done.stderr.splitlines()[-1] == "undercut: stopped"
    assert done.stdout.startswith("stopped before all 600 games were played; so far:\n")
    assert f"{GAME}: 256 games" in done.stdout


@pytest.mark.parametrize("more", [[], ["--adjust"], ["--sprt", "0.5,0.9"]])
def test_a_match_that_goes_on_ends_like_one_that_was_never_stopped(
    more: list[str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    whole, kept = match(*AGENTS, *more), tmp_path / "results.db"
    request.getfixturevalue("ctrl_c")
    stopped = CliRunner().invoke(main, ["match", *AGENTS, *more, "--resume", str(kept)])
    assert stopped.exit_code == (0 if "--sprt" in more else 130)  # that is decided before
    went_on = CliRunner().invoke(main, ["match", *AGENTS, *more, "--resume", str(kept), "--json"])
    told = json.loads(went_on.stdout)
    assert told.pop("deals_per_second") > 0
    assert told == whole
    if "--sprt" not in more:
        assert "going on: 256 of 600 games are done" in went_on.stderr
    again = match(*AGENTS, *more, "--resume", kept)
    assert again == whole
    other = CliRunner().invoke(main, ["match", *AGENTS[:-1], "4", *more, "--resume", str(kept)])
    assert "holds another match or tournament: its seed is 3, not 4" in other.stderr
    fewer = CliRunner().invoke(main, ["match", *AGENTS, *more, "-n", "2", "--resume", str(kept)])
    assert " games: give -n " in fewer.stderr
