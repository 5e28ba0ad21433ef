"""Secrets: 256 random bits instead of a seed, for matches of people.

A *secret* is 64 hexadecimal digits. Every value is derived from it with HMAC-SHA-256: the secret is
the key, a label is the message. A revealed value tells nothing about the secret or about values
under other labels. A match has a secret, from which the secrets of its deals are derived.

A deck has 52! orders, about 226 bits. A seed of 63 bits cannot reach them all; a secret can.
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
    """Whether a value has the form of a secret."""
    return isinstance(value, str) and _DIGITS.fullmatch(value) is not None


def digest(secret: Secret, label: str) -> bytes:
    """The bytes that are derived from a secret under a label."""
    return hmac.digest(bytes.fromhex(secret), label.encode(), hashlib.sha256)


def seed_under(secret: Secret, label: str) -> Seed:
    """A 63-bit seed for a generator, for everything but shuffling a deck."""
    return int.from_bytes(digest(secret, label)[:8], "big") % SEED_LIMIT


@dataclass(frozen=True)
class SecretChance:
    """The random numbers of a match, derived from a secret."""

    secret: Secret

    @property
    def starter(self) -> Seed:
        """The seed that chooses the first starter."""
        return seed_under(self.secret, "undercut starter")

    def deal(self, number: int) -> Secret:
        """The secret of a deal; it is revealed when the deal is over."""
        return digest(self.secret, f"undercut deal {number}").hex()

    def salt(self, number: int) -> str:
        """The salt of the commitment to a deal."""
        return digest(self.secret, f"undercut salt {number}").hex()[:_SALT]

    def agent(self, seat: Seat) -> Seed:
        """The seed of an agent's generator."""
        return seed_under(self.secret, f"undercut agent {seat}")


def deck_of(secret: Secret, size: int) -> list[int]:
    """The deck of a deal, in the order in which it is dealt."""
    return shuffle(_stream(secret), size)


def reshuffle_seed(secret: Secret) -> Seed:
    """The seed with which a game reshuffles cards during a deal.

    It has only 63 bits, and determines nothing but the order of the reshuffled cards.
    """
    return seed_under(secret, "undercut reshuffle")


def shuffle(stream: Iterable[int], size: int) -> list[int]:
    """A Fisher-Yates shuffle of the numbers below `size`, which is at most 256.

    Each step uses one byte of the stream. Bytes that would favour some numbers are rejected, so
    that all orders are equally likely.

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
