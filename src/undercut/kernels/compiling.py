"""Progress of compilation, from the events of Numba."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

_COMPILE = "numba:compile"  # the event for a kernel that is not in the cache


class Watch(event.Listener):
    """Counts compiled kernels and the seconds of compilation."""

    def __init__(self) -> None:
        self.kernels = 0
        self._open = 0  # kernels in progress; compilations nest
        self._since = 0.0
        self._before = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether Numba is compiling now."""
        return self._open > 0

    @property
    def seconds(self) -> float:
        """The time that compilation has taken until now."""
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
    """Send compilation events to `watch` in this context."""
    with event.install_listener(_COMPILE, watch):
        yield


@contextmanager
def reported() -> Iterator[None]:
    """Report a compilation to watches. On a CPU Numba reports by itself; on a GPU it does not."""
    with event.trigger_event(_COMPILE):
        yield
