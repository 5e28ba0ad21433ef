"""Fair deals that a player can check: a commitment before the deal, the seed and salt after it.

Before the cards are dealt, the program shows the commitment: a digest of the deal's seed and a
secret salt. After the deal it shows both, so that anyone can compute the digest again and deal the
same cards. All this holds for secrets as well as for seeds.

To make sure that nobody chose the seed, a player can mix in words of his own. The commitment to the
seed comes before the words, and the cards depend on both.
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
    """Whether a seed and a salt match a commitment."""
    return hmac.compare_digest(commitment.encode(), commit(seed, salt).encode())


def mix(seed: Given, words: str) -> Given:
    """The seed that results from a committed seed and a player's words.

    >>> mix(7, "a black cat") != mix(7, "a white cat")
    True
    """
    if isinstance(seed, str):
        return digest(seed, f"undercut mix {words}").hex()
    mixed = hashlib.sha256(f"undercut mix {seed} {words}".encode()).digest()
    return int.from_bytes(mixed[:8], "big") % SEED_LIMIT
