"""Kernels over the rows of a table, for a GPU: see play/vector/rows.py."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from undercut.play.gpu.target import GpuKernel, compile_for_gpu, cuda, load_cuda


def _first_row() -> int:
    return cuda.grid(1)


def _row_step() -> int:
    return cuda.gridsize(1)


@cache
def _places() -> tuple[Callable[[], int], Callable[[], int]]:
    target = load_cuda()
    first_row, row_step = (
        target.jit(FunctionType(each.__code__, {"cuda": target}, each.__name__), device=True)
        for each in (_first_row, _row_step)
    )
    return first_row, row_step


def compile_rows(template: Callable[..., None], registers: int, **bindings: Any) -> GpuKernel:
    """A template over rows, compiled so that each thread has its own rows."""
    first_row, row_step = _places()
    return compile_for_gpu(template, registers, first_row=first_row, row_step=row_step, **bindings)
