"""What seeds are derived for: every use of chance has a purpose of its own."""

from enum import IntEnum

from undercut.core import rng
from undercut.core.errors import OptionsError
from undercut.core.rng import SEED_LIMIT, Seed


class Purpose(IntEnum):
    """The second argument of `rng.derive`; a number, once given, never changes its meaning."""

    DECK = 0
    AGENT = 1
    STARTER = 2
    SALT = 3
    SEATING = 4
    DATA = 5


def check_seed(seed: int) -> Seed:
    """A seed that can name chance."""
    if not 0 <= seed < SEED_LIMIT:
        raise OptionsError(f"seed {seed}: must be from 0 to {SEED_LIMIT - 1}")
    return seed


def derive(seed: Seed, purpose: Purpose, number: int, place: int) -> Seed:
    """The seed for a purpose, outside kernels: a call with an enum would take fifty times as long."""
    return int(rng.derive(seed, int(purpose), number, place))
