"""What appears while a command works and when it is done. Progress goes to stderr."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

_COLD = "compiling the game's kernels, once: about 20 seconds"
_STILL = "getting kernels ready: compiled once for these agents, then remembered"
_PATIENCE = 3.0  # seconds without a word


def console() -> Any:
    """Where tables are printed; 80 columns wide where there is no terminal."""
    from rich.console import Console

    return Console(highlight=False, markup=False)


def plain_table(**options: Any) -> Any:
    """A table without walls."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", **options)


def print_json(value: dict[str, Any]) -> None:
    """One object on one line."""
    click.echo(json.dumps(value))


@contextmanager
def compiling() -> Iterator[None]:
    """Say what is happening if compilation makes the user wait."""
    from undercut.core.jit import is_cache_cold

    if is_cache_cold():
        click.echo(_COLD, err=True)
        yield
        return
    later = threading.Timer(_PATIENCE, lambda: click.echo(_STILL, err=True))
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()


class Bar:
    """A progress bar with rate and time left; silent where stderr is no terminal."""

    def __init__(self, total: int, unit: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:3.0f} %"),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._unit = unit
        self._task = self._progress.add_task("", total=total, rate="")

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def advance(self, count: int = 1) -> None:
        """So many more are done."""
        self._progress.advance(self._task, count)
        speed = self._progress.tasks[self._task].speed
        if speed is not None and self._unit:
            self._progress.update(self._task, rate=f"{speed:,.0f} {self._unit}/s")

    def note(self, text: str) -> None:
        """Say how far it is, in the place of the rate."""
        self._progress.update(self._task, rate=text)

    def describe(self, text: str) -> None:
        """Say what comes next."""
        self._progress.update(self._task, description=text)

    def step(self, text: str) -> None:
        """Say what comes next, when the one before is done."""
        if self._progress.tasks[self._task].description:
            self.advance()
        self.describe(text)
