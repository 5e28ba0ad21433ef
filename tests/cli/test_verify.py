"""Seals that are checked, deals that are dealt again, records that are stepped through."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from undercut.cli import main
from undercut.games.families import parse_game
from undercut.games.table.position import parse_position
from undercut.play.commitment import commit, mix
from undercut.play.records.events import Dealt, Ended
from undercut.play.records.record import parse_record, read_record, replay_to
from undercut.play.secret_seeds import SecretChance

RECORDS = Path(__file__).parents[1] / "games" / "gin" / "records"
RECORD = RECORDS / "gin.jsonl"


def undercut(*arguments: object, typed: str = "") -> Any:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=typed)


def test_a_seal_is_checked_and_its_deal_dealt_again() -> None:
    read = read_record(RECORD)
    dealt = next(event for event in read.events if isinstance(event, Dealt))
    ended = next(event for event in read.events if isinstance(event, Ended))
    fits = undercut("verify", ended.seed, ended.salt, dealt.commitment)
    assert (fits.exit_code, fits.stdout) == (
        0,
        "the seal fits: these cards were fixed before the deal\n",
    )
    wrong = undercut("verify", ended.seed + 1, ended.salt, dealt.commitment)
    assert wrong.exit_code == 2
    assert f"not {dealt.commitment}" in wrong.stderr
    shown = undercut("deal", read.header.game, ended.seed, "--starter", dealt.starter).stdout
    assert shown.splitlines() == [
        *(f"seat {seat}: {hand}" for seat, hand in enumerate(dealt.hands)),
        f"upcard: {dealt.upcard}",
    ]
    told = json.loads(undercut("deal", "gin", ended.seed, "--json").stdout)
    assert told["hands"] == list(dealt.hands)
    refused = undercut("deal", "gin", 7, "--starter", 5)
    assert "--starter 5: gin has seats 0 to 1" in refused.stderr


def test_a_secret_is_taken_like_a_seed() -> None:
    secret = f"{10**70:064x}"
    seal = commit(secret, "5a17")
    assert undercut("verify", secret.upper(), "5a17", seal).exit_code == 0
    assert undercut("verify", secret[::-1], "5a17", seal).exit_code == 2
    shown = undercut("verify", secret, "5a17", seal, "--words", "a cat", "--deals", 2).stdout
    deals = [SecretChance(mix(secret, "a cat")).deal(number) for number in range(2)]
    assert shown.splitlines()[1:] == [f"deal {i}: seed {deal}" for i, deal in enumerate(deals, 1)]
    told = json.loads(undercut("deal", "pharaoh:players=3", deals[1], "--json").stdout)
    deal = parse_game("pharaoh:players=3").deal(deals[1])
    assert told["seed"] == deals[1]
    assert told["hands"] == [str(deal.view(seat).hand) for seat in range(3)]
    wrong = undercut("deal", "gin", secret[1:])
    assert "or 64 hexadecimal digits" in wrong.stderr


@pytest.mark.parametrize("name", ["gin.jsonl", "gin-seat-1.jsonl", "distilled.jsonl"])
def test_every_ply_of_a_record_is_a_position(name: str) -> None:
    read = read_record(RECORDS / name)
    for ply in range(0, len(read.actions), 7):
        text = undercut("replay", RECORDS / name, "--position", ply).stdout.strip()
        game, view = parse_position(text)
        deal = replay_to(read, ply).deal
        assert game.name == read.game.name
        assert view.tobytes() == deal.observe(deal.seat).tobytes()
        assert read.actions[ply] in deal.actions
    at_the_end = undercut("replay", RECORDS / name, "--position", len(read.actions))
    assert "the match is over there" in at_the_end.stderr
    behind = undercut("replay", RECORDS / name, "--position", len(read.actions) + 1)
    assert f"the record has actions 0 to {len(read.actions)}" in behind.stderr


def test_a_record_is_stepped_through() -> None:
    whole = undercut("replay", RECORD).stdout
    assert undercut("replay", RECORD, "--step", typed="\n" * 200).stdout == whole
    few = undercut("replay", RECORD, "--step", typed="\n\nq\n").stdout
    assert whole.startswith(few)
    assert len(parse_record(RECORD.read_text()).events) > 3
    assert undercut("replay", RECORD, "--step").stdout.count("\n") == 1


def test_games_are_listed_exported_and_deleted(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path / "games")]
    assert "There are no games yet" in undercut("games", *data).stdout
    typed = "1\nquit\ngive up\n"
    undercut("play", "gin", "--opponent", "regular", "--seed", "3", *data, typed=typed)
    undercut("play", "gin", "--opponent", "simple", "--seed", "3", *data, typed="1\n")
    listed = undercut("games", *data).stdout
    assert "you, regular" in listed
    assert "left" in listed
    told = json.loads(undercut("games", *data, "--json").stdout)["games"]
    assert [(each["number"], each["state"]) for each in told] == [(2, "playing"), (1, "left")]
    assert "seed" not in told[0], "it names the cards"
    record = tmp_path / "one.jsonl"
    assert undercut("games", *data, "export", 1, record).exit_code == 0
    assert "verified" in undercut("replay", record, "--verify").stdout
    assert "you left before the match was over" in undercut("replay", record).stdout
    assert "is there already" in undercut("games", *data, "export", 1, record).stderr
    refused = undercut("games", *data, "export", 2, tmp_path / "two.jsonl")
    assert "still in play" in refused.stderr
    assert "stopped" in undercut("games", *data, "delete", 1, typed="n\n").stderr
    assert undercut("games", *data, "delete", 1, "--yes").exit_code == 0
    assert "there is no game 1" in undercut("games", *data, "delete", 1, "--yes").stderr
