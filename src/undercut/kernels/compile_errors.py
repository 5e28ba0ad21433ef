"""Numba's compile errors in one sentence: the file, the line, the kernel and the error."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from numba.core.errors import ForceLiteralArg

from undercut.text.errors import KernelError, shown_path

_forced: Any = ForceLiteralArg
_PLACE = re.compile(r" at (\S+\.py) \((\d+)\)")
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_RECORD = re.compile(r"Record\(\[.*\], \d+, \w+\)")  # a layout, several lines long
_NOT_SAID = ("Failed in nopython mode", "During: ", "File ")
_NO_MEMORY = "a kernel allocates nothing, so it has no lists, sets, dictionaries or new arrays"


def naming_errors(
    plain: Callable[..., object], function: Callable[..., object]
) -> Callable[..., object]:
    """A dispatcher's `compile` that raises a short KernelError instead of Numba's long error.

    The innermost kernel fails first, and its error propagates through its callers.
    """

    def compile_named(signature: object) -> object:
        try:
            return plain(signature)
        except (KernelError, _forced):  # the second requests another compilation
            raise
        except Exception as error:
            path, line = _find_place(error, function)
            what = f"{shown_path(path)}, line {line}: kernel {function.__name__!r} does not compile"
            raise KernelError(f"{what}: {_say(error)}") from error

    return compile_named


def _find_place(error: Exception, function: Callable[..., object]) -> tuple[str, int]:
    """The line that the error names, or Numba's last location, or the start of the kernel."""
    code = function.__code__
    named = [(path, int(line)) for path, line in _PLACE.findall(str(error))]
    seen = [(each.filename, int(each.line)) for each in _locations(error)]
    own = [place for place in named + seen if place[0] == code.co_filename]
    return own[0] if own else (code.co_filename, code.co_firstlineno)


def _locations(error: Exception) -> Iterator[Any]:
    """The locations in the stack frames of Numba."""
    yield from filter(None, [getattr(error, "loc", None)])
    for frame in _frames(error):
        location = getattr(frame.get("constraint"), "loc", None)
        yield from filter(None, [location])


def _frames(error: Exception) -> Iterator[dict[str, Any]]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_locals
        trace = trace.tb_next


def _say(error: Exception) -> str:
    """The message of an error; for an unknown field Numba raises only a KeyError."""
    *_, innermost = _frames(error)
    fields = getattr(innermost.get("self"), "fields", None)
    if isinstance(error, KeyError) and fields:
        return f"{error.args[0]!r} is no field of this record: one of {', '.join(fields)}"
    if "NRT required" in str(error):
        return _NO_MEMORY
    lines = [_COLOUR.sub("", line).strip() for line in str(error).splitlines()]
    said = [line for line in lines if line and not line.startswith(_NOT_SAID)]
    if not said:
        return f"the compiler failed with {type(error).__name__}"
    call = said[1] if said[0].endswith("for signature:") else ""
    return _RECORD.sub("a record", f"{said[0]} {call.removeprefix('>>> ')}".strip())
