"""Checks of a record that need no replay, and the actions that its events report.

They cover the order of events, seats, the lengths of lists, and the text of actions. `verify` in
play/records/record.py checks that the play is legal and that the cards are those of the seeds.
"""

from collections.abc import Callable, Sequence

from msgspec import structs

from undercut.cards.french import NONE
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import Action
from undercut.play.records.events import (
    COACHED_SCHEMA,
    SCHEMA,
    SECRET_SCHEMA,
    Closed,
    Dealt,
    Ended,
    Event,
    Header,
    Left,
    Over,
    Played,
    kind,
)
from undercut.play.seeds import AnySeed
from undercut.text.errors import NotationError, RecordError, UndercutError, plain
from undercut.text.spec import written_options

# For each kind of event, the kinds that may follow it.
_NEXT: dict[type, tuple[type, ...]] = {
    Header: (Dealt,),
    Dealt: (Played, Ended, Left),
    Played: (Played, Ended, Left),
    Ended: (Dealt, Over, Left),
    Over: (),
    Left: (),
}
_WORDS = ("hands", "upcard", "action", "cards", "revealed")  # in the game's notation
_FIRST = 2  # the number of the line after the header


def parse_header(event: Event | Closed) -> tuple[Header, Game]:
    """The header of a record and its game; raises RecordError if they disagree."""
    if not isinstance(event, Header):
        raise RecordError(f"line 1: {kind(event)!r} where 'match' should stand")
    try:
        game = parse_game(event.game)
    except UndercutError as error:
        raise RecordError(f"line 1: {plain(error)}") from None
    if event.game != game.name:
        raise RecordError(f"line 1: the game {event.game!r} is written {game.name!r}")
    _check_header(event, game)
    return event, game


def _check_header(header: Header, game: Game) -> None:
    if header.version != game.rules.VERSION:
        raise RecordError(
            f"line 1: {game.name} version {header.version}, this plays version {game.rules.VERSION}"
        )
    if header.options != written_options(game.options):
        raise RecordError(f"line 1: the options are not those of {game.name}")
    if len(header.players) != game.seats:
        raise RecordError(f"line 1: {len(header.players)} players: {game.name} is for {game.seats}")
    if header.seat is not None and header.seat >= game.seats:
        raise RecordError(f"line 1: seat {header.seat}: there are {game.seats} seats")
    if header.undone and header.schema == SCHEMA:
        raise RecordError(f"line 1: 'undone' does not stand in records of {SCHEMA!r}")
    if bool(header.coached) != (header.schema == COACHED_SCHEMA):
        raise RecordError(
            f"line 1: 'coached' stands in records of {COACHED_SCHEMA!r}, and only there"
        )
    if header.coached != sorted({*header.coached}) or header.coached[-1:] >= [game.seats]:
        raise RecordError(f"line 1: 'coached': not seats in order: {header.coached}")


def parse_course(
    header: Header, game: Game, events: Sequence[Event | Closed]
) -> tuple[list[Event], list[Action]]:
    """The checked events after the header, and the actions that they report."""
    course = _Course(header, game)
    for line, event in enumerate(events, _FIRST):
        course.read(line, event)
    if course.allowed:
        raise RecordError("the record is cut off: the match is not over")
    return course.events, course.actions


def _renewed(event: Event | Closed, renew: Callable[[str], str] | None) -> Event | Closed:
    """An event with the text of old versions rewritten in the notation of today."""
    if renew is None:
        return event
    changed: dict[str, object] = {}
    for name in set(_WORDS).intersection(event.__struct_fields__):
        words = getattr(event, name)
        texts = [text and renew(text) for text in ([words] if isinstance(words, str) else words)]
        changed[name] = texts[0] if isinstance(words, str) else texts
    return structs.replace(event, **changed)


class _Course:
    """The events that were read, and the kinds that may follow."""

    def __init__(self, header: Header, game: Game) -> None:
        self.header = header
        self.game = game
        self.events: list[Event] = []
        self.actions: list[Action] = []
        self.allowed = _NEXT[Header]
        self._deals = 0
        self._line = 0
        self._partly: list[tuple[int, RecordError]] = []  # index and error of partly hidden actions

    def read(self, line: int, event: Event | Closed) -> None:
        self._line, event = line, _renewed(event, self.game.family.renew)
        if isinstance(event, Closed) or not isinstance(event, self.allowed):
            expected = " or ".join(repr(kind(each)) for each in self.allowed)
            raise self._error(f"{kind(event)!r} where {expected or 'nothing'} should stand")
        if isinstance(event, Dealt):
            self._read_deal(event)
        elif isinstance(event, Played):
            self._read_action(event)
        elif isinstance(event, Ended):
            self._read_end(event)
        elif isinstance(event, Over):
            self._check_lengths(scores=event.scores, shares=event.shares)
        elif isinstance(event, Left):
            self._read_left(event)
        self.events.append(event)
        self.allowed = self._next(event)

    def _next(self, event: Event) -> tuple[type, ...]:
        """The kinds that may follow an event. The first schema has no event `left`."""
        later = self.header.schema != SCHEMA
        return tuple(each for each in _NEXT[type(event)] if later or each is not Left)

    def _read_deal(self, event: Dealt) -> None:
        self._check_number(event.deal)
        self._check_seat("starter", event.starter)
        self._check_lengths(scores=event.scores, hands=event.hands)
        for seat, hand in enumerate(event.hands):
            if self._is_shown(seat) != (hand is not None):
                should = "shown" if hand is None else "hidden"
                raise self._error(f"the hand of seat {seat} should be {should}")

    def _read_action(self, event: Played) -> None:
        self._check_seat("seat", event.seat)
        if event.cards and not self._is_shown(event.seat):
            raise self._error(f"the cards that seat {event.seat} drew should be hidden")
        try:
            self.actions.append(self.game.notation.parse_action(event.action))
        except NotationError as error:
            if self._is_shown(event.seat):
                raise self._error(error) from None
            self._partly.append((len(self.actions), self._error(error)))
            self.actions.append(NONE)  # until the end of the deal reveals it

    def _read_end(self, event: Ended) -> None:
        self._check_number(event.deal)
        self._deals += 1
        self._check_lengths(points=event.points, scores=event.scores, hands=event.hands)
        self._check_seed(event.seed)
        self._reveal(event.revealed)

    def _read_left(self, event: Left) -> None:
        self._check_seat("seat", event.seat)
        self._check_lengths(scores=event.scores)
        if isinstance(self.events[-1], Ended):
            if event != Left(seat=event.seat, scores=event.scores):
                raise self._error("no deal is on the table, so there is none to reveal")
            return
        if event.seed is None:
            raise self._error("the deal on the table is not revealed")
        self._check_lengths(hands=event.hands)
        self._check_seed(event.seed)
        self._reveal(event.revealed)

    def _reveal(self, revealed: Sequence[str]) -> None:
        """Fill in the actions that were partly hidden."""
        if len(revealed) < len(self._partly):
            raise self._partly[len(revealed)][1]
        if len(revealed) > len(self._partly):
            raise self._error(
                f"{len(revealed)} actions are revealed, {len(self._partly)} were shown in part"
            )
        for (place, _), text in zip(self._partly, revealed, strict=True):
            try:
                self.actions[place] = self.game.notation.parse_action(text)
            except NotationError as error:
                raise self._error(error) from None
        self._partly = []

    def _check_number(self, deal: int) -> None:
        if deal != self._deals:
            raise self._error(f"deal {deal} where deal {self._deals} should stand")

    def _check_seed(self, seed: AnySeed) -> None:
        has_secrets = self.header.schema == SECRET_SCHEMA
        if self.header.schema == COACHED_SCHEMA:  # all are of the kind of the first one
            known = [each.seed for each in self.events if isinstance(each, Ended)]
            has_secrets = isinstance(known[0] if known else seed, str)
        if isinstance(seed, str) != has_secrets:
            kinds = ("a secret", "a seed") if has_secrets else ("a seed", "a secret")
            should, given = kinds
            raise self._error(f"{given} where {should} should stand: {seed}")

    def _check_seat(self, role: str, seat: int) -> None:
        if seat >= self.game.seats:
            raise self._error(f"{role} {seat}: there are {self.game.seats} seats")

    def _check_lengths(self, **lists: Sequence[object]) -> None:
        for name, values in lists.items():
            if len(values) != self.game.seats:
                raise self._error(f"{len(values)} {name}: there are {self.game.seats} seats")

    def _is_shown(self, seat: int) -> bool:
        return self.header.seat in (None, seat)

    def _error(self, what: object) -> RecordError:
        return RecordError(f"line {self._line}: {what}")
