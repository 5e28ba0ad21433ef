"""Records: a match as JSON Lines, one event a line, to be written, read, replayed and verified.

The full form tells everything, a seat's form what that seat was told. Both end with the seeds
revealed, so both can be dealt again and compared line by line. The last line carries a digest of
all the lines before it: a record that was cut off or edited is refused.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from undercut.core.errors import IllegalAction, NotationError, RecordError, UndercutError
from undercut.core.game import Game, Seat
from undercut.games.catalog import parse_game
from undercut.play.batch import Batch
from undercut.play.fairness import check
from undercut.play.match import Event, Match

SCHEMA = "undercut-record/1"


def header(game: Game, players: Iterable[str], seat: Seat | None = None) -> Event:
    """The first event of a record; `seat` is whose form it is, None for the full form."""
    return {
        "event": "match",
        "schema": SCHEMA,
        "game": game.name,
        "version": game.rules.VERSION,
        "options": game.options._asdict(),
        "players": list(players),
        "seat": seat,
    }


def for_seat(event: Event, seat: Seat | None) -> Event:
    """An event as a seat is told it; None stands for the full form."""
    if seat is None:
        return event
    told = dict(event)
    if event["event"] == "action" and event["seat"] != seat:
        told.pop("cards", None)
    if event["event"] == "deal":
        told["hands"] = [
            hand if place == seat else None for place, hand in enumerate(event["hands"])
        ]
    return told


def format_record(events: Iterable[Event]) -> str:
    """The text of a record, closed with its digest."""
    lines = [_line(event) for event in events]
    return "".join(lines) + _line({"event": "digest", "sha256": _digest("".join(lines))})


def write_record(path: Path, events: Iterable[Event]) -> None:
    """Write a record all at once, or not at all."""
    text = format_record(events)
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except OSError as error:
        raise RecordError(f"cannot write the record {str(path)!r}: {error.strerror}") from None


def record_of(batch: Batch, index: int, seat: Seat | None = None) -> str:
    """The record of one match of a batch, played again from the actions that were traced."""
    row = batch.matches[index]
    if row.actions > len(batch.traces[index]):
        raise RecordError(
            f"match {index}: {row.actions} actions, but only {len(batch.traces[index])} were traced"
        )
    players = [batch.agents[agent] for agent in batch.lineups[index]]
    events = [header(batch.game, players, seat)]
    match = Match.from_seed(
        batch.game,
        batch.seed,
        int(row.pair),
        int(row.max_deals),
        note=lambda event: events.append(for_seat(event, seat)),
    )
    for action in batch.traces[index][: row.actions]:
        match.apply(int(action))
    return format_record(events)


def parse_record(text: str) -> list[Event]:
    """The events of a record, its digest checked and taken off."""
    lines = text.splitlines(keepends=True)
    events = [_parse_line(number, line) for number, line in enumerate(lines, 1)]
    if not events or events[0].get("schema") != SCHEMA:
        given = events[0].get("schema") if events else "nothing"
        raise RecordError(f"line 1: not a record: schema {given!r}, this reads {SCHEMA!r}")
    if events[-1].get("event") != "digest":
        raise RecordError(f"line {len(lines)}: the record is cut off: its last line is no digest")
    if events[-1].get("sha256") != _digest("".join(lines[:-1])):
        raise RecordError("the record was changed after it was written: its digest does not fit")
    return events[:-1]


def read_record(path: Path) -> list[Event]:
    """Read a record from a file."""
    try:
        return parse_record(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"cannot read the record {str(path)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"not a record: {str(path)!r} is not text in UTF-8") from None


def verify(events: list[Event]) -> Match:
    """Deal and play a record again and compare every event; return the match at its end."""
    try:
        return _Replay(events).run()
    except RecordError:
        raise
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise RecordError(
            f"not a record: a field is missing or of the wrong kind: {error}"
        ) from None
    except UndercutError as error:
        raise RecordError(f"the record does not replay: {error}") from None


def verify_record(path: Path) -> Match:
    """Read a record and verify it."""
    return verify(read_record(path))


class _Replay:
    """A record beside the match it should be."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.seat: Seat | None = events[0]["seat"]
        self.game = parse_game(events[0]["game"], seats=len(events[0]["players"]))
        if events[0]["options"] != self.game.options._asdict():
            raise RecordError(f"line 1: the options are not those of {self.game.name}")
        if events[0]["version"] != self.game.rules.VERSION:
            raise RecordError(
                f"line 1: {self.game.name} version {events[0]['version']}, "
                f"this plays version {self.game.rules.VERSION}"
            )
        self.expected: list[Event] = []
        self.place = 1

    def run(self) -> Match:
        seeds = [(event["seed"], event["salt"]) for event in self.events if event["event"] == "end"]
        starter = self.events[1]["starter"]  # of the first deal: chance, so not to be replayed
        match = Match(self.game, seeds.__getitem__, starter, len(seeds), self.expected.append)
        self._compare()
        while self.place < len(self.events):
            event = self._next("action")
            if event["seat"] != match.deal.seat:
                raise RecordError(f"line {self.place + 1}: seat {event['seat']} is not on turn")
            try:
                match.apply(self.game.notation.parse_action(event["action"]))
            except (IllegalAction, NotationError) as error:
                raise RecordError(f"line {self.place + 1}: {error}") from None
            self._compare()
        if not match.is_over and match.deals < len(seeds):
            raise RecordError("the record is cut off: a deal is not finished")
        return match

    def _next(self, kind: str) -> Event:
        event = self.events[self.place]
        if event["event"] != kind:
            raise RecordError(
                f"line {self.place + 1}: {event['event']!r} where {kind!r} should stand"
            )
        return event

    def _compare(self) -> None:
        for full in self.expected:
            if self.place >= len(self.events):
                raise RecordError("the record is cut off")
            given, should = self.events[self.place], for_seat(full, self.seat)
            if given != should:
                raise RecordError(f"line {self.place + 1}: {_difference(given, should)}")
            if given["event"] == "deal":
                self._check_commitment(given)
            self.place += 1
        self.expected.clear()

    def _check_commitment(self, event: Event) -> None:
        ends = [
            end for end in self.events if end["event"] == "end" and end["deal"] == event["deal"]
        ]
        if ends and not check(event["commitment"], ends[0]["seed"], ends[0]["salt"]):
            raise RecordError(
                f"deal {event['deal']}: the seed revealed is not the one committed to"
            )


def _difference(given: Event, should: Event) -> str:
    for field in {**should, **given}:
        if given.get(field) != should.get(field):
            return f"{field} is {given.get(field)!r}, but replays as {should.get(field)!r}"
    return "the event differs"


def _line(event: Event) -> str:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False) + "\n"


def _parse_line(number: int, line: str) -> Event:
    try:
        event = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordError(f"line {number}: not JSON: {error.msg}") from None
    if not isinstance(event, dict):
        raise RecordError(f"line {number}: not an event")
    return event


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
