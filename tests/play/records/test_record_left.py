"""Records of matches that somebody left: what they may say, and what is refused."""

import hashlib
import json
from typing import Any

import pytest

from undercut.games.families import parse_game
from undercut.play.match import Match
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header, parse_record, verify
from undercut.text.errors import RecordError

pytestmark = pytest.mark.compiled  # text in plain Python, around kernels that others test

GAME = parse_game("gin:target=30")


def left(choices: int) -> list[dict[str, Any]]:
    """The lines, without the digest, of a match that seat 1 leaves after so many actions."""
    notes: list[Event] = []
    match = Match.from_seed(GAME, 5, note=notes.append)
    for _ in range(choices):
        match.apply(match.deal.actions[0])
    match.leave(1)
    text = format_record([header(GAME, ["a", "b"], left=True), *notes])
    assert verify(parse_record(text)).is_left
    return [json.loads(line) for line in text.splitlines()][:-1]


def closed(lines: list[dict[str, Any]]) -> str:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    digest = {"event": "digest", "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return text + json.dumps(digest) + "\n"


@pytest.mark.parametrize("choices", [0, 5])
@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("scores", [7, 0], "scores is"),
        ("seed", 8, "commitment is"),
        ("salt", "00", "commitment is"),
        ("hands", ["2c", "3c"], "hands is"),
        ("hands", ["2c"], "1 hands: there are 2 seats"),
        ("seat", 5, "seat 5: there are 2 seats"),
        ("seed", None, "the deal on the table is not revealed"),
        ("revealed", ["draw"], "1 actions are revealed, 0 were shown in part"),
    ],
)
def test_what_is_not_true_of_it_is_refused(
    choices: int, field: str, value: object, message: str
) -> None:
    lines = left(choices)
    lines[-1][field] = value
    with pytest.raises(RecordError, match=message):
        verify(parse_record(closed(lines)))


def test_the_first_schema_knows_neither_leaving_nor_undoing() -> None:
    lines = left(3)
    lines[0]["schema"] = "undercut-record/1"
    with pytest.raises(RecordError, match="'left' where 'action' or 'end' should stand"):
        parse_record(closed(lines))
    lines[0]["undone"] = 2
    with pytest.raises(RecordError, match="'undone' does not stand in records of"):
        parse_record(closed(lines))


def test_nobody_leaves_a_match_that_is_over() -> None:
    notes: list[Event] = []
    match = Match.from_seed(GAME, 5, max_deals=1, note=notes.append)
    while not match.is_over:
        match.apply(match.deal.actions[-1])
    text = format_record([header(GAME, ["a", "b"], left=True), *notes])
    lines = [json.loads(line) for line in text.splitlines()][:-1]
    lines[-1] = {"event": "left", "seat": 0, "scores": lines[-1]["scores"]}
    assert verify(parse_record(closed(lines))).is_left, "after a deal, before the target"
    lines[-1]["seed"] = 7
    with pytest.raises(RecordError, match="no deal is on the table"):
        parse_record(closed(lines))
