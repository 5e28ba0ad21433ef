"""The command `undercut`, which is also `python -m undercut`: it minds Ctrl-C from the very start.

Ctrl-C ends a command with one line and exit code 130. In the command's own code it raises
KeyboardInterrupt, so that the command can say what it has kept. While something is imported or
compiled it ends the process at once: there an exception may be swallowed, or come out as a page of
something else. Nothing is lost by that, since what commands keep is made to survive a kill.
"""

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_STOPPED = b"undercut: stopped\n"
# Code in which it is not safe to raise: the import system, Numba and LLVM, what runs when objects go.
_CLOSED = frozenset({"importlib", "numba", "llvmlite", "weakref"})
_CLEAN_LINE = b"\r\x1b[2K\x1b[?25h"  # away with a progress bar, back with the cursor


class CtrlC:
    """What is done on Ctrl-C."""

    def __init__(self) -> None:
        self.is_stopping = False  # KeyboardInterrupt was raised
        self.is_over = False  # the command has ended, and said so

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Raise where that is safe; a second Ctrl-C does not wait any longer."""
        if self.is_over or self.is_stopping or _is_closed(frame):
            _end_at_once(b"" if self.is_over else _STOPPED)
        self.is_stopping = True
        raise KeyboardInterrupt


def _is_closed(frame: FrameType | None) -> bool:
    """Whether a frame, or one that led to it, is of code that is not to be interrupted."""
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
    os._exit(128 + signal.SIGINT)  # as shells count it


def main() -> None:
    """Run the command line and leave with its exit code."""
    ctrl_c = CtrlC()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is to be ignored
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
