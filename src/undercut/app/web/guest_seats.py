"""The seats of guests: a key opens one seat of one game.

The keys of a game derive from a secret that is stored with it, so links stay valid until the game
is deleted, also after a restart of the server. All secrets are in memory, so that requests with
wrong keys do not read the disk.
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
    """The seat of a guest of the server's owner."""

    number: int  # of the game
    seat: Seat

    @property
    def named(self) -> str:
        """The game and the seat, as in paths and keys."""
        return f"{self.number}-{self.seat}"

    @property
    def place(self) -> str:
        return f"/seat/{self.named}/"


class Seats:
    """The keys to the seats of guests."""

    def __init__(self, store: Store) -> None:
        self._store, self._secrets = store, store.secrets()

    def invitations(self, number: int) -> list[tuple[Seat, str]]:
        """The seats of guests in a game, each with the path of its link.

        The owner has the first seat of a person. This reads the disk, and may write to it.
        """
        guests = [Guest(number, seat) for seat in self._store.find(number).people[1:]]
        if guests and number not in self._secrets:
            self._secrets[number] = self._store.secret(number)
        return [(guest.seat, f"{JOIN}?key={self.key(guest)}") for guest in guests]

    def key(self, guest: Guest) -> str | None:
        """The key of a guest; None if the game has no invitations."""
        secret = self._secrets.get(guest.number)
        if secret is None:
            return None
        digest = hmac.new(secret.encode(), guest.named.encode(), hashlib.sha256).hexdigest()
        return f"{guest.named}-{digest[:32]}"

    def forget(self, number: int) -> None:
        self._secrets.pop(number, None)


def guest_named(key: str) -> Guest | None:
    """The guest of a key; None if it does not have the form of one.

    >>> guest_named("12-1-" + 32 * "0")
    Guest(number=12, seat=1)
    >>> guest_named("sesame") is None
    True
    """
    found = _KEY.fullmatch(key)
    return None if found is None else Guest(int(found[1]), int(found[2]))
