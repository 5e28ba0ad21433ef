"""kernels/compile_errors.py: a kernel that does not compile is named in one sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from undercut.kernels.jit import hole, kernel, specialise
from undercut.kernels.records import Record, new
from undercut.text.errors import KernelError

pytestmark = pytest.mark.compiled

LAYOUT = np.dtype([("hands", "i8", 2), ("seat", "i8")])


@hole
def inner(state: Record, number: int) -> int: ...


def outer(state: Record, number: int) -> int:
    return inner(state, number) + 1


@kernel
def _misspelt(state: Record, number: int) -> int:
    return int(state.hnads[number])


@kernel
def _writes_misspelt(state: Record, number: int) -> int:
    state.saet = number
    return number


@kernel
def _unknown_name(state: Record, number: int) -> int:
    return number + nowhere  # type: ignore[name-defined,no-any-return]  # noqa: F821


@kernel
def _two_types(state: Record, number: int) -> Any:
    return "text" if number > 3 else number


def _plain(number: int) -> int:
    return number


@kernel
def _calls_python(state: Record, number: int) -> int:
    return _plain(number)


@kernel
def _too_few(state: Record, number: int) -> int:
    return _misspelt(state)  # type: ignore[call-arg]


@kernel
def _allocates(state: Record, number: int) -> int:
    return len([each for each in range(number)])  # noqa: C416


@kernel
def _breaks_the_compiler(state: Record, number: int) -> tuple[int, int]:
    held, count = (0, number), 0
    for each in range(number):
        if each > 3:
            held = (*held[1:], each)
            count += 1
            if count == 2:
                count = 0
    return held


WRONG = {
    _misspelt: "'hnads' is no field of this record: one of hands, seat",
    _writes_misspelt: "'saet' is no field of this record: one of hands, seat",
    _unknown_name: "name 'nowhere' is not defined",
    _two_types: "Cannot unify",
    _calls_python: "Untyped global name '_plain'",
    _too_few: "Cannot bind 'args=(a record,) kws={}' to signature '(state: ",
    _allocates: "a kernel allocates nothing",
}


def test_an_error_of_the_compiler_itself_names_the_kernel() -> None:
    with pytest.raises(
        KernelError, match=r"line \d+: kernel '_breaks_the_compiler' does not"
    ) as caught:
        _breaks_the_compiler(new(LAYOUT, 1)[0], 1)
    assert str(caught.value).endswith("compile: the compiler failed with AssertionError")


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_a_kernel_that_does_not_compile_is_named(wrong: Callable[..., int]) -> None:
    """Also where others call it: the innermost of them is the one that is wrong."""
    first = wrong.__code__.co_firstlineno + 2  # below its decorator and its name
    loop = specialise(outer, wrong.__name__, inner=wrong)
    for called in (wrong, loop):
        with pytest.raises(KernelError) as caught:
            called(new(LAYOUT, 1)[0], 1)
        message = str(caught.value)
        place = (
            f"test_compile_errors.py, line {first}: kernel {wrong.__name__!r} does not compile: "
        )
        assert place in message
        assert WRONG[wrong] in message
        assert "\n" not in message
