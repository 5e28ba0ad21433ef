"""Records: written, read, replayed, verified; refused when cut off, edited or foreign."""

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from play.line_up import line_up, usual
from rulesets import EVERY, some_of
from undercut.play.match import play_match
from undercut.play.records.events import Event, Played
from undercut.play.records.record import (
    format_record,
    header,
    parse_record,
    read_record,
    verify,
    verify_record,
    write_record,
)
from undercut.text.errors import RecordError

pytestmark = pytest.mark.compiled  # text in plain Python, around kernels that others test

ROOT = Path(__file__).parents[3]
SAMPLES = sorted((ROOT / "tests" / "games" / "gin" / "records").glob("*.jsonl"))


def played(rules: str, seat: int | None = None, seed: int = 4, deals: int = 2) -> list[Event]:
    game, agents = line_up(rules)
    events: list[Event] = [header(game, usual(game), seat)]
    play_match(game, agents, seed, max_deals=deals, note=events.append, seat=seat)
    return events


def written(rules: str, seat: int | None = None, **others: int) -> str:
    return format_record(played(rules, seat, **others))


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("rules", some_of(EVERY))
def test_records_read_back_as_written_and_verify(rules: str, seat: int | None) -> None:
    events = played(rules, seat)
    read = parse_record(format_record(events))
    assert [read.header, *read.events] == events
    assert verify(read).scores == events[-1].scores


def actions_of(record: list[Event], seat: int) -> list[Played]:
    return [event for event in record if isinstance(event, Played) and event.seat == seat]


def test_a_seat_is_not_told_the_other_seat_s_cards() -> None:
    full, told = parse_record(written("gin")), parse_record(written("gin", 0))
    hidden = [event.cards for event in actions_of(full.events, 1) if event.cards]
    assert hidden, "the full form tells what seat 1 drew"
    assert told.events[0].hands == [full.events[0].hands[0], None]
    assert not any(event.cards for event in actions_of(told.events, 1))


def test_a_seat_is_not_told_a_knock_card_that_lies_face_down() -> None:
    knocks = revealed = 0
    for seed in range(8):
        record = parse_record(written("gin:knock_face_down=1", 0, seed=seed))
        for event in record.events:
            if isinstance(event, Played) and event.action.startswith("knock"):
                assert (event.action == "knock") == (event.seat == 1)
                knocks += event.seat
            revealed += len(getattr(event, "revealed", ()))
        assert verify(record).is_over
    assert knocks == revealed > 0


def test_what_was_hidden_of_an_action_is_checked_when_it_is_revealed() -> None:
    text = written("gin:knock_face_down=1", 0, seed=1)
    line = next(place for place, line in enumerate(text.splitlines()) if "revealed" in line)
    for value, message in [
        ([], "line 58: not a card: ''"),
        (["knock 2x"], "not a card: '2x'"),
        (["knock 7c"], "not legal"),
        (["knock 7d", "done"], "2 actions are revealed, 1 were shown in part"),
    ]:
        with pytest.raises(RecordError, match=message):
            verify(parse_record(changed(text, line, "revealed", value)))


def changed(text: str, line: int, field: str, value: Any) -> str:
    """A record with one field edited and the digest made to fit again."""
    lines = [json.loads(line) for line in text.splitlines()[:-1]]
    if value is MISSING:
        lines[line].pop(field, None)
    else:
        lines[line][field] = value
    return closed([json.dumps(each) for each in lines])


MISSING = object()


def closed(lines: list[str]) -> str:
    """Lines as a record, with a digest that fits."""
    text = "".join(line + "\n" for line in lines)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return text + json.dumps({"event": "digest", "sha256": digest}) + "\n"


@pytest.mark.parametrize(
    ("line", "field", "value", "message"),
    [
        (1, "hands", ["Ac", "2c"], "line 2: hands is"),
        (1, "scores", [5, 0], "line 2: scores is"),
        (1, "commitment", "0" * 64, "line 2: commitment is"),
        (2, "action", "done", "line 3: 'done' is not legal"),
        (2, "seat", 0, "line 3: seat 0 is not on turn"),
        (-1, "shares", [0.5, 0.5], "shares is"),
    ],
)
def test_an_edited_record_does_not_replay(line: int, field: str, value: Any, message: str) -> None:
    record = parse_record(changed(written("gin"), line, field, value))
    with pytest.raises(RecordError, match=message):
        verify(record)


DEEP: Any = []
for _ in range(900):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("line", "field", "value", "message"),
    [
        (0, "event", "over", "line 1: not an event"),
        (0, "event", "party", "line 1: not an event: Invalid value 'party'"),
        (0, "game", "whist", "line 1: unknown game 'whist'"),
        (0, "game", "gin:target=200", "line 1: the options"),
        (0, "game", "gin: target=100", "is written 'gin:target=100'"),
        (0, "game", "gin:target=2\n0", r"line 1: target=2\\n0"),
        (0, "options", {}, "line 1: the options"),
        (0, "options", [], "line 1: not an event: Expected `object`"),
        (0, "version", 99, "line 1: gin version 99"),
        (0, "version", True, "line 1: not an event: Expected `int`"),
        (0, "players", ["simple"], "line 1: not an event: Expected `array` of length >= 2"),
        (0, "players", ["simple", "random", "simple"], "line 1: 3 players: gin is for 2"),
        (0, "players", ["simple", 7], "line 1: not an event: Expected `str`"),
        (0, "seat", 2, "line 1: seat 2: there are 2 seats"),
        (0, "seat", 1, "line 2: the hand of seat 0 should be hidden"),
        (1, "starter", 7, "line 2: starter 7: there are 2 seats"),
        (1, "starter", -1, "line 2: not an event"),
        (1, "deal", 1, "line 2: deal 1 where deal 0 should stand"),
        (1, "hands", ["Ac"], "line 2: 1 hands"),
        (1, "hands", [None, "Ac"], "line 2: the hand of seat 0 should be shown"),
        (1, "hands", DEEP, "line 2: not an event"),
        (1, "wind", DEEP, "line 2: not an event: Object contains unknown field `wind`"),
        (1, "a\nb", 0, r"unknown field `a\\nb`"),
        (1, "upcard", "", "line 2: not an event"),
        (1, "scores", [0, 10**5000], "line 2: not an event: Integer value out of range"),
        (2, "seat", 7, "line 3: seat 7: there are 2 seats"),
        (2, "action", "discard 9z", "line 3: not a card: '9z'"),
        (2, "action", "knock", "line 3: not a card"),
        (2, "action", ["draw"], "line 3: not an event"),
        (-1, "scores", [1, 2, 3], "3 scores: there are 2 seats"),
        (-1, "shares", [1, 2], "not an event: Expected `float` <= 1"),
    ],
)
def test_a_record_that_cannot_be_is_not_read(
    line: int, field: str, value: Any, message: str
) -> None:
    with sys_digits(), pytest.raises(RecordError, match=message) as caught:
        parse_record(changed(written("gin"), line, field, value))
    assert "\n" not in str(caught.value)


@contextmanager
def sys_digits() -> Iterator[None]:
    """While numbers of any length may be written."""
    usual_limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(usual_limit)


@pytest.mark.parametrize("field", ["players", "seat", "options", "game", "version"])
def test_a_record_without_a_field_is_not_read(field: str) -> None:
    with pytest.raises(RecordError, match=f"missing required field `{field}`"):
        parse_record(changed(written("gin"), 0, field, MISSING))


@pytest.mark.parametrize(
    ("reorder", "message"),
    [
        (lambda lines: [lines[0], *lines], "line 2: 'match' where 'deal' should stand"),
        (lambda lines: lines[1:], "line 1: not a record"),
        (lambda lines: [lines[0], *lines[2:]], "line 2: 'action' where 'deal' should stand"),
        (lambda lines: lines[:-1], "cut off: the match is not over"),
        (lambda lines: lines[:-2], "cut off: the match is not over"),
        (lambda lines: [*lines, lines[-1]], "'over' where nothing should stand"),
        (lambda lines: [lines[0], lines[-1]], "line 2: 'over' where 'deal' should stand"),
        (lambda lines: [lines[0], *lines[1:-1] * 2, lines[-1]], "deal 0 where deal 2 should stand"),
        (lambda lines: [*lines, closed([]).strip()], "'digest' where nothing should stand"),
        (lambda lines: [*lines[:3], "", *lines[3:]], "line 4: not JSON"),
        (lambda lines: [*lines[:3], "[" * 10**5, *lines[3:]], "line 4: not an event"),
        (lambda lines: [*lines[:3], '{"a":' * 10**5, *lines[3:]], "line 4: not an event"),
        (lambda lines: [*lines[:3], '"\\ud800"', *lines[3:]], "line 4: not"),
    ],
)
def test_events_out_of_order_are_not_read(reorder: Any, message: str) -> None:
    lines = written("gin").splitlines()[:-1]
    with pytest.raises(RecordError, match=message):
        parse_record(closed(reorder(lines)))


def test_a_record_that_stops_in_a_deal_does_not_replay() -> None:
    lines = written("gin").splitlines()[:-1]
    ends = [place for place, line in enumerate(lines) if '"end"' in line]
    cut = parse_record(closed([*lines[: ends[1] - 1], *lines[ends[1] :]]))
    with pytest.raises(RecordError, match="'end' where 'action' should stand"):
        verify(cut)


def test_a_seed_that_was_not_committed_to_is_found() -> None:
    other = json.loads(written("gin", seed=5).splitlines()[1])["commitment"]
    record = parse_record(changed(written("gin", deals=1), 1, "commitment", other))
    with pytest.raises(RecordError, match="commitment"):
        verify(record)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[: len(text) // 2], "cut off"),
        (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "cut off"),
        (lambda text: text.replace('"simple"', '"famous"'), "was changed"),
        (lambda text: text.replace("undercut-record/1", "undercut-record/7"), "undercut-record/7"),
        (lambda text: text + "\n", "cut off"),
        (lambda text: text + "\ud800", "not text in UTF-8"),
        (lambda text: "", "not a record"),
        (lambda text: "[1]\n", "line 1: not a record"),
        (lambda text: "{}\n", "not a record"),
    ],
)
def test_a_damaged_record_is_refused(damage: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse_record(damage(written("gin")))


def test_players_may_be_called_anything() -> None:
    names = ["Zoë 🂡", 'a\u2028b\x85c\rd\n"\\']
    text = changed(written("gin"), 0, "players", names)
    assert parse_record(text).header.players == names


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
def test_sample_records_still_replay_and_are_written_alike(path: Path) -> None:
    assert verify_record(path).is_over
    record = read_record(path)
    assert format_record([record.header, *record.events]) == path.read_text(encoding="utf-8")


def test_there_are_sample_records() -> None:
    assert len(SAMPLES) >= 3


# The published schema


def schema() -> Any:
    text = (ROOT / "src/undercut/schemas/record.schema.json").read_text(encoding="utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("rules", some_of(EVERY))
def test_records_fit_the_published_schema(rules: str, seat: int | None) -> None:
    validator = schema()
    for line in written(rules, seat).splitlines():
        validator.validate(json.loads(line))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"event": "action", "seat": "north"})


WRONG = [None, True, -1, 2, 0.5, 10**30, "", "x", "0" * 64, [], ["", ""], [None, 1], {"a": 1}]


def test_what_the_schema_refuses_is_not_read() -> None:
    """Every field of every kind of event, left out, added to and with values of other kinds."""
    validator = schema()
    refused = 0
    for text in (written("gin"), written("gin:knock_face_down=1", 0, seed=1)):
        lines = [json.loads(line) for line in text.splitlines()[:-1]]
        for place in {line["event"]: place for place, line in enumerate(lines)}.values():
            for field in [*lines[place], "wind"]:
                for value in [MISSING, *WRONG]:
                    mutant = changed(text, place, field, value)
                    if not validator.is_valid(json.loads(mutant.splitlines()[place])):
                        refused += 1
                        with pytest.raises(RecordError):
                            parse_record(mutant)
    assert refused > 500
