"""The cards of the last moves, for a screen that marks them."""

from collections.abc import Sequence
from dataclasses import dataclass

from undercut.games.table.description import Cards, Event
from undercut.kernels.records import Seat

_DRAWS = ("draw", "take", "turn")


@dataclass(frozen=True)
class Marks:
    """Cards to mark: those that the viewer drew in this turn, and those of the others' last move."""

    drawn: Cards = ()
    moved: Cards = ()
    mover: Seat | None = None  # of the last move, unless that is the viewer


def marks_of(events: Sequence[Event], me: Seat) -> Marks:
    """The marks after some events of a deal.

    >>> marks_of([Event(1, "discard", ("8h",)), Event(0, "draw", ("Kd",))], 0)
    Marks(drawn=('Kd',), moved=(), mover=None)
    >>> marks_of([Event(0, "discard", ("Kd",)), Event(1, "discard", ("8h",))], 0)
    Marks(drawn=(), moved=('8h',), mover=1)
    """
    own = next((event for event in reversed(events) if event.seat == me), None)
    drawn = own.cards if own is not None and own.verb.split()[0] in _DRAWS else ()
    if not events or events[-1].seat == me:
        return Marks(drawn)
    return Marks(drawn, events[-1].cards, events[-1].seat)
