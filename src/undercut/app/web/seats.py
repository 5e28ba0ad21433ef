"""Seats of guests: who has the key to one sits there, and nowhere else.

The keys of a game follow from a secret that is stored with it, so a link that was given away is good
for as long as the game is kept, also after the server was started anew.
"""

import hashlib
import hmac
import re
from typing import NamedTuple

from undercut.app.store import Store, StoreError
from undercut.core.records import Seat

JOIN = "/join"
_KEY = re.compile(r"(\d{1,15})-(\d{1,2})-([0-9a-f]{32})")


class Guest(NamedTuple):
    """A seat that is not that of the server's owner."""

    number: int  # of the game
    seat: Seat

    @property
    def named(self) -> str:
        """The game and the seat, as paths and keys name them."""
        return f"{self.number}-{self.seat}"

    @property
    def place(self) -> str:
        """Where the guest's page is."""
        return f"/seat/{self.named}/"


class Seats:
    """The keys to the seats of guests."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def guests(self, number: int) -> list[Guest]:
        """Whom a game waits for besides the owner, who has the first seat of a person."""
        return [Guest(number, seat) for seat in self._store.find(number).people[1:]]

    def key(self, guest: Guest) -> str:
        """What lets a guest in."""
        secret = self._store.secret(guest.number).encode()
        digest = hmac.new(secret, guest.named.encode(), hashlib.sha256).hexdigest()
        return f"{guest.named}-{digest[:32]}"

    def path(self, guest: Guest) -> str:
        """What a guest opens on this server."""
        return f"{JOIN}?key={self.key(guest)}"

    def find(self, key: str) -> Guest | None:
        """Whose key it is, if it is one."""
        found = _KEY.fullmatch(key)
        if found is None:
            return None
        guest = Guest(int(found[1]), int(found[2]))
        try:
            known = guest in self.guests(guest.number) and self.key(guest)
        except StoreError:  # there is no such game
            return None
        return guest if known and hmac.compare_digest(known, key) else None
