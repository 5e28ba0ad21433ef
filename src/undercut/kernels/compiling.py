"""How much has been compiled: Numba reports when it begins a kernel and when it is done."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

_COMPILE = "numba:compile"  # of kernels that are not in the cache


class Watch(event.Listener):
    """Counts kernels as they are compiled, and the seconds that takes."""

    def __init__(self) -> None:
        self.kernels = 0
        self._open = 0  # kernels begun and not done: one is compiled for the sake of another
        self._since = 0.0
        self._before = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether something is being compiled now."""
        return self._open > 0

    @property
    def seconds(self) -> float:
        """The time that compiling has taken so far."""
        return self._before + (time.perf_counter() - self._since if self.is_busy else 0.0)

    def on_start(self, event: object) -> None:
        """Numba begins a kernel."""
        if self._open == 0:
            self._since = time.perf_counter()
        self._open += 1

    def on_end(self, event: object) -> None:
        """A kernel is compiled."""
        self._before, self._open = self.seconds, self._open - 1
        self._since = time.perf_counter()
        self.kernels += 1


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Let somebody watch what is compiled."""
    with event.install_listener(_COMPILE, watch):
        yield


@contextmanager
def reported() -> Iterator[None]:
    """Let those who watch know that something is compiled here; for a CPU Numba does so itself."""
    with event.trigger_event(_COMPILE):
        yield
