"""A command in another process, with line-by-line messages and limits on time and memory.

The command may crash, hang, write without end, write nothing, or not read: we respect our time
limit and keep at most a megabyte. It runs in a separate process group, which we kill as a whole. If
our own process is killed, a guard process does that.
"""

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress

from undercut.text.errors import Forfeit, OptionsError

MOST = 1 << 20  # bytes of unread output, or of input that it has not read
_CHUNK = 1 << 16
_LAST_WORDS = 2048  # bytes of its error output
_FLOOD = "it floods us: more than a megabyte without an answer"
_PATIENCE = 1.0  # seconds to exit by itself
# The guard's input is a pipe from us. A line means that the command has ended; the end of the input
# without a line means that our process was killed.
_GUARD = 'read -r done && exit; kill -s KILL -- "-$1"'


class Process:
    """A running command."""

    def __init__(self, command: Sequence[str]) -> None:
        if os.name != "posix":
            raise OptionsError("engines need a system with process groups: Linux, macOS")
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise OptionsError(f"cannot run {command[0]!r}: {error}") from None
        guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", str(child.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        self._child, self._inbox, self._outbox, self._errors = child, b"", b"", b""
        self._end = weakref.finalize(self, _end, child, guard)
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        self._in, self._out, self._err = child.stdin, child.stdout, child.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """Its process id, which is also that of its group."""
        return self._child.pid

    def send(self, line: bytes) -> None:
        """Queue a line for sending, without waiting."""
        self._outbox += line
        if len(self._outbox) > MOST:
            raise Forfeit("it does not read its input")
        self._write()

    def receive(self, seconds: float) -> Iterator[bytes]:
        """The lines that it writes within some time; the caller stops at the expected one."""
        deadline, size = time.monotonic() + seconds, 0
        while True:
            while b"\n" not in self._inbox:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Forfeit(f"no answer within {seconds:g} s")
                self._exchange(left)
            line, _, self._inbox = self._inbox.partition(b"\n")
            size += len(line)
            if size > MOST:
                raise Forfeit(_FLOOD)
            yield line

    def ends(self, seconds: float) -> bool:
        """Whether it ends by itself within some time, after all input."""
        deadline = time.monotonic() + seconds
        try:
            while self._outbox and time.monotonic() < deadline:
                self._exchange(deadline - time.monotonic())
        except Forfeit:
            pass
        with suppress(OSError):
            self._in.close()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(max(0.0, deadline - time.monotonic()))
        return self._child.returncode is not None

    def kill(self) -> None:
        """Kill it with all its children."""
        self._selector.close()
        self._end()

    def _exchange(self, seconds: float) -> None:
        """Wait until a pipe is ready, and read or write it."""
        if self._outbox and self._in not in self._selector.get_map():
            self._selector.register(self._in, selectors.EVENT_WRITE)
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._in:
                self._write()
            elif key.fileobj is self._err:
                self._read_errors()
            else:
                self._read()
        if not self._outbox and self._in in self._selector.get_map():
            self._selector.unregister(self._in)

    def _write(self) -> None:
        with suppress(BlockingIOError, BrokenPipeError):  # reading detects the end of the process
            self._outbox = self._outbox[os.write(self._in.fileno(), self._outbox[:_CHUNK]) :]

    def _read(self) -> None:
        data = os.read(self._out.fileno(), _CHUNK)
        if not data:
            raise Forfeit(f"it has ended{self._how()}")
        self._inbox += data
        if len(self._inbox) > MOST:
            raise Forfeit(_FLOOD)

    def _read_errors(self) -> None:
        data = os.read(self._err.fileno(), _CHUNK)
        self._errors = (self._errors + data)[-_LAST_WORDS:]
        if not data:
            self._selector.unregister(self._err)

    def _how(self) -> str:
        """Its exit code, and the last line of its errors."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(_PATIENCE)
        with suppress(BlockingIOError, KeyError):  # no new errors; the pipe is at its end
            self._read_errors()
        code = self._child.returncode
        lines = self._errors.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return (f" with code {code}" if code is not None else "") + (f": {last}" if last else "")


def _end(child: "subprocess.Popen[bytes]", guard: "subprocess.Popen[bytes]") -> None:
    """Kill a group and end its guard."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert guard.stdin is not None, "a pipe"
    with suppress(OSError):
        os.write(guard.stdin.fileno(), b"done\n")
    guard.wait()
    for pipe in (child.stdin, child.stdout, child.stderr, guard.stdin):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
