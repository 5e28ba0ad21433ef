"""Seats of guests: who has the key to one sits there, and nowhere else.

The keys of a game follow from a secret that is stored with it, so a link that was given away is good
for as long as the game is kept, also after the server was started anew. All secrets are in memory:
whoever knocks with a wrong key makes nobody wait for the disk.
"""

import hashlib
import hmac
import re
from typing import NamedTuple

from undercut.app.store import Store
from undercut.kernels.records import Seat

JOIN = "/join"
_KEY = re.compile(r"(\d{1,15})-(\d{1,2})-([0-9a-f]{32})", re.ASCII)


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
        self._store, self._secrets = store, store.secrets()

    def invitations(self, number: int) -> list[tuple[Seat, str]]:
        """Whom a game waits for besides the owner, and what each opens on this server.

        This reads the disk, and may write. The owner has the first seat of a person.
        """
        guests = [Guest(number, seat) for seat in self._store.find(number).people[1:]]
        if guests and number not in self._secrets:
            self._secrets[number] = self._store.secret(number)
        return [(guest.seat, f"{JOIN}?key={self.key(guest)}") for guest in guests]

    def key(self, guest: Guest) -> str | None:
        """What lets a guest in; None where nobody was invited."""
        secret = self._secrets.get(guest.number)
        if secret is None:
            return None
        digest = hmac.new(secret.encode(), guest.named.encode(), hashlib.sha256).hexdigest()
        return f"{guest.named}-{digest[:32]}"

    def forget(self, number: int) -> None:
        """A game was deleted."""
        self._secrets.pop(number, None)


def guest_named(key: str) -> Guest | None:
    """Whose key it would be, if it has the form of one.

    >>> guest_named("12-1-" + 32 * "0")
    Guest(number=12, seat=1)
    >>> guest_named("sesame") is None
    True
    """
    found = _KEY.fullmatch(key)
    return None if found is None else Guest(int(found[1]), int(found[2]))
