"""Philox4x32-10, written from Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3" (2011), with the known answers that come with its authors' own code.
"""

from collections.abc import Iterator

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)  # added to the key after each round: golden ratio, sqrt(3) - 1
ROUNDS = 10
BASE = 2**32

# (counter, key, block)
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),
        (0xFFFFFFFF, 0xFFFFFFFF),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

Block = tuple[int, int, int, int]


def one_round(counter: Block, key: tuple[int, int]) -> Block:
    first_high, first_low = divmod(MULTIPLIERS[0] * counter[0], BASE)
    second_high, second_low = divmod(MULTIPLIERS[1] * counter[2], BASE)
    return (
        second_high ^ counter[1] ^ key[0],
        second_low,
        first_high ^ counter[3] ^ key[1],
        first_low,
    )


def philox(counter: Block, key: tuple[int, int]) -> Block:
    """The block of four words at a counter, for a key of two words."""
    for number in range(ROUNDS):
        round_key = tuple(
            (word + number * step) % BASE for word, step in zip(key, WEYL, strict=True)
        )
        counter = one_round(counter, (round_key[0], round_key[1]))
    return counter


def key_of(seed: int) -> tuple[int, int]:
    """A seed as two words, the low one first."""
    return seed % BASE, seed // BASE


def words(seed: int) -> Iterator[int]:
    """The stream of a seed: block after block, the block's number in the counter's low words."""
    number = 0
    while True:
        yield from philox((number % BASE, number // BASE, 0, 0), key_of(seed))
        number += 1


def below(word: int, limit: int) -> int:
    """A word as a number from 0 to limit - 1, in proportion."""
    return word * limit // BASE


def shuffled(items: list[int], seed: int) -> list[int]:
    """Fisher and Yates from the front: each place in turn gets any of the items left."""
    stream = words(seed)
    left = list(items)
    for place in range(len(left) - 1):
        other = place + below(next(stream), len(left) - place)
        left[place], left[other] = left[other], left[place]
    return left


def derived(seed: int, purpose: int, index: int, number: int) -> int:
    """A 63-bit seed for a purpose, from the block that the purpose, index and number name."""
    counter = (number % BASE, index % BASE, index // BASE % BASE, purpose + 1)
    high, low, _, _ = philox(counter, key_of(seed))
    return high % 2**31 * BASE + low
