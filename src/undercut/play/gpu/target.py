"""The way to a GPU: Numba's CUDA target, and templates compiled for it.

Needs the extra `cuda` and an NVIDIA GPU; nothing else in the package imports these dependencies.
With NUMBA_ENABLE_CUDASIM=1 the same kernels run on the CPU, slowly, for tests.
"""

import importlib
import os
import warnings
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cache
from types import FunctionType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from undercut.kernels.compiling import reported
from undercut.kernels.jit import check_bound, hole_value
from undercut.kernels.records import Array, Kind
from undercut.text.errors import UndercutError


class Place(Protocol):
    """A number for each dimension of a grid; ours have one."""

    x: int


class Memory(Protocol):
    """Memory of a kernel: a thread's own, or that of a block."""

    def array(self, shape: int | tuple[int, ...], kind: npt.DTypeLike, /) -> Array: ...


class Atomic(Protocol):
    """What threads do one after the other."""

    def add(self, array: Array, place: int | tuple[int, ...], value: int, /) -> int:
        """Add to a number; return what it was before."""


class DeviceArray(Protocol):
    """An array in the GPU's memory."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Kind
    __cuda_array_interface__: Mapping[str, Any]

    def __len__(self) -> int: ...
    def copy_to_host(self, array: Array | None = None, stream: Any = 0) -> Array: ...
    def copy_to_device(self, array: Array) -> None: ...


class Cuda(Protocol):
    """What is used of Numba's CUDA target, in kernels and then around them."""

    local: Memory
    shared: Memory
    atomic: Atomic
    threadIdx: Place  # noqa: N815
    blockIdx: Place  # noqa: N815
    blockDim: Place  # noqa: N815
    gridDim: Place  # noqa: N815

    def grid(self, dimensions: int, /) -> int: ...
    def gridsize(self, dimensions: int, /) -> int: ...
    def syncwarp(self) -> None: ...
    def syncthreads(self) -> None: ...
    def syncthreads_count(self, here: np.int32, /) -> int: ...

    def is_available(self) -> bool: ...
    def jit(self, function: Callable[..., object], **settings: object) -> Any: ...
    def to_device(self, array: Array) -> DeviceArray: ...
    def device_array(self, shape: int, dtype: Kind) -> DeviceArray: ...
    def pinned_array(self, shape: int, dtype: Kind) -> Array: ...
    def as_cuda_array(self, shared: object) -> DeviceArray: ...
    def external_stream(self, pointer: int) -> Any: ...
    def stream(self) -> Any: ...
    def event(self) -> Any: ...
    def get_current_device(self) -> Any: ...


cuda: Cuda = hole_value()
"""Numba's CUDA target in templates: `compile_for_gpu` binds it."""


def load_cuda() -> Cuda:
    """Numba's CUDA target, or a clear error where there is none."""
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 still asks for it; NumPy 2.5 dropped it
        np.row_stack = np.vstack
    try:
        cuda: Cuda = importlib.import_module("numba.cuda")
    except ImportError as missing:
        raise UndercutError(f"--device cuda needs the extra 'cuda' ({missing})") from None
    if not cuda.is_available():
        raise UndercutError("--device cuda: no NVIDIA GPU was found here (--device cpu works)")
    _take_as_meant()
    return cuda


@cache
def _take_as_meant() -> None:
    """Keep Numba from warning of what is intended; other warnings still appear."""
    config = importlib.import_module("numba.cuda").config
    # Few matches make a small grid, and matches played whole have one block on a multiprocessor.
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    # The settings of one agent may begin with all fields of another's. Numba considers the code for
    # those too, and says so; the code for exactly these settings is there, and it takes that.
    warnings.filterwarnings("ignore", ".* has been considered a subtype of ")


def is_simulated() -> bool:
    """Whether the kernels run on the CPU, for tests."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def multiprocessors() -> int:
    """How many blocks of threads the GPU runs at once, at least."""
    numba_cuda = load_cuda()
    return 1 if is_simulated() else int(numba_cuda.get_current_device().MULTIPROCESSOR_COUNT)


class GpuKernel:
    """A kernel for the GPU. It is compiled when it is launched for the first time."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._is_compiled = False

    def launch(self, grid: tuple[object, ...], *arguments: object) -> None:
        """Run it on a number of blocks of a number of threads, in a stream if one follows.

        Arrays are the GPU's own.
        """
        with nullcontext() if self._is_compiled else reported():
            self._kernel[grid](*arguments)
        self._is_compiled = True


def compile_for_gpu(template: Callable[..., None], registers: int, **names: object) -> GpuKernel:
    """A template as a GPU kernel, with some of its global names bound, as `specialise` does it."""
    return _compile(template, registers, tuple(sorted(names.items(), key=lambda item: item[0])))


@cache
def _compile(
    template: FunctionType, registers: int, names: tuple[tuple[str, object], ...]
) -> GpuKernel:
    numba_cuda = load_cuda()
    bound = {**template.__globals__, **dict(names), "cuda": numba_cuda}
    check_bound(template, bound)
    function = FunctionType(template.__code__, bound, template.__name__)
    limits = {} if is_simulated() else {"max_registers": registers}
    return GpuKernel(numba_cuda.jit(function, **limits))
