"""Records that hang together but are not true: what a replay must find, and refuse.

They are edited as text and closed with a digest that fits, as somebody would who wants to be
believed, so these tests know nothing of how a record is kept in memory.
"""

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from undercut.games.families import parse_game
from undercut.play.batch import play_batch
from undercut.play.commitment import commit
from undercut.play.job import Backend
from undercut.play.match import Match
from undercut.play.records.events import Event
from undercut.play.records.record import format_record, header, parse_record, read_record, verify
from undercut.play.records.trace import record_of
from undercut.players.catalog import parse_agent
from undercut.text.errors import RecordError

pytestmark = pytest.mark.compiled  # text in plain Python, around kernels that others test

Lines = list[dict[str, Any]]

GIN = "gin:target=40"
PLAYED = {
    GIN: "simple",
    "rummy:max_rounds=3,max_turns=12": "greedy",
    "prsi:deals=3,players=3,max_moves=30": "heuristic",
}
every_form = pytest.mark.parametrize("seat", [None, 1])
every_record = pytest.mark.parametrize("name", PLAYED)


@cache
def _record(name: str, seat: int | None) -> str:
    """A match of several deals."""
    game = parse_game(name)
    agents = [parse_agent(PLAYED[name], game)] * game.seats
    return record_of(
        play_batch(game, agents, 1, seed=5, trace=5_000, backend=Backend(workers=1)), 0, seat
    )


def _lines(name: str, seat: int | None) -> Lines:
    """The lines of a record without its digest."""
    lines = [json.loads(line) for line in _record(name, seat).splitlines()]
    assert lines.pop()["event"] == "digest"
    assert len(_deals(lines)) > 2
    return deepcopy(lines)


def _text(lines: Lines) -> str:
    """A record of these lines, with a digest that fits."""
    written = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    digest = hashlib.sha256(written.encode()).hexdigest()
    return written + json.dumps({"event": "digest", "sha256": digest}) + "\n"


def _deals(lines: Lines) -> list[slice]:
    """Where each deal stands, from its first line to its end."""
    begins = [place for place, line in enumerate(lines) if line["event"] == "deal"]
    ends = [place for place, line in enumerate(lines) if line["event"] == "end"]
    return [slice(begin, end + 1) for begin, end in zip(begins, ends, strict=True)]


def _assert_refused(lines: Lines) -> None:
    with pytest.raises(RecordError):
        verify(parse_record(_text(lines)))


@every_form
@every_record
def test_as_they_were_written_they_are_believed(name: str, seat: int | None) -> None:
    lines = _lines(name, seat)
    match = verify(parse_record(_text(lines)))
    assert match.is_over
    assert match.deals == len(_deals(lines))
    assert list(match.scores) == lines[-1]["scores"]


# The commitment to each deal's seed


def _other_salt(begin: dict[str, Any], end: dict[str, Any]) -> None:
    end["salt"] = end["salt"][::-1] + "0"


def _other_commitment(begin: dict[str, Any], end: dict[str, Any]) -> None:
    begin["commitment"] = commit(end["seed"], end["salt"] + "0")


def _no_commitment(begin: dict[str, Any], end: dict[str, Any]) -> None:
    begin["commitment"] = ""


def _other_seed(begin: dict[str, Any], end: dict[str, Any]) -> None:
    end["seed"] ^= 1


def _other_seed_committed_to(begin: dict[str, Any], end: dict[str, Any]) -> None:
    """The commitment fits, but the seed deals other cards."""
    end["seed"] ^= 1
    begin["commitment"] = commit(end["seed"], end["salt"])


@pytest.mark.parametrize(
    "forge", [_other_salt, _other_commitment, _no_commitment, _other_seed, _other_seed_committed_to]
)
@pytest.mark.parametrize("deal", [0, 1, -1])
@every_form
@every_record
def test_a_seed_that_was_not_committed_to_is_refused(
    name: str, seat: int | None, deal: int, forge: Callable[..., None]
) -> None:
    lines = _lines(name, seat)
    place = _deals(lines)[deal]
    forge(lines[place.start], lines[place.stop - 1])
    _assert_refused(lines)


@every_form
def test_commitments_that_changed_places_are_refused(seat: int | None) -> None:
    lines = _lines(GIN, seat)
    first, second = (lines[place.start] for place in _deals(lines)[:2])
    first["commitment"], second["commitment"] = second["commitment"], first["commitment"]
    _assert_refused(lines)


def test_any_salt_will_do_that_was_committed_to() -> None:
    lines = _lines(GIN, None)
    place = _deals(lines)[0]
    begin, end = lines[place.start], lines[place.stop - 1]
    end["salt"] = "of my own"
    begin["commitment"] = commit(end["seed"], end["salt"])
    assert verify(parse_record(_text(lines))).is_over


# Who begins


def _begun_by(name: str, starter: int) -> str:
    """The record of a match of one deal that this seat began, whatever the options say."""
    game = parse_game(name)
    events: list[Event] = [header(game, ["first legal"] * game.seats)]
    match = Match(game, lambda number: (number, "salt"), starter, 1, events.append)
    while not match.is_over:
        match.apply(match.deal.actions[0])
    return format_record(events)


@pytest.mark.parametrize("name", ["gin", "rummy", "pharaoh:players=3"])
def test_only_the_seat_that_the_options_name_begins(name: str) -> None:
    fixed = f"{name}{',' if ':' in name else ':'}first_starter=1"
    assert verify(parse_record(_begun_by(fixed, 1))).is_over
    with pytest.raises(RecordError, match="line 2: seat 0 begins, which the options do not allow"):
        verify(parse_record(_begun_by(fixed, 0)))


def test_where_chance_decides_any_seat_begins() -> None:
    for starter in range(8):
        assert verify(
            parse_record(_begun_by("pharaoh:players=8,first_starter=-1", starter))
        ).is_over


# Deals that are missing


def _numbered(lines: Lines) -> Lines:
    """The deals numbered from 0 on, so that no number is missing."""
    for number, place in enumerate(_deals(lines)):
        lines[place.start]["deal"] = lines[place.stop - 1]["deal"] = number
    return lines


@pytest.mark.parametrize("deal", [0, 1, -1])
@every_form
@every_record
def test_a_record_without_one_of_its_deals_is_refused(
    name: str, seat: int | None, deal: int
) -> None:
    lines = _lines(name, seat)
    del lines[_deals(lines)[deal]]
    _assert_refused(lines)
    _assert_refused(_numbered(lines))


@every_form
@every_record
def test_a_record_that_ends_before_its_last_deal_is_refused(name: str, seat: int | None) -> None:
    lines = _lines(name, seat)
    last = _deals(lines)[-1]
    for stop in (1, last.start, last.start + 1, last.start + 2, last.stop - 1, last.stop):
        _assert_refused(lines[:stop])


@every_form
@every_record
def test_a_record_whose_last_deal_has_no_end_is_refused(name: str, seat: int | None) -> None:
    lines = _lines(name, seat)
    last = _deals(lines)[-1]
    _assert_refused(lines[: last.stop - 1] + lines[last.stop :])
    _assert_refused(lines[: last.start + 1] + lines[last.stop :])


@every_form
def test_a_record_that_tells_a_deal_twice_or_goes_on_behind_its_end_is_refused(
    seat: int | None,
) -> None:
    lines = _lines(GIN, seat)
    first = _deals(lines)[0]
    _assert_refused(lines[: first.stop] + lines[first] + lines[first.stop :])
    _assert_refused(_numbered(lines[: first.stop] + deepcopy(lines[first]) + lines[first.stop :]))
    _assert_refused(lines + lines[-1:])
    _assert_refused(lines + lines[first])


@every_form
def test_deals_in_another_order_are_refused(seat: int | None) -> None:
    lines = _lines(GIN, seat)
    first, second = _deals(lines)[:2]
    exchanged = lines[second] + lines[first]
    _assert_refused(lines[: first.start] + exchanged + lines[second.stop :])
    renumbered = lines[: first.start] + exchanged + lines[second.stop :]
    _assert_refused(_numbered(deepcopy(renumbered)))


def test_a_file_is_checked_as_text_is(tmp_path: Path) -> None:
    lines = _lines(GIN, None)
    path = tmp_path / "match.jsonl"
    path.write_text(_text(lines), encoding="utf-8")
    assert verify(read_record(path)).is_over
    _other_salt(lines[1], lines[_deals(lines)[0].stop - 1])
    path.write_text(_text(lines), encoding="utf-8")
    with pytest.raises(RecordError):
        verify(read_record(path))
