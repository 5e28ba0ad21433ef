"""Commit and reveal: a deal's seed is sealed before the deal and shown after it.

The commitment is published first. Whoever kept it can check afterwards, with the seed and the
salt, that the cards were not chosen while the deal was being played.
"""

import hashlib
import hmac
import secrets

from undercut.core.rng import Seed

_SALT_BYTES = 16  # nobody can try them all, so a commitment does not tell its seed


def new_salt() -> str:
    """Random text that keeps the seed of one commitment from being guessed."""
    return secrets.token_hex(_SALT_BYTES)


def commit(seed: Seed, salt: str) -> str:
    """The commitment to a seed: the SHA-256 of "SEED:SALT", in hexadecimal digits.

    >>> commit(1, "salt")[:16]
    '18a830980e666245'
    """
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


def check(commitment: str, seed: Seed, salt: str) -> bool:
    """Whether a commitment was made to this seed with this salt.

    >>> check(commit(1, "salt"), 1, "salt"), check(commit(1, "salt"), 2, "salt")
    (True, False)
    """
    return hmac.compare_digest(commitment, commit(seed, salt))
