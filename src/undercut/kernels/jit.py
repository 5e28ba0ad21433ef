"""The decorators that compile kernels; kernels/cache.py caches the result."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numpy.typing import NDArray

from undercut.kernels.cache import KernelCache, cache_folder, outside_digest
from undercut.kernels.compile_errors import naming_errors
from undercut.kernels.linking import LINKED, as_linked

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
Values: TypeAlias = Sequence[ir.Value]
Generated: TypeAlias = tuple[Signature, Callable[..., ir.Value]]


def hole(stub: Kernel) -> Kernel:
    """Declare a kernel that a template calls and `specialise` binds: a stub with its types.

    The stub never runs: `specialise` raises an error for a template with an unbound hole.
    """
    setattr(stub, _HOLE, True)
    return stub


def hole_value() -> Any:
    """Declare a layout or a number that `specialise` binds: `size: int = hole_value()`."""
    return _HoleValue()


class _HoleValue:
    """The placeholder for a value that is not bound yet."""

    is_hole = True


_HOLE = "is_hole"
_OUTSIDE = "outside"  # the attribute with digests of sources outside the package

_settings: Any = config
_intrinsic: Any = intrinsic  # its type stub describes the code generator, not the kernel

COMPILED: bool = not _settings.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT=1: kernels then run as plain Python functions."""

_WARP_BARRIER = "llvm.nvvm.bar.warp.sync"
_BLOCK_BARRIER = "llvm.nvvm.barrier0"


def kernel(function: Kernel) -> Kernel:
    """Compile a plain function; with compilation off, return it unchanged.

    Kernels are inlined into their callers, which nearly doubles the speed of fused matches.
    """
    return _compile(function, {"forceinline": True})


def cold_kernel(function: Kernel) -> Kernel:
    """A kernel for a rare or long path: not inlined, so it compiles faster."""
    return _compile(function, {})


def _compile(
    function: Kernel, placing: dict[str, Any], outside: frozenset[str] = frozenset()
) -> Kernel:
    outside |= outside_digest(Path(function.__code__.co_filename))
    # Kernels allocate nothing, so they need no reference counting: that saves a fifth of the time.
    flags: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    compiled: Any = njit(nogil=True, **placing, **flags)(function)
    if COMPILED:
        folder = cache_folder(outside)
        compiled._cache = KernelCache(function, folder)
        linked: Any = njit(**as_linked(), **placing, **flags)(function)
        linked._cache = KernelCache(function, folder / LINKED, kind=LINKED)
        compiled.compile = naming_errors(compiled.compile, function)
        linked.compile = naming_errors(linked.compile, function)
        compiled.get_call_template = linked.get_call_template
        compiled.get_overload = linked.get_overload
        _compile_once(compiled)
        setattr(compiled, _OUTSIDE, outside)
    done: Kernel = compiled
    return done


def _compile_once(compiled: Any) -> None:
    """Make calls with a constant or a narrow integer use the code for int64.

    Numba would compile a kernel again for each constant and each integer width. Kernels are inlined
    into their callers, where LLVM propagates constants anyway. Only code for exactly these argument
    types is offered: Numba would also consider the code for a record with fewer fields.
    """
    find_call = compiled.get_call_template

    def find_general_call(
        arguments: tuple[types.Type, ...], named: dict[str, types.Type]
    ) -> tuple[object, ...]:
        general = {name: _general(kind) for name, kind in named.items()}
        template, signature, folded, rest = find_call(
            tuple(_general(kind) for kind in arguments), general
        )
        exact = [case for case in template.cases if case.args == tuple(folded)]
        template.cases = exact or template.cases
        return template, signature, folded, rest

    compiled.get_call_template = find_general_call


def _general(kind: types.Type) -> types.Type:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) else plain


def specialise(template: Kernel, name: str, **bindings: object) -> Kernel:
    """A copy of a kernel in which the given global names mean other kernels.

    Numba cannot cache a function that takes functions as arguments. A copy with its own globals and
    its own `name` can be cached, and every call in it can be inlined.
    """
    return _specialise(template, name, {"forceinline": True}, bindings)


def specialise_cold(template: Kernel, name: str, **bindings: object) -> Kernel:
    """Such a copy of a rare path: not inlined."""
    return _specialise(template, name, {}, bindings)


def specialise_part(template: Kernel, name: str, **bindings: object) -> Kernel:
    """Such a copy for one or two callers on a CPU: compiled with each, and never by itself.

    Numba inlines it before type inference. That halves the compilation time of a loop that is
    inlined into its only caller anyway.
    """
    return _specialise(template, name, {"inline": "always"}, bindings)


def _specialise(
    template: Kernel, name: str, placing: dict[str, Any], bindings: dict[str, object]
) -> Kernel:
    source = getattr(template, "py_func", template)
    namespace = {**source.__globals__, **bindings}
    check_bound(source, namespace)
    copy = FunctionType(source.__code__, namespace, source.__name__, source.__defaults__)
    copy.__qualname__ = f"{source.__qualname__}__{name}"
    copy.__module__ = source.__module__
    outside: frozenset[str] = frozenset()
    for meant in (template, *bindings.values()):
        outside |= getattr(meant, _OUTSIDE, frozenset())
    return _compile(copy, placing, outside)  # type: ignore[return-value]


def undispatched(kernel: Kernel) -> Kernel:
    """The machine code of a kernel after its first call, without Numba's type dispatcher.

    That saves a tenth of a microsecond a call. The caller must always pass the same types.
    """
    (compiled,) = getattr(kernel, "overloads", {}).values() or (None,)
    return kernel if compiled is None else compiled.entry_point


def kernel_name(function: Any) -> str:
    """A unique name of a kernel, for the names of copies that are bound to it."""
    source = getattr(function, "py_func", function)
    return f"{source.__module__.rpartition('.')[2]}_{source.__qualname__}"


def check_bound(template: Callable[..., object], namespace: dict[str, object]) -> None:
    """Raise an error if a template uses a hole that nothing was bound to."""
    for name in template.__code__.co_names:
        meant = namespace.get(name)
        if getattr(meant, _HOLE, False):
            raise TypeError(f"{template.__qualname__}: nothing is bound to {name!r}")


def _interpreted_count_ones(number: int) -> int:
    """The number of bits that are set."""
    return int(number).bit_count()


def _interpreted_count_trailing_zeros(number: int) -> int:
    """The index of the lowest bit that is set; the number must not be 0."""
    return (int(number) & -int(number)).bit_length() - 1


def _generate_count_ones(typing: object, number: object) -> Generated:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values
    ) -> ir.Value:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _generate_count_trailing_zeros(typing: object, number: object) -> Generated:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values
    ) -> ir.Value:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _interpreted_wrapped_product(number: int, other: int) -> int:
    """A product modulo 2**64: it may overflow, and callers use only the low 64 bits.

    Numba assumes that a normal product of int64 numbers never overflows.
    """
    return int(number) * int(other)


def _generate_wrapped_product(typing: object, number: object, other: object) -> Generated:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values
    ) -> ir.Value:
        return builder.mul(*arguments)

    return types.int64(types.int64, types.int64), generate


def _interpreted_meet(lanes: int) -> None:
    """A barrier for lanes: the threads of a GPU that work on one decision together.

    A single lane does not wait; more lanes than a warp are a whole block. After the barrier, all
    lanes see the writes that came before it.
    """
    if lanes > 1:  # in the CUDA simulator, where threads are threads of Python
        fellow: Any = threading.current_thread()
        fellow.syncthreads()


def _call_barrier(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> None:
    kind = ir.FunctionType(ir.VoidType(), [each.type for each in arguments])
    barrier = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    builder.call(barrier, arguments)


def _generate_meet(typing: object, lanes: object) -> Generated:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values
    ) -> ir.Value:
        if "cuda" in type(context).__module__:
            count, word = arguments[0], ir.IntType(32)
            warp = ir.Constant(count.type, 32)
            few = builder.icmp_signed("<=", count, warp)
            several = builder.icmp_signed(">", count, ir.Constant(count.type, 1))
            with builder.if_then(builder.and_(few, several)):
                _call_barrier(builder, _WARP_BARRIER, ir.Constant(word, 0xFFFFFFFF))
            with builder.if_then(builder.not_(few)):
                _call_barrier(builder, _BLOCK_BARRIER)
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _interpreted_stay_apart() -> None:
    """At the start of a kernel: do not inline it on a GPU.

    Inlined copies of long functions soon exceed the instruction cache of a GPU.
    """


def _generate_stay_apart(typing: object) -> Generated:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values
    ) -> ir.Value:
        if "cuda" in type(context).__module__:
            builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


def _interpreted_store_bits(out: NDArray[np.uint8], first: int, word: int) -> None:
    """Write the 64 bits of a word, which is not negative, as bytes 0 or 1 from out[first] on."""
    for bit in range(64):
        out[first + bit] = int(word) >> bit & 1


def _generate_store_bits(typing: object, out: types.Type, first: object, word: object) -> Generated:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values
    ) -> ir.Value:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        row = ir.VectorType(ir.IntType(8), 64)
        bits = builder.bitcast(arguments[2], ir.VectorType(ir.IntType(1), 64))
        place = builder.gep(array.data, [arguments[1]])
        store = builder.store(builder.zext(bits, row), builder.bitcast(place, row.as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64), generate


# The first three take one or two processor instructions each, on a CPU and on a GPU.
count_ones: Callable[[int], int] = _interpreted_count_ones
count_trailing_zeros: Callable[[int], int] = _interpreted_count_trailing_zeros
wrapped_product: Callable[[int, int], int] = _interpreted_wrapped_product
meet: Callable[[int], None] = _interpreted_meet
stay_apart: Callable[[], None] = _interpreted_stay_apart
store_bits: Callable[[NDArray[np.uint8], int, int], None] = _interpreted_store_bits
if COMPILED:
    count_ones = _intrinsic(_generate_count_ones)
    count_trailing_zeros = _intrinsic(_generate_count_trailing_zeros)
    wrapped_product = _intrinsic(_generate_wrapped_product)
    meet = _intrinsic(_generate_meet)
    stay_apart = _intrinsic(_generate_stay_apart)
    store_bits = _intrinsic(_generate_store_bits)
