"""A counter-based random number generator: equal numbers interpreted, compiled and on a GPU.

Philox4x32-10 (Salmon et al., 2011): a block of four 32-bit words is a function of a 64-bit key and
a 128-bit counter. There is no hidden state, and any position of any stream can be computed alone.
The arithmetic keeps only the low or the high 32 bits of a 64-bit product. They are the same for
Python's unbounded integers and for wrapping 64-bit integers.
"""

from typing import Annotated, Protocol, TypeAlias

from undercut.kernels.jit import cold_kernel, kernel, wrapped_product
from undercut.kernels.records import Array, Fields, Int64, layout_of

Seed: TypeAlias = int  # 0 .. 2**63 - 1

SEED_LIMIT = 2**63


class Generator(Fields, Protocol):
    """A place in a stream of random words."""

    seed: Int64  # the key
    position: Int64  # how many words have been used
    words: Annotated[Array, "i8", 4]  # the block that holds the next word


GENERATOR = layout_of(Generator)

_WORD = 0xFFFFFFFF


@kernel
def philox(counter: tuple[int, int, int, int], seed: Seed) -> tuple[int, int, int, int]:
    """The block of four words at a counter."""
    a, b, c, d = counter
    key, other_key = seed & _WORD, (seed >> 32) & _WORD
    for _ in range(10):
        product, other_product = wrapped_product(0xD2511F53, a), wrapped_product(0xCD9E8D57, c)
        a = ((other_product >> 32) & _WORD) ^ b ^ key
        b = other_product & _WORD
        c = ((product >> 32) & _WORD) ^ d ^ other_key
        d = product & _WORD
        key = (key + 0x9E3779B9) & _WORD
        other_key = (other_key + 0xBB67AE85) & _WORD
    return a, b, c, d


@cold_kernel
def derive(seed: Seed, purpose: int, index: int, number: int) -> Seed:
    """A seed derived from another, which it does not reveal."""
    index = int(index)
    counter = (int(number) & _WORD, index & _WORD, (index >> 32) & _WORD, purpose + 1)
    high, low, _, _ = philox(counter, int(seed))
    return ((high & 0x7FFFFFFF) << 32) | low


@kernel
def start(generator: Generator, seed: Seed) -> None:
    """Set a generator to the start of a seed's stream."""
    generator.seed = seed
    generator.position = 0


def move_to(generator: Generator, position: int) -> None:
    """Set a started generator to its position after this many words."""
    generator.position = position
    if position & 3:
        _refill(generator)


@kernel
def word(generator: Generator) -> int:
    """The next 32 random bits."""
    position = int(generator.position)
    if position & 3 == 0:
        _refill(generator)
    generator.position = position + 1
    return int(generator.words[position & 3])


@kernel
def _refill(generator: Generator) -> None:
    block = int(generator.position) >> 2
    a, b, c, d = philox((block & _WORD, block >> 32, 0, 0), int(generator.seed))
    generator.words[0] = a
    generator.words[1] = b
    generator.words[2] = c
    generator.words[3] = d


@kernel
def fill(generator: Generator, out: Array) -> None:
    """Write the next words: the same as repeated calls of `word`."""
    place, end = 0, len(out)
    while place < end and generator.position & 3:
        out[place] = word(generator)
        place += 1
    first, blocks = int(generator.position) >> 2, (end - place) >> 2
    seed = int(generator.seed)
    for i in range(blocks):
        block = first + i
        a, b, c, d = philox((block & _WORD, block >> 32, 0, 0), seed)
        out[place + 4 * i] = a
        out[place + 4 * i + 1] = b
        out[place + 4 * i + 2] = c
        out[place + 4 * i + 3] = d
    generator.position += 4 * blocks
    for i in range(place + 4 * blocks, end):
        out[i] = word(generator)


@kernel
def below(generator: Generator, limit: int) -> int:
    """A number from 0 to limit - 1; for our small limits uniform to within one in 10**8."""
    return (word(generator) * limit) >> 32


@kernel
def uniform(generator: Generator) -> float:
    """A number in [0, 1)."""
    return word(generator) * (1.0 / 4294967296.0)


@kernel
def next_seed(generator: Generator) -> Seed:
    """A seed for other generators."""
    high = word(generator) & 0x7FFFFFFF
    return (high << 32) | word(generator)


@kernel
def shuffle_pack(generator: Generator, deck: Array) -> None:
    """Fill a deck with all its cards, in random order."""
    for card in range(len(deck)):
        deck[card] = card
    shuffle(generator, deck, 0, len(deck))


@cold_kernel
def shuffle(generator: Generator, items: Array, first: int, end: int) -> None:
    """Shuffle items[first:end], from the front (Fisher and Yates)."""
    for place in range(first, end - 1):
        other = place + below(generator, end - place)
        items[place], items[other] = items[other], items[place]
