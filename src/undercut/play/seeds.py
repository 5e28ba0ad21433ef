"""The random numbers of a match, derived from a seed, or from a secret if people play.

Every use has its own purpose, and so its own stream.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypeAlias, TypeVar

from undercut.kernels import rng
from undercut.kernels.records import Seat
from undercut.kernels.rng import SEED_LIMIT, Seed
from undercut.play.secret_seeds import Secret, SecretChance, is_secret
from undercut.text.errors import OptionsError

AnySeed: TypeAlias = Seed | Secret
Given = TypeVar("Given", Seed, Secret, AnySeed)


class Purpose(IntEnum):
    """The second argument of `rng.derive`. The numbers never change: stored matches use them."""

    DECK = 0
    AGENT = 1
    STARTER = 2
    SALT = 3
    SEATING = 4
    DATA = 5


class Chance(Protocol):
    """The seeds of a match, one for each use."""

    @property
    def starter(self) -> Seed: ...
    def deal(self, number: int, /) -> AnySeed: ...
    def salt(self, number: int, /) -> str: ...
    def agent(self, seat: Seat, /) -> Seed: ...


@dataclass(frozen=True)
class SeedChance:
    """The seeds of one match of a batch: `pair` is its round, `number` its match number."""

    seed: Seed
    pair: int = 0
    number: int = 0

    @property
    def starter(self) -> Seed:
        """The seed that chooses the first starter."""
        return derive(self.seed, Purpose.STARTER, self.pair, 0)

    def deal(self, number: int) -> Seed:
        """The seed of a deal; it is revealed when the deal is over."""
        return derive(self.seed, Purpose.DECK, self.pair, number)

    def salt(self, number: int) -> str:
        """The salt of the commitment to a deal."""
        return f"{derive(self.seed, Purpose.SALT, self.pair, number):016x}"

    def agent(self, seat: Seat) -> Seed:
        """The seed of an agent's generator."""
        return derive(self.seed, Purpose.AGENT, self.number, seat)


def chance_of(seed: AnySeed, pair: int = 0) -> Chance:
    """The seeds of a match, from a secret, or from a seed and the round of a batch."""
    if isinstance(seed, str):
        return SecretChance(check_seed(seed))
    return SeedChance(check_seed(seed), pair)


def check_seed(seed: Given) -> Given:
    """Return a valid seed or secret; raise OptionsError for any other."""
    if isinstance(seed, str):
        if not is_secret(seed):
            raise OptionsError(f"secret {seed!r}: must be 64 hexadecimal digits, in small letters")
    elif not 0 <= seed < SEED_LIMIT:
        raise OptionsError(f"seed {seed}: must be from 0 to {SEED_LIMIT - 1}")
    return seed


def derive(seed: Seed, purpose: Purpose, number: int, place: int) -> Seed:
    """`rng.derive` for Python code: a call with an enum would take fifty times as long."""
    return int(rng.derive(seed, int(purpose), number, place))
