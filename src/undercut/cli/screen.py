"""What appears while a command works and when it is done. Progress goes to stderr."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import TYPE_CHECKING, Any

import click

from undercut.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from undercut.kernels.compiling import Watch

_COMPILING = "compiling kernels for these rules and agents; a CPU's are kept for the next time"
_PATIENCE = 1.0  # seconds of compiling without a word
_TICK = 0.2  # seconds between two looks at how far it is


def console() -> "Console":
    """Where tables are printed; 80 columns wide where there is no terminal."""
    from rich.console import Console

    class Printable(Console):
        """Names of strangers stand in tables and lines: they are shown, and do nothing else."""

        def render_str(self, text: str, **options: Any) -> "Text":
            return super().render_str(printable_lines(text), **options)

    return Printable(highlight=False, markup=False, emoji=False)


def plain_table(**options: Any) -> "Table":
    """A table without walls."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", **options)


def echo(text: str, err: bool = False) -> None:
    """A line in which names of strangers may stand."""
    click.echo(printable(text), err=err)


def print_json(value: Mapping[str, object], schema: str) -> None:
    """One object on one line; `undercut.schemas` has a schema of this name, and tests compare."""
    click.echo(json.dumps(value))


@contextmanager
def compiling() -> Iterator[None]:
    """Say that kernels are compiled if that makes the user wait, and how long it took.

    A terminal sees how far it is, in the progress bar if there is one.
    """
    from undercut.kernels.compiling import Watch, watched

    watch = Watch()
    teller = _Teller(watch)
    with watched(watch), teller:
        yield
    if teller.has_spoken:
        click.echo(f"compiled {watch.kernels:,} kernels in {watch.seconds:.1f} s", err=True)


class _Teller(Thread):
    """Looks at a watch from time to time, and reports what it shows."""

    def __init__(self, watch: "Watch") -> None:
        super().__init__(daemon=True)
        self.has_spoken = False
        self._watch = watch
        self._done = Event()

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self.join()

    def run(self) -> None:
        """Say so while something is compiled; on a terminal, take it back afterwards."""
        line = _Line()
        while not self._done.wait(_TICK):
            if self._watch.is_busy and self._watch.seconds > _PATIENCE:
                if not self.has_spoken:
                    line.begin()
                self.has_spoken = True
                line.show(f"{self._watch.kernels:,} done, {self._watch.seconds:.0f} s")
            else:
                line.clear()
        line.clear()


_LOCK = RLock()  # of the terminal's last line: the bar's, or that of compiling


class _Line:
    """Where it says what is being compiled: in the bar, in a line of its own, or once for a pipe."""

    is_raw = False  # whether the last line of the terminal is one of these

    def __init__(self) -> None:
        self._is_live = sys.stderr.isatty()
        self._is_shown = False

    def begin(self) -> None:
        if not self._is_live:
            click.echo(_COMPILING, err=True)

    def show(self, progress: str) -> None:
        if not self._is_live:
            return
        with _LOCK:
            self._is_shown = True
            if Bar.shown is not None:
                Bar.shown.note(f"compiling kernels: {progress}")
            else:
                _Line.is_raw = True
                click.echo(f"\r\x1b[2Kcompiling kernels: {progress}", err=True, nl=False)

    def clear(self) -> None:
        with _LOCK:
            if self._is_shown and Bar.shown is not None:
                Bar.shown.note("")
            self._is_shown = False
            _Line.erase()

    @classmethod
    def erase(cls) -> None:
        """Take a line away that is not in a bar."""
        if cls.is_raw:
            cls.is_raw = False
            click.echo("\r\x1b[2K", err=True, nl=False)


class Bar:
    """A progress bar with rate and time left; silent where stderr is no terminal."""

    shown: "Bar | None" = None  # the one that the terminal shows now

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
            redirect_stdout=sys.stdout.isatty(),  # a file keeps what is meant for it
        )
        self._unit = unit
        self._task = self._progress.add_task("", total=total, rate="")

    def __enter__(self) -> "Bar":
        with _LOCK:
            _Line.erase()
            self._progress.start()
            Bar.shown = self
        return self

    def __exit__(self, *error: object) -> None:
        with _LOCK:
            Bar.shown = None
            self._progress.stop()

    def advance(self, count: float = 1) -> None:
        """This many more are done."""
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
