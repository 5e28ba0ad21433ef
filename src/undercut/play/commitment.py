"""Fair deals that a player can check: a commitment before the deal, the seed and salt after it.

Before the cards are dealt everybody gets the commitment, a digest of the deal's seed and a secret
salt. Afterwards both are shown: anyone can compute the digest again and deal the same cards. What
is said here of seeds is said of secrets too.

A player who wants to be sure that nobody chose a seed for him mixes in words of his own. The seed is
committed to before he has named them, and the cards follow from both.
"""

import hashlib
import hmac

from undercut.kernels.rng import SEED_LIMIT
from undercut.play.secret_seeds import digest
from undercut.play.seeds import Given


def commit(seed: Given, salt: str) -> str:
    """The commitment to a deal's seed.

    >>> commit(7, "00")[:12]
    '49aacbc58afc'
    """
    return hashlib.sha256(f"undercut deal {seed} {salt}".encode()).hexdigest()


def check(commitment: str, seed: Given, salt: str) -> bool:
    """Whether a seed and a salt are those that were committed to."""
    return hmac.compare_digest(commitment.encode(), commit(seed, salt).encode())


def mix(seed: Given, words: str) -> Given:
    """A seed made from a committed one and a player's own words, so that neither chose the cards.

    >>> mix(7, "a black cat") != mix(7, "a white cat")
    True
    """
    if isinstance(seed, str):
        return digest(seed, f"undercut mix {words}").hex()
    mixed = hashlib.sha256(f"undercut mix {seed} {words}".encode()).digest()
    return int.from_bytes(mixed[:8], "big") % SEED_LIMIT
