"""Matches of people: 256 bits from the system, and a label for each use of them.

A *secret* is 64 hexadecimal digits. Whatever follows from it is an HMAC-SHA-256 with the secret as
the key and a label as the message, so nothing that is revealed leads back to the secret or across
to another label. A match has a secret, and each of its deals has one that follows from it.

Seeds of 63 bits cannot name all 52! orders of a deck, which has 226 bits. A secret has bits enough.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias, TypeGuard

from undercut.kernels.records import Seat
from undercut.kernels.rng import SEED_LIMIT, Seed

Secret: TypeAlias = str  # 64 hexadecimal digits

_BYTES = 32
_SALT = 32  # digits
_DIGITS = re.compile(r"[0-9a-f]{64}")


def new_secret() -> Secret:
    """A secret that nobody can guess."""
    return secrets.token_hex(_BYTES)


def is_secret(value: object) -> TypeGuard[Secret]:
    """Whether this is a secret, as it is written."""
    return isinstance(value, str) and _DIGITS.fullmatch(value) is not None


def digest(secret: Secret, label: str) -> bytes:
    """What follows from a secret under a label."""
    return hmac.digest(bytes.fromhex(secret), label.encode(), hashlib.sha256)


def seed_under(secret: Secret, label: str) -> Seed:
    """A seed for a generator: good for chance that names no deck."""
    return int.from_bytes(digest(secret, label)[:8], "big") % SEED_LIMIT


@dataclass(frozen=True)
class SecretChance:
    """The chance of a match that has a secret."""

    secret: Secret

    @property
    def starter(self) -> Seed:
        """Decides who begins the first deal."""
        return seed_under(self.secret, "undercut starter")

    def deal(self, number: int) -> Secret:
        """The secret of a deal; it is revealed when the deal is over."""
        return digest(self.secret, f"undercut deal {number}").hex()

    def salt(self, number: int) -> str:
        """The salt of the commitment to a deal."""
        return digest(self.secret, f"undercut salt {number}").hex()[:_SALT]

    def agent(self, seat: Seat) -> Seed:
        """An agent's own chance."""
        return seed_under(self.secret, f"undercut agent {seat}")


def deck_of(secret: Secret, size: int) -> list[int]:
    """The deck of a deal, in the order in which it is dealt."""
    return shuffle(_stream(secret), size)


def reshuffle_seed(secret: Secret) -> Seed:
    """The seed with which a game shuffles during a deal.

    It has 63 bits. They lead to the order of the cards that are shuffled then, and to nothing else.
    """
    return seed_under(secret, "undercut reshuffle")


def shuffle(stream: Iterable[int], size: int) -> list[int]:
    """The numbers below `size`, at most 256, shuffled from the front (Fisher and Yates).

    Each choice takes a byte of the stream. Bytes at its end that would favour some choices are
    passed over, so that all orders are equally likely.

    >>> shuffle([255, 1, 0], 3)
    [1, 0, 2]
    """
    numbers, values = list(range(size)), iter(stream)
    for place in range(size - 1):
        choices = size - place
        fair = 256 - 256 % choices
        other = place + next(value for value in values if value < fair) % choices
        numbers[place], numbers[other] = numbers[other], numbers[place]
    return numbers


def _stream(secret: Secret) -> Iterator[int]:
    for block in count():
        yield from digest(secret, f"undercut deck {block}")
