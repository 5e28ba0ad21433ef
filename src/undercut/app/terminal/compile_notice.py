"""A notice for a person who waits for the compiler."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console

from undercut.kernels.cache import is_cache_cold
from undercut.text.translation import say


@contextmanager
def patience(console: Console) -> Iterator[None]:
    """Print a notice if the block takes longer than two seconds."""
    line = say("Getting ready: on a first start the program is compiled, once.")
    timer = Timer(0.0 if is_cache_cold() else 2.0, console.print, (line,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
