"""Records: a match as JSON Lines, one event a line. They are written, read, replayed and verified.

The full form has everything; the form of a seat has the events that this seat saw. Both reveal the
seeds and all hands at the end of each deal, so both can be replayed and compared line by line. The
last line is a digest of all lines before it: a record that was cut off or edited is rejected.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat
from undercut.play.match import Match, first_starter
from undercut.play.records.events import (
    COACHED_SCHEMA,
    LATER_SCHEMA,
    SCHEMA,
    SECRET_SCHEMA,
    Closed,
    Dealt,
    Ended,
    Event,
    Header,
    Left,
    Played,
    check_opening,
    format_event,
    kind,
    parse_event,
)
from undercut.play.records.validation import parse_course, parse_header
from undercut.play.seeds import AnySeed
from undercut.text import files
from undercut.text.errors import IllegalAction, RecordError
from undercut.text.spec import written_options
from undercut.text.translation import say

Known = TypeVar("Known", bound=Event)
_CHANCES = 1000  # seeds tried; the chance that none lets one of eight seats start is 10**-58


@dataclass(frozen=True)
class Record:
    """A parsed record. Its events are consistent, but not yet replayed."""

    game: Game
    header: Header
    events: list[Event]  # without the header
    actions: list[Action]  # the complete actions, also where an event shows only a part


def header(
    game: Game,
    players: Iterable[str],
    seat: Seat | None = None,
    *,
    left: bool = False,
    undone: int = 0,
    secret: bool = False,
    coached: Iterable[Seat] = (),
) -> Header:
    """The first event of a record, in the form of `seat`, or in the full form if it is None.

    The schema is the oldest that can express the record: a seat that left, decisions that were
    taken back, deals with secrets or a coach need a newer one.
    """
    later = LATER_SCHEMA if left or undone else SCHEMA
    helped = sorted(coached)
    return Header(
        schema=COACHED_SCHEMA if helped else SECRET_SCHEMA if secret else later,
        game=game.name,
        version=game.rules.VERSION,
        options=written_options(game.options),
        players=list(players),
        seat=seat,
        undone=undone,
        coached=helped,
    )


def format_record(events: Iterable[Event]) -> str:
    """The text of a record, with its digest as the last line."""
    text = "".join(format_event(event) for event in events)
    return text + format_event(Closed(sha256=hashlib.sha256(text.encode()).hexdigest()))


def write_record(path: Path, events: Iterable[Event], wait: bool = True) -> None:
    """Write a record atomically; with `wait`, return only when it is on the disk."""
    text = format_record(events)
    try:
        files.write_text(Path(path), text, wait)
    except OSError as error:
        values = {"path": str(path), "why": error.strerror}
        raise RecordError(say("cannot write the record {path!r}: {why}", **values)) from None


def parse_record(text: str) -> Record:
    """Parse a record; check its digest, its header and the order of its events."""
    data = _encode(text).removesuffix(b"\n")
    *lines, last = data.split(b"\n")
    check_opening(lines[0] if lines else last)
    closed = _read_digest(last, len(lines) + 1)
    if closed.sha256 != hashlib.sha256(data[: len(data) - len(last)]).hexdigest():
        raise RecordError("the record was changed after it was written: its digest does not fit")
    first, *rest = (parse_event(line, number) for number, line in enumerate(lines, 1))
    header, game = parse_header(first)
    events, actions = parse_course(header, game, rest)
    return Record(game, header, events, actions)


def read_record(path: Path) -> Record:
    """Read a record from a file."""
    try:
        return parse_record(Path(path).read_text(encoding="utf-8"))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    except OSError as error:
        raise RecordError(f"cannot read the record {str(path)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"not a record: {str(path)!r} is not text in UTF-8") from None


def verify(record: Record) -> Match:
    """Replay a record and compare every event; return the finished match."""
    return _Replay(record).run()


def replay_to(record: Record, ply: int) -> Match:
    """The match of a record after `ply` actions, ready for the next one."""
    if not 0 <= ply <= len(record.actions):
        raise RecordError(f"ply {ply}: the record has actions 0 to {len(record.actions)}")
    return next(islice(replayed(record), ply, None))


def replayed(record: Record) -> Iterator[Match]:
    """The match of a record before each action, and at its end: always the same object."""
    events = record.events
    seeds = [_secret(event) for event in events if isinstance(event, Ended | Left)]
    starter = next(event.starter for event in events if isinstance(event, Dealt))
    match = Match(record.game, seeds.__getitem__, starter)
    for action in record.actions:
        _deal_on(match)
        yield match
        match.apply(action)
    yield match


def _deal_on(match: Match) -> None:
    if match.deal.is_over and not match.is_over:
        match.next_deal()


def verify_record(path: Path) -> Match:
    """Read a record and verify it."""
    return verify(read_record(path))


class _Replay:
    """Compares a record with the match that it describes."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.place = 0  # the index of the next event

    def run(self) -> Match:
        events = self.record.events
        seeds = [_secret(event) for event in events if isinstance(event, Ended | Left)]
        last = events[-1]
        most = 0 if isinstance(last, Left) else len(seeds)
        starter = self._starter()
        seat = self.record.header.seat
        match = Match(self.record.game, seeds.__getitem__, starter, most, self._compare, seat)
        for action in self.record.actions:
            _deal_on(match)
            event = self._next(Played)
            if event.seat != match.deal.seat:
                raise self._error(f"seat {event.seat} is not on turn")
            try:
                match.apply(action)
            except IllegalAction as error:
                raise self._error(error) from None
        if isinstance(last, Left):
            self._leave(match, last)
        if self.place < len(events):
            self._next(Played)
        return match

    def _leave(self, match: Match, left: Left) -> None:
        in_play = isinstance(self.record.events[-2], Dealt | Played)
        if in_play:
            _deal_on(match)
        try:
            match.leave(left.seat)
        except IllegalAction as error:
            raise self._error(error) from None

    def _starter(self) -> Seat:
        """The first starter. Its seed is not in the record, so some seed must allow it."""
        starter = self._next(Dealt).starter
        if all(first_starter(self.record.game, seed) != starter for seed in range(_CHANCES)):
            raise self._error(f"seat {starter} begins, which the options do not allow")
        return starter

    def _next(self, kind_of_event: type[Known]) -> Known:
        event = self.record.events[self.place]
        if not isinstance(event, kind_of_event):
            raise self._error(f"{kind(event)!r} where {kind(kind_of_event)!r} should stand")
        return event

    def _compare(self, should: Event) -> None:
        given = self._next(type(should))
        for field in given.__struct_fields__:
            written, replayed = getattr(given, field), getattr(should, field)
            if written != replayed:
                raise self._error(f"{field} is {written!r}, but replays as {replayed!r}")
        self.place += 1

    def _error(self, what: object) -> RecordError:
        return RecordError(f"line {self.place + 2}: {what}")  # the header is line 1


def _secret(event: Ended | Left) -> tuple[AnySeed, str]:
    return event.seed or 0, event.salt  # a seat that left between deals reveals none


def _read_digest(line: bytes, number: int) -> Closed:
    try:
        closed = parse_event(line, number)
    except RecordError:
        closed = None
    if not isinstance(closed, Closed):
        raise RecordError(f"line {number}: the record is cut off: its last line is no digest")
    return closed


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise RecordError("not a record: it is not text in UTF-8") from None
