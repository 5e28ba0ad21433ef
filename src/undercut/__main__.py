"""The command `undercut`, also `python -m undercut`, with its own handler of Ctrl-C.

Ctrl-C ends a command with one line and exit code 130. In the command's own code it raises
KeyboardInterrupt, so that the command can report its stored results. During an import or a
compilation it ends the process at once, since an exception there may be lost or turn into another
error. No data is lost: all files of commands survive a kill.
"""

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_STOPPED = b"undercut: stopped\n"
# Code in which raising is not safe: the import system, Numba, LLVM and finalizers.
_CLOSED = frozenset({"importlib", "numba", "llvmlite", "weakref"})
_CLEAN_LINE = b"\r\x1b[2K\x1b[?25h"  # erase a progress bar, show the cursor


class CtrlC:
    """The handler of Ctrl-C."""

    def __init__(self) -> None:
        self.is_stopping = False  # KeyboardInterrupt was raised
        self.is_over = False  # the command has ended

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Raise where that is safe; end at once after a second Ctrl-C."""
        if self.is_over or self.is_stopping or _is_closed(frame):
            _end_at_once(b"" if self.is_over else _STOPPED)
        self.is_stopping = True
        raise KeyboardInterrupt


def _is_closed(frame: FrameType | None) -> bool:
    """Whether a frame or one of its callers is in code where raising is not safe."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _CLOSED:
            return True
        frame = frame.f_back
    return False


def _end_at_once(line: bytes) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, RuntimeError, ValueError):  # closed, or interrupted while it writes
            stream.flush()
    with suppress(OSError):
        os.write(2, (_CLEAN_LINE if os.isatty(2) else b"") + line)
    os._exit(128 + signal.SIGINT)  # the exit code of shells


def main() -> None:
    """Run the command line and leave with its exit code."""
    # NumPy's products on one thread: searches use all cores already, and results do not depend on
    # the number of cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    ctrl_c = CtrlC()
    if (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):  # otherwise the parent ignores it
        signal.signal(signal.SIGINT, ctrl_c)
    try:
        from undercut.cli import main as command

        command(prog_name="undercut")
    except KeyboardInterrupt:  # before the command has begun
        _end_at_once(_STOPPED)
    finally:
        ctrl_c.is_over = True


if __name__ == "__main__":
    main()
