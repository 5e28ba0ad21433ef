"""Records: written, read, replayed, verified; refused when cut off, edited or foreign."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from play_helpers import line_up, usual

from rulesets import EVERY, some_of
from undercut.core.errors import RecordError
from undercut.play.match import play_match
from undercut.play.record import (
    for_seat,
    format_record,
    header,
    parse_record,
    read_record,
    verify,
    verify_record,
    write_record,
)

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "tests" / "records").glob("*.jsonl"))


def played(rules: str, seat: int | None = None, seed: int = 4, deals: int = 2) -> list[Any]:
    game, agents = line_up(rules)
    events = [header(game, usual(game), seat)]
    play_match(
        game, agents, seed, max_deals=deals, note=lambda event: events.append(for_seat(event, seat))
    )
    return events


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("rules", some_of(EVERY))
def test_records_read_back_as_written_and_verify(rules: str, seat: int | None) -> None:
    events = played(rules, seat)
    read = parse_record(format_record(events))
    assert read == events
    assert verify(read).scores == events[-1]["scores"]


def test_a_seat_is_not_told_the_other_seat_s_cards() -> None:
    full, told = played("gin"), played("gin", 0)
    others = [event for event in full if event["event"] == "action" and event["seat"] == 1]
    hidden = [event["cards"] for event in others if "cards" in event]
    assert hidden, "the full form tells what seat 1 drew"
    assert told[1]["hands"] == [full[1]["hands"][0], None]
    actions = [event for event in told if event["event"] == "action" and event["seat"] == 1]
    assert all("cards" not in event for event in actions)


def changed(text: str, line: int, field: str, value: Any) -> str:
    """A record with one field edited and the digest made to fit again."""
    events = parse_record(text)
    events[line][field] = value
    return format_record(events)


@pytest.mark.parametrize(
    ("line", "field", "value", "message"),
    [
        (1, "hands", ["Ac", "2c"], "line 2: hands is"),
        (1, "starter", 7, "starter 7"),
        (1, "scores", [5, 0], "line 2: scores is"),
        (1, "commitment", "0" * 64, "line 2: commitment is"),
        (2, "action", "discard 9z", "not a card: '9z'"),
        (2, "action", "done", "line 3: 'done' is not legal"),
        (2, "seat", 9, "line 3: seat 9 is not on turn"),
        (0, "game", "whist", "unknown game 'whist'"),
        (0, "options", {}, "line 1: the options"),
        (0, "version", 99, "line 1: gin version 99"),
        (-1, "shares", [0.5, 0.5], "shares is"),
    ],
)
def test_an_edited_record_does_not_replay(line: int, field: str, value: Any, message: str) -> None:
    text = changed(format_record(played("gin")), line, field, value)
    with pytest.raises(RecordError, match=message):
        verify(parse_record(text))


def test_a_seed_that_was_not_committed_to_is_found() -> None:
    events = played("gin", deals=1)
    other = played("gin", seed=5, deals=1)
    events[1]["commitment"] = other[1]["commitment"]
    with pytest.raises(RecordError, match="commitment"):
        verify(events)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[: len(text) // 2], "not JSON|cut off"),
        (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "cut off"),
        (lambda text: text.replace('"simple"', '"famous"'), "was changed"),
        (lambda text: text.replace("undercut-record/1", "undercut-record/7"), "undercut-record/7"),
        (lambda text: "", "not a record"),
        (lambda text: "[1]\n", "line 1: not an event"),
        (lambda text: "{}\n", "not a record"),
    ],
)
def test_a_damaged_record_is_refused(damage: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse_record(damage(format_record(played("gin"))))


@pytest.mark.parametrize("field", ["players", "seat", "options", "game"])
def test_a_record_without_a_field_is_refused(field: str) -> None:
    events = played("gin")
    del events[0][field]
    with pytest.raises(RecordError, match="field is missing"):
        verify(events)


def test_a_record_that_stops_in_a_deal_is_refused() -> None:
    events = played("gin")
    with pytest.raises(RecordError, match="replays as 'over'"):
        verify(events[:-2])


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    write_record(path, played("distilled"))
    assert verify_record(path).is_over
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.jsonl"]
    with pytest.raises(RecordError, match="cannot write the record"):
        write_record(tmp_path / "no" / "match.jsonl", played("distilled"))
    with pytest.raises(RecordError, match="cannot read the record"):
        read_record(tmp_path / "missing.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="not text"):
        read_record(tmp_path / "binary.jsonl")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sample_records_still_replay(path: Path) -> None:
    assert verify_record(path).is_over


def test_there_are_sample_records() -> None:
    assert len(SAMPLES) >= 3


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("rules", some_of(EVERY))
def test_records_fit_the_published_schema(rules: str, seat: int | None) -> None:
    schema = json.loads((ROOT / "docs" / "record.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for line in format_record(played(rules, seat)).splitlines():
        validator.validate(json.loads(line))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"event": "action", "seat": "north"})
