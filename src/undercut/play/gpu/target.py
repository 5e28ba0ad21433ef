"""Numba's CUDA target, and templates compiled for it.

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
    """An index or a size in each dimension of a grid; ours have one dimension."""

    x: int


class Memory(Protocol):
    """Memory of a kernel: local to a thread, or shared by a block."""

    def array(self, shape: int | tuple[int, ...], kind: npt.DTypeLike, /) -> Array: ...


class Atomic(Protocol):
    """Atomic operations."""

    def add(self, array: Array, place: int | tuple[int, ...], value: int, /) -> int:
        """Add to a number; return its old value."""


class DeviceArray(Protocol):
    """An array in the GPU's memory."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Kind
    __cuda_array_interface__: Mapping[str, Any]

    def __len__(self) -> int: ...
    def copy_to_host(self, array: Array | None = None, stream: object = 0) -> Array: ...
    def copy_to_device(self, array: Array) -> None: ...


class Cuda(Protocol):
    """The part of Numba's CUDA target that we use: first in kernels, then on the host."""

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
    """Numba's CUDA target; UndercutError if there is none."""
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 needs it; NumPy 2.5 removed it
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
    """Silence two warnings of Numba about intended behaviour; others still appear."""
    config = importlib.import_module("numba.cuda").config
    # Small batches have a small grid, and fused play has one block on each multiprocessor.
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    # If the settings of one agent begin with all fields of another's, Numba also considers the code
    # compiled for the other, and warns. It then uses the exact match, which always exists.
    warnings.filterwarnings("ignore", ".* has been considered a subtype of ")


def is_simulated() -> bool:
    """Whether the CUDA simulator runs the kernels on the CPU, for tests."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def multiprocessors() -> int:
    """The number of multiprocessors, each of which runs at least one block at a time."""
    numba_cuda = load_cuda()
    return 1 if is_simulated() else int(numba_cuda.get_current_device().MULTIPROCESSOR_COUNT)


class GpuKernel:
    """A GPU kernel. Its first launch compiles it."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._is_compiled = False

    def launch(self, grid: tuple[object, ...], *arguments: object) -> None:
        """Run the kernel; `grid` is (blocks, threads) or (blocks, threads, stream).

        Arrays must be device arrays.
        """
        with nullcontext() if self._is_compiled else reported():
            self._kernel[grid](*arguments)
        self._is_compiled = True


def compile_for_gpu(template: Callable[..., None], registers: int, **names: object) -> GpuKernel:
    """A template as a GPU kernel, with some of its global names bound as by `specialise`."""
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
