"""Tickets: a page that has proved its key gets one for each download of a record."""

import time
from collections.abc import Callable
from secrets import token_urlsafe

LIFE = 60.0  # seconds


class Tickets:
    """The unused tickets; each is for one download of one record."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._given: dict[
            str, tuple[int, float]
        ] = {}  # the number of a game, and the end of validity

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
        """Use a ticket: the number of its game, or None if it is not valid for `named`."""
        number, until = self._given.pop(ticket, (0, 0.0))
        return number if until > self._clock() and str(number) == named else None
