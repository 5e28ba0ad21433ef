"""A match in which somebody asks the coach: noted in its log and its record, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from undercut.app.session import Session
from undercut.app.statistics import statistics
from undercut.app.store import Kept, Store
from undercut.games.families import parse_game
from undercut.play.agent import Random
from undercut.play.records.record import format_record, parse_record, verify
from undercut.play.seeds import AnySeed
from undercut.text.errors import IllegalAction, RecordError

SEEDS: list[AnySeed] = [5, "ab" * 32]


def play(folder: Path, seed: AnySeed, asks_at: int = -1, training: bool = False) -> Kept:
    """A match of chance, in which the person asks the coach before a choice."""
    store, game = Store(folder), parse_game("prsi")
    kept = Kept(store, store.begin(game, ["you", "random"], seed, training))
    session, chance = Session.at(kept.host, 0), Random.from_seed(1)
    for number in range(2000):
        if number == asks_at:
            session.note_coached()
            session.note_coached()
        if session.is_over:
            break
        if session.is_deal_over:
            session.next_deal()
        else:
            session.play(chance.choice(session.choices()))
    assert session.is_over
    kept.note()
    return kept


def text_of(kept: Kept) -> str:
    return format_record(kept.host.record())


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_header_tells_it(seed: AnySeed, tmp_path: Path) -> None:
    plain = play(tmp_path / "plain", seed)
    coached = play(tmp_path / "coached", seed, asks_at=3)
    first, *rest, digest = text_of(plain).splitlines()
    header, *others, other_digest = text_of(coached).splitlines()
    assert rest == others
    assert digest != other_digest
    assert "coached" not in first
    noted = json.loads(header)
    assert noted.pop("coached") == [0]
    assert noted.pop("schema") == "undercut-record/4"
    was = json.loads(first)
    assert was.pop("schema") != "undercut-record/4"
    assert noted == was
    assert verify(parse_record(text_of(coached))).is_over
    assert verify(parse_record(text_of(plain))).is_over


def test_it_is_noted_once_and_kept(tmp_path: Path) -> None:
    kept = play(tmp_path, 5, asks_at=3)
    store = Store(tmp_path)
    assert [entry.kind for entry in store.entries(1)].count("coach") == 1
    again = Kept(store, store.find(1))
    assert again.host.coached == {0}
    assert text_of(again) == text_of(kept)
    assert store.coached() == {1}
    Session.beside(again.host, 0).note_coached()
    assert [entry.kind for entry in store.entries(1)].count("coach") == 1


def test_a_move_taken_back_leaves_the_note(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("gin")
    kept = Kept(store, store.begin(game, ["you", "random"], 5, training=True))
    session = Session.at(kept.host, 0)
    session.play(session.choices()[0])
    session.note_coached()
    session.undo()
    assert session.is_coached
    assert Kept(store, store.find(1)).host.coached == {0}


def test_such_a_game_counts_as_training(tmp_path: Path) -> None:
    play(tmp_path, 5)
    play(tmp_path, 5, asks_at=3)
    play(tmp_path, 5, training=True)
    found = statistics(Store(tmp_path))
    assert (found.played.won.of, found.training.won.of) == (1, 2)


def test_several_people_must_agree_and_after_the_match_nobody_is_asked(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("gin")
    kept = Kept(store, store.begin(game, ["you", "you"], 5))
    one, two = (Session.beside(kept.host, seat) for seat in (0, 1))
    for agreeing in (one, two):
        with pytest.raises(IllegalAction, match="only if everybody at the table agrees"):
            one.note_coached()
        agreeing.agree()
        agreeing.agree()
    assert one.agreed == (0, 1)
    assert not one.is_coached
    two.note_coached()
    again = Kept(store, store.find(1)).host
    assert (again.agreed, again.coached) == ({0, 1}, {1})
    assert len(store.entries(1)) == 3
    one.leave()
    for session in (one, two):
        session.note_coached()
    (header, *_) = kept.host.record()
    assert header.coached == [1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coached": [0, 2]}, "not seats in order"),
        ({"coached": [1, 0]}, "not seats in order"),
        ({"coached": [0, 0]}, "not seats in order"),
        ({"coached": []}, "'coached' stands in records of"),
        ({"schema": "undercut-record/1"}, "'coached' stands in records of"),
    ],
)
def test_a_note_that_cannot_be_is_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    first, *rest, _ = text_of(play(tmp_path, 5, asks_at=3)).splitlines()
    header = {**json.loads(first), **change}
    lines = [json.dumps(header, separators=(",", ":")), *rest]
    with pytest.raises(RecordError, match=message):
        parse_record(closed(lines))


def closed(lines: list[str]) -> str:
    """These lines with the digest of a record."""
    from hashlib import sha256

    text = "".join(f"{line}\n" for line in lines)
    digest = {"event": "digest", "sha256": sha256(text.encode()).hexdigest()}
    return text + json.dumps(digest, separators=(",", ":")) + "\n"
