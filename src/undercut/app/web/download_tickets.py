"""Tickets: a page that has shown its key gets one for each record that it downloads."""

import time
from collections.abc import Callable
from secrets import token_urlsafe

LIFE = 60.0  # seconds


class Tickets:
    """Tickets that were given and not used; each is for one record, once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._given: dict[str, tuple[int, float]] = {}  # the number of a game, and until when

    def give(self, number: int) -> str:
        """A ticket for the record of a game."""
        now = self._clock()
        self._given = {
            ticket: (game, until) for ticket, (game, until) in self._given.items() if until > now
        }
        ticket = token_urlsafe(32)
        self._given[ticket] = (number, now + LIFE)
        return ticket

    def take(self, ticket: str, named: str) -> int | None:
        """The number of the game, if this is a ticket for what the text `named` names."""
        number, until = self._given.pop(ticket, (0, 0.0))
        return number if until > self._clock() and str(number) == named else None
