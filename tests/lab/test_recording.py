"""Games of a match written down with --record."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from undercut.cli import main
from undercut.games.families import parse_game
from undercut.lab.recording import RecordFolder
from undercut.play.batch import play_batch
from undercut.play.records.record import read_record, verify_record, write_record
from undercut.play.records.trace import record_events, record_of
from undercut.players.catalog import parse_agent


def test_every_game_of_a_match_is_recorded_and_verifies(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    arguments = ["match", "distilled+knock", "simple", "thrifty", "-n", "4", "--seed", "3"]
    done = CliRunner().invoke(main, [*arguments, "--record", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"{number:06}.jsonl" for number in range(4)]
    wins = [0.0, 0.0]
    for number, file in enumerate(files):
        match = verify_record(file)
        shares = match.shares if number % 2 == 0 else match.shares[::-1]
        wins = [won + share for won, share in zip(wins, shares, strict=True)]
    assert wins == json.loads(done.stdout)["wins"]


def test_the_parts_of_a_match_are_numbered_on(tmp_path: Path) -> None:
    game = parse_game("distilled+knock")
    players = [parse_agent(name, game) for name in ("simple", "thrifty")]
    folder = RecordFolder(tmp_path)
    for first in (0, 2):
        batch = play_batch(game, players, 2, 3, max_deals=1, first=first, trace=None)
        folder.keep(batch)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"{number:06}.jsonl" for number in range(4)]
    assert files[3].read_text() == record_of(batch, 1)
    assert read_record(files[3]).header.players == ["thrifty", "simple"]


def test_many_games_do_not_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parse_game("distilled+knock")
    players = [parse_agent(name, game) for name in ("simple", "thrifty")]
    batch = play_batch(game, players, 2, 3, max_deals=1, trace=None)
    waits: list[int] = []
    monkeypatch.setattr(os, "fsync", waits.append)
    RecordFolder(tmp_path).keep(batch)
    assert len([*tmp_path.iterdir()]) == 2
    assert waits == []
    write_record(tmp_path / "one game", record_events(batch, 0))
    assert len(waits) == 1


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    arguments = ["match", "distilled", "simple", "simple", "-n", "2"]
    done = CliRunner().invoke(main, [*arguments, "--record", str(tmp_path / "file" / "games")])
    assert done.exit_code == 2
    assert "cannot write" in done.stderr
