"""kernels/jit.py: kernels, templates and what only processors can do."""

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from kernels.lanes import side_by_side
from undercut.kernels import jit
from undercut.kernels.jit import (
    count_ones,
    count_trailing_zeros,
    kernel,
    meet,
    specialise,
    specialise_part,
    stay_apart,
    wrapped_product,
)
from undercut.kernels.records import pack


def test_count_bits() -> None:
    @kernel
    def both(number: int) -> tuple[int, int]:
        return count_ones(number), count_trailing_zeros(number)

    for number in (1, 2, 3, 0b1011000, 1 << 51, (1 << 52) - 1, 1 << 62):
        assert both(number) == (bin(number).count("1"), bin(number)[::-1].index("1"))


def test_a_lone_lane_waits_for_nobody() -> None:
    @kernel
    def sum_of_lane(numbers: Any, lane: int, lanes: int) -> int:
        stay_apart()
        total = 0
        meet(lanes)
        for i in range(lane, len(numbers), lanes):
            total += int(numbers[i])
        meet(lanes)
        return total

    @kernel
    def twice(numbers: Any) -> int:
        stay_apart()
        return sum_of_lane(numbers, 0, 1) + sum_of_lane(numbers, 0, 1)

    assert twice(np.arange(5)) == 20


@pytest.mark.compiled
def test_a_wrapped_product_may_be_too_large() -> None:
    """Numba says of other products of numbers above 0 that they are above 0, however large."""

    @kernel
    def is_negative(number: int) -> bool:
        product: int = wrapped_product(0xD2511F53, number & 0xFFFFFFFF)
        return product < 0

    assert is_negative(0xFFFFFFFF)
    assert not is_negative(1)


def test_lanes_that_meet_see_what_each_has_written() -> None:
    written = [0, 0, 0]

    def write(lane: int) -> int:
        written[lane] = lane + 1
        jit._interpreted_meet(3)
        return sum(written)

    assert side_by_side(3, write) == [6, 6, 6]


def test_specialise_binds_names_and_leaves_the_template_alone() -> None:
    template = _template
    doubled = specialise(template, "doubled", step=kernel(_double))
    squared = specialise(template, "squared", step=kernel(_square))
    assert (doubled(5), squared(5)) == (11, 26)
    assert doubled.__name__ == template.__name__
    with pytest.raises(TypeError, match="nothing is bound to 'step'"):
        specialise(template, "unbound")


@pytest.mark.compiled
def test_a_part_is_compiled_with_its_caller_alone() -> None:
    part: Any = specialise_part(_template, "part", step=kernel(_double))
    whole: Any = specialise(_template, "whole", step=part)
    assert whole(5) == 12
    assert (len(whole.signatures), part.signatures) == (1, [])


@pytest.mark.compiled
def test_a_kernel_that_kernels_call_is_linked_and_called_by_python_it_is_compiled() -> None:
    inner: Any = kernel(_below_ten)
    outer: Any = specialise(_template, "linked", step=inner)
    assert outer(5) == 7
    assert (len(outer.signatures), inner.signatures) == (1, [])
    assert (inner(5), len(inner.signatures)) == (6, 1)
    for each in (outer, inner):
        with pytest.raises(ValueError, match="ten is too much"):
            each(10)


def test_a_value_that_nothing_is_bound_to_is_an_error() -> None:
    assert specialise(_scaled, "tripled", factor=3)(5) == 15
    with pytest.raises(TypeError, match="nothing is bound to 'factor'"):
        specialise(_scaled, "unbound")


@jit.hole
def step(number: int) -> int: ...


factor: int = jit.hole_value()


def _template(number: int) -> int:
    return step(number) + 1


def _below_ten(number: int) -> int:
    if number == 10:
        raise ValueError("ten is too much")
    return number + 1


def _scaled(number: int) -> int:
    return factor * number


def _double(number: int) -> int:
    return 2 * number


def _square(number: int) -> int:
    return number * number


def test_a_record_with_more_fields_gets_code_of_its_own() -> None:
    """Numba would warn that it takes one record for the other, in whichever order they come."""

    @kernel
    def first(record: Any) -> int:
        return int(record.first)

    @kernel
    def plus_one(record: Any) -> int:
        return first(record) + 1

    @kernel
    def plus_two(record: Any) -> int:
        return first(record) + 2

    short = pack(namedtuple("Short", "first")(1))
    long = pack(namedtuple("Long", "first second")(5, 6))
    answers = [plus_one(short), plus_two(long), plus_one(long), plus_two(short)]
    assert answers == [2, 7, 6, 3]
