"""The event log of a match, complete or as one seat may know it.

Events for a seat are made from that seat's view alone, so that they cannot leak hidden cards.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat, View
from undercut.play.records.events import Dealt, Ended, Event, Left, Over, Played
from undercut.play.seeds import AnySeed

Note = Callable[[Event], None]


class Table(Protocol):
    """A deal from which seats get their views."""

    def observe(self, seat: Seat) -> View: ...


class EventLog:
    """Writes events for one reader: for `seat`, or complete events if it is None."""

    def __init__(self, game: Game, note: Note, seat: Seat | None = None) -> None:
        self._game = game
        self._note = note
        self._seat = seat
        self._revealed: list[str] = []

    def dealt(
        self, table: Table, number: int, starter: Seat, scores: Sequence[int], commitment: str
    ) -> None:
        """Cards were dealt."""
        self._revealed = []
        hands = [
            hand if self._is_shown(seat) else None for seat, hand in enumerate(self._hands(table))
        ]
        self._note(
            Dealt(
                deal=number,
                starter=starter,
                scores=list(scores),
                commitment=commitment,
                hands=hands,
                upcard=self._game.notation.format_upcard(table.observe(0)),
            )
        )

    def played(self, table: Table, seat: Seat, action: Action, before: View) -> View:
        """A seat, whose view was `before`, has played; returns its view now."""
        notation, after = self._game.notation, table.observe(seat)
        text = shown = notation.format_action(action)
        if self._seat is not None:
            seen = after if self._seat == seat else table.observe(self._seat)
            shown = notation.format_public(action, seen)
        if shown != text:
            self._revealed.append(text)
        cards = notation.hidden_gain(before, after) if self._is_shown(seat) else ""
        self._note(Played(seat=seat, action=shown, cards=cards))
        return after

    def ended(
        self,
        table: Table,
        number: int,
        points: Sequence[int],
        scores: Sequence[int],
        secret: tuple[AnySeed, str],
    ) -> None:
        """The deal is over; `secret` is the seed and the salt of the commitment."""
        self._note(
            Ended(
                deal=number,
                outcome=self._game.notation.format_outcome(table.observe(0)),
                points=list(points),
                scores=list(scores),
                hands=self._hands(table),
                seed=secret[0],
                salt=secret[1],
                revealed=self._revealed,
            )
        )

    def over(self, scores: Sequence[int], shares: Sequence[float]) -> None:
        """The match is over."""
        self._note(Over(scores=list(scores), shares=list(shares)))

    def left(
        self,
        seat: Seat,
        scores: Sequence[int],
        table: Table | None,
        secret: tuple[AnySeed, str] | None,
    ) -> None:
        """A seat leaves; `table` and `secret` are of the deal in play, None between deals."""
        if table is None or secret is None:
            self._note(Left(seat=seat, scores=list(scores)))
            return
        self._note(
            Left(
                seat=seat,
                scores=list(scores),
                hands=self._hands(table),
                seed=secret[0],
                salt=secret[1],
                revealed=self._revealed,
            )
        )

    def _is_shown(self, seat: Seat) -> bool:
        return self._seat in (None, seat)

    def _hands(self, table: Table) -> list[str]:
        seats = range(self._game.seats)
        return [self._game.notation.format_hand(table.observe(seat)) for seat in seats]
