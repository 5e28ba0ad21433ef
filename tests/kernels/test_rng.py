"""kernels/rng.py against Philox as the paper writes it, and against the authors' known answers."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.reference import rng as reference
from positions import generator, scaled
from undercut.kernels import rng
from undercut.play.agent import Random

seeds = st.integers(0, rng.SEED_LIMIT - 1)
words = st.integers(0, 2**32 - 1)


def _as_seed(key: tuple[int, int]) -> int:
    """Two key words as the signed 64-bit number that holds their bits."""
    number = key[0] + (key[1] << 32)
    return number if number < 2**63 else number - 2**64


@pytest.mark.parametrize(("counter", "key", "block"), reference.KNOWN_ANSWERS)
def test_known_answers(
    counter: reference.Block, key: tuple[int, int], block: reference.Block
) -> None:
    assert reference.philox(counter, key) == block
    assert rng.philox(counter, _as_seed(key)) == block


@given(st.tuples(words, words, words, words), seeds)
def test_blocks_equal_the_reference(counter: reference.Block, seed: int) -> None:
    assert rng.philox(counter, seed) == reference.philox(counter, reference.key_of(seed))


@given(seeds)
def test_a_stream_is_block_after_block(seed: int) -> None:
    stream = generator(seed)
    assert [rng.word(stream) for _ in range(11)] == list(islice(reference.words(seed), 11))


@pytest.mark.parametrize("used", range(5))
def test_many_words_are_those_that_come_one_by_one(used: int) -> None:
    one, many = generator(9), generator(9)
    for stream in (one, many):
        for _ in range(used):
            rng.word(stream)
    for count in (2, 11):
        found = np.zeros(count, dtype=np.int64)
        rng.fill(many, found)
        assert found.tolist() == [rng.word(one) for _ in range(count)]


def test_a_stream_goes_on_after_2_to_the_32_blocks() -> None:
    stream = generator(5)
    stream["position"] = 4 * 2**32
    expected = reference.philox((0, 1, 0, 0), reference.key_of(5))
    assert tuple(rng.word(stream) for _ in range(4)) == expected


def test_starting_again_gives_the_same_stream() -> None:
    stream = generator(77)
    first = [rng.word(stream) for _ in range(6)]
    rng.start(stream, 77)
    assert [rng.word(stream) for _ in range(6)] == first


@given(seeds, st.integers(1, 10_000))
def test_below_and_uniform_scale_the_next_word(seed: int, limit: int) -> None:
    first, second = islice(reference.words(seed), 2)
    stream = generator(seed)
    assert rng.below(stream, limit) == reference.below(first, limit)
    assert rng.uniform(stream) == second / 2**32


@given(seeds)
def test_the_next_seed_is_made_of_the_next_two_words(seed: int) -> None:
    stream, expected = generator(seed), reference.words(seed)
    for high, low in (tuple(islice(expected, 2)) for _ in range(3)):
        found = rng.next_seed(stream)
        assert found == high % 2**31 * 2**32 + low
        assert 0 <= found < rng.SEED_LIMIT


def test_below_reaches_every_number_about_equally() -> None:
    stream, count = generator(1), scaled(120_000, 12_000)
    found = np.bincount([rng.below(stream, 12) for _ in range(count)], minlength=12)
    expected = count / 12
    # 11 degrees of freedom: above 31.3 once in a thousand; the seed is fixed.
    assert ((found - expected) ** 2 / expected).sum() < 31.3


@given(seeds)
def test_shuffling_equals_the_reference(seed: int) -> None:
    deck = np.arange(52, dtype=np.int8)
    rng.shuffle(generator(seed), deck, 0, 52)
    assert deck.tolist() == reference.shuffled(list(range(52)), seed)


def test_shuffling_a_part_leaves_the_rest_in_place() -> None:
    deck = np.arange(52, dtype=np.int8)
    rng.shuffle(generator(3), deck, 20, 40)
    assert deck[:20].tolist() == list(range(20))
    assert deck[40:].tolist() == list(range(40, 52))
    assert deck[20:40].tolist() == reference.shuffled(list(range(20, 40)), 3)


def test_shuffling_puts_every_card_everywhere_about_equally() -> None:
    count = scaled(20_000, 1_500)
    stream, places = generator(9), np.zeros((6, 6))
    for _ in range(count):
        items = np.arange(6, dtype=np.int8)
        rng.shuffle(stream, items, 0, 6)
        places[np.arange(6), items] += 1
    expected = count / 6
    # 25 degrees of freedom: above 52.6 once in a thousand; the seed is fixed.
    assert ((places - expected) ** 2 / expected).sum() < 52.6


@given(seeds, st.integers(0, 2), st.integers(0, 2**40), st.integers(0, 2**31))
def test_derived_seeds_equal_the_reference(
    seed: int, purpose: int, index: int, number: int
) -> None:
    derived = rng.derive(seed, purpose, index, number)
    assert derived == reference.derived(seed, purpose, index, number)
    assert 0 <= derived < rng.SEED_LIMIT


def test_derived_seeds_differ_in_every_part_and_from_the_stream() -> None:
    parts = [(1, 0, 0, 0), (2, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 2**32, 0), (1, 0, 0, 1)]
    assert len({int(rng.derive(*part)) for part in parts}) == len(parts)


def test_an_agent_in_python_gets_the_same_chance_as_a_kernel() -> None:
    python, kernel = Random.from_seed(12), generator(12)
    assert [python.below(10) for _ in range(5)] == [rng.below(kernel, 10) for _ in range(5)]
    assert python.uniform() == rng.uniform(kernel)
    assert python.choice("abc") == "abc"[rng.below(kernel, 3)]
