"""Records: a match as JSON Lines, one event a line, to be written, read, replayed and verified.

The full form shows everything, a seat's form what that seat was shown. Both end with the seeds
revealed, so both can be dealt again and compared line by line. So a seat's form, too, shows every
hand once the deal is over. The last line carries a digest of all the lines before it: a record that
was cut off or edited is refused.
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
from undercut.text.translation import say

Known = TypeVar("Known", bound=Event)
_CHANCES = 1000  # seeds; one of eight seats is left out by all of them once in 10**58


@dataclass(frozen=True)
class Record:
    """A record that was read: its events fit each other, but nobody has played them yet."""

    game: Game
    header: Header
    events: list[Event]  # those behind the header
    actions: list[Action]  # those of the events, in full where a seat was shown a part


def header(
    game: Game,
    players: Iterable[str],
    seat: Seat | None = None,
    *,
    left: bool = False,
    undone: int = 0,
    secret: bool = False,
) -> Header:
    """The first event of a record; `seat` is whose form it is, None for the full form.

    A record names the first schema that can say what it says: that somebody left, that choices were
    taken back, or that the deals have secrets.
    """
    later = LATER_SCHEMA if left or undone else SCHEMA
    return Header(
        schema=SECRET_SCHEMA if secret else later,
        game=game.name,
        version=game.rules.VERSION,
        options=game.options._asdict(),
        players=list(players),
        seat=seat,
        undone=undone,
    )


def format_record(events: Iterable[Event]) -> str:
    """The text of a record, closed with its digest."""
    text = "".join(format_event(event) for event in events)
    return text + format_event(Closed(sha256=hashlib.sha256(text.encode()).hexdigest()))


def write_record(path: Path, events: Iterable[Event], wait: bool = True) -> None:
    """Write a record all at once, or not at all; `wait` until it is on the disk."""
    text = format_record(events)
    try:
        files.write_text(Path(path), text, wait)
    except OSError as error:
        values = {"path": str(path), "why": error.strerror}
        raise RecordError(say("cannot write the record {path!r}: {why}", **values)) from None


def parse_record(text: str) -> Record:
    """Read a record: its digest, its header and the course of its events are checked."""
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
    """Deal and play a record again and compare every event; return the match at its end."""
    return _Replay(record).run()


def replay_to(record: Record, ply: int) -> Match:
    """The match of a record after so many of its actions, at the next one if there is any."""
    if not 0 <= ply <= len(record.actions):
        raise RecordError(f"ply {ply}: the record has actions 0 to {len(record.actions)}")
    return next(islice(replayed(record), ply, None))


def replayed(record: Record) -> Iterator[Match]:
    """The match of a record before each of its actions, and at its end; it is one that goes on."""
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
    """A record beside the match it should be."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.place = 0  # of the event that comes next

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
        """Who begins, if some seed lets it: where chance decides, its seed is not in the record."""
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
