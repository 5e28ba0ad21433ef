"""Kernels that are linked into others: typed and lowered by themselves, optimised only with those.

Numba optimises a function together with all that it calls and turns it into machine code, and does so
again for each of its callers. Most kernels are only ever called by kernels, which have them copied
in: for these it is enough to keep their LLVM code. That halves the time it takes to compile.
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
LINKED = "linked"  # how such a library is called where Numba keeps it
_REFUSAL = b"this form of a kernel is only linked into others: it cannot be called"


class _Nowhere:
    """The code generator as a library sees it that has no machine code, and so no addresses."""

    def set_env(self, name: str, environment: object) -> None:
        """Whoever the library is linked into sets it."""


@cache
def _refusal() -> tuple[Any, int]:
    """A function that raises an error, to stand where callers look for machine code; its address."""
    refuse = ctypes.cast(ctypes.pythonapi.PyErr_SetString, ctypes.c_void_p).value
    code = f"""
        @words = private constant [{len(_REFUSAL) + 1} x i8] c"{_REFUSAL.decode()}\\00"
        define ptr @refuse(ptr %closure, ptr %arguments, ptr %names) {{
            call void inttoptr (i64 {refuse} to ptr)(ptr inttoptr (i64 {id(SystemError)} to ptr), ptr @words)
            ret ptr null
        }}
    """
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(code), machine)
    engine.finalize_object()
    return engine, engine.get_function_address("refuse")


class _LinkedLibrary(_JITCodeLibrary):  # type: ignore[misc]
    """LLVM code to be linked into other libraries."""

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
        """What was written."""
        library = cls(code_generator, name)
        library._final_module = library._shared_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library


@_register(mutates_CFG=True, analysis_only=False)
class _LinkedLowering(NativeLowering):
    """Lowering into such a library."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        lower: Any = super().run_pass
        return bool(lower(state))


class _Linker(CompilerBase):
    """The usual way from Python to LLVM code, with such a library at its end."""

    def define_pipelines(self) -> list[Any]:
        manager = _passes.define_nopython_pipeline(self.state)
        manager.passes = [
            (_LinkedLowering if each is NativeLowering else each, why)
            for each, why in manager.passes
        ]
        return [manager]


@cache
def _read_libraries() -> None:
    """Have Numba read such libraries where it finds them in its cache."""
    code_generator = cpu_target.target_context.codegen()
    read_others = code_generator.unserialize_library

    def read(written: tuple[str, str, Any]) -> Any:
        name, kind, data = written
        if kind == LINKED:
            return _LinkedLibrary.read(code_generator, name, data)
        return read_others(written)

    code_generator.unserialize_library = read


def as_linked() -> dict[str, Any]:
    """What `njit` has to be told of a function that only kernels call."""
    _read_libraries()
    return {"pipeline_class": _Linker, "no_cpython_wrapper": True}
