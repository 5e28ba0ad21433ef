"""Kernels that are linked into others: lowered to LLVM code alone, optimised only in a caller.

Numba optimises a function together with all its callees, generates machine code, and repeats that
for each caller. Most kernels have only kernels as callers, which inline them. For these we keep
only the LLVM code, which halves the compilation time.
"""

import ctypes
from functools import cache
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering

_JITCodeLibrary: Any = JITCodeLibrary
_passes: Any = DefaultPassBuilder
_register: Any = register_pass
LINKED = "linked"  # the kind of such a library in Numba's cache
_REFUSAL = b"this form of a kernel is only linked into others: it cannot be called"


class _Nowhere:
    """The code generator of a library that has no machine code, and so no addresses."""

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: the library that links this one sets the environment."""


@cache
def _refusal() -> tuple[Any, int]:
    """A function that raises SystemError, in place of machine code, and its address."""
    refuse = ctypes.cast(ctypes.pythonapi.PyErr_SetString, ctypes.c_void_p).value
    code = f"""
        @words = private constant [{len(_REFUSAL) + 1} x i8] c"{_REFUSAL.decode()}\\00"
        define ptr @refuse(ptr %closure, ptr %arguments, ptr %names) {{
            call void inttoptr (i64 {refuse} to ptr)(
                ptr inttoptr (i64 {id(SystemError)} to ptr), ptr @words)
            ret ptr null
        }}
    """
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(code), machine)
    engine.finalize_object()
    return engine, engine.get_function_address("refuse")


class _LinkedLibrary(_JITCodeLibrary):  # type: ignore[misc]
    """LLVM code that is linked into other libraries."""

    codegen = _Nowhere()

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return _refusal()[1]

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, LINKED, self._get_module_for_linking().as_bitcode()

    @classmethod
    def read(cls, code_generator: Any, name: str, bitcode: bytes) -> Any:
        """A library from its serialized bitcode."""
        library = cls(code_generator, name)
        library._final_module = library._shared_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library


@_register(mutates_CFG=True, analysis_only=False)
class _LinkedLowering(NativeLowering):
    """The lowering pass that creates such a library."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        lower: Any = super().run_pass
        return bool(lower(state))


class _Linker(CompilerBase):
    """Numba's pipeline with such a library as its result."""

    def define_pipelines(self) -> list[Any]:
        manager = _passes.define_nopython_pipeline(self.state)
        manager.passes = [
            (_LinkedLowering if each is NativeLowering else each, why)
            for each, why in manager.passes
        ]
        return [manager]


@cache
def _read_libraries() -> None:
    """Let Numba read such libraries from its cache."""
    code_generator = cpu_target.target_context.codegen()
    read_others = code_generator.unserialize_library

    def read(written: tuple[str, str, Any]) -> Any:
        name, kind, data = written
        if kind == LINKED:
            return _LinkedLibrary.read(code_generator, name, data)
        return read_others(written)

    code_generator.unserialize_library = read


def as_linked() -> dict[str, Any]:
    """The options of `njit` for a function that only kernels call."""
    _read_libraries()
    return {"pipeline_class": _Linker, "no_cpython_wrapper": True}
