"""Kernels over the rows of a table, for a GPU: see play/rows.py."""

from collections.abc import Callable
from functools import cache
from typing import Any

from undercut.play.gpu.target import GpuKernel, compile_for_gpu, load_cuda


@cache
def _places() -> tuple[Any, Any]:
    cuda = load_cuda()

    @cuda.jit(device=True)
    def first_row() -> int:
        place: int = cuda.grid(1)
        return place

    @cuda.jit(device=True)
    def row_step() -> int:
        step: int = cuda.gridsize(1)
        return step

    return first_row, row_step


def compile_rows(template: Callable[..., None], registers: int, **bindings: Any) -> GpuKernel:
    """A template over rows in which every thread has rows of its own."""
    first_row, row_step = _places()
    return compile_for_gpu(template, registers, first_row=first_row, row_step=row_step, **bindings)
