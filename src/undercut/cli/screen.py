"""The output of commands: tables, JSON and progress. Progress goes to stderr."""

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
_PATIENCE = 1.0  # seconds of compilation before a notice
_TICK = 0.2  # seconds between two updates


def console() -> "Console":
    """The console for tables; 80 columns wide without a terminal."""
    from rich.console import Console

    class Printable(Console):
        """A console that escapes control characters in names from other people."""

        def render_str(self, text: str, **options: Any) -> "Text":
            return super().render_str(printable_lines(text), **options)

    return Printable(highlight=False, markup=False, emoji=False)


def plain_table(show_header: bool = True) -> "Table":
    """A table without borders."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", show_header=show_header)


def echo(text: str, err: bool = False) -> None:
    """Print a line; control characters in names from other people are escaped."""
    click.echo(printable(text), err=err)


def show_line(text: str, err: bool = False) -> None:
    """Print a line above the progress bar, if there is one: `click.echo` would write over it."""
    out = sys.stderr if err else sys.stdout
    out.write(f"{text}\n")
    out.flush()


def print_json(value: Mapping[str, object], schema: str) -> None:
    """Print an object on one line; `undercut.schemas` has its schema, and tests compare them."""
    click.echo(json.dumps(value))


@contextmanager
def compiling(purpose: str = "") -> Iterator[None]:
    """Print a notice if the user waits for compilation, and at the end its time.

    A terminal shows its progress, in the progress bar if there is one. The notice names the
    purpose, if there is one.
    """
    from undercut.kernels.compiling import Watch, watched

    watch = Watch()
    teller = _Teller(watch, f"compiling kernels for {purpose}" if purpose else _COMPILING)
    with watched(watch), teller:
        yield
    if teller.has_spoken:
        show_line(f"compiled {watch.kernels:,} kernels in {watch.seconds:.1f} s", err=True)


class _Teller(Thread):
    """A thread that reports the compilation seen by a watch."""

    def __init__(self, watch: "Watch", notice: str) -> None:
        super().__init__(daemon=True)
        self.has_spoken = False
        self._watch, self._notice = watch, notice
        self._done = Event()

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self.join()

    def run(self) -> None:
        """Show the notice during compilation; on a terminal, erase it afterwards."""
        line = _Line()
        while not self._done.wait(_TICK):
            if self._watch.is_busy and self._watch.seconds > _PATIENCE:
                if not self.has_spoken:
                    line.begin(self._notice)
                self.has_spoken = True
                line.show(f"{self._watch.kernels:,} done, {self._watch.seconds:.0f} s")
            else:
                line.clear()
        line.clear()


_LOCK = RLock()  # of the terminal's last line: the bar or the notice


class _Line:
    """The notice of compilation: in the bar, in a line of its own, or once in a pipe."""

    is_raw = False  # whether the last line of the terminal is a notice

    def __init__(self) -> None:
        self._is_live = sys.stderr.isatty()
        self._is_shown = False

    def begin(self, notice: str) -> None:
        if not self._is_live:
            click.echo(notice, err=True)

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
        if cls.is_raw:
            cls.is_raw = False
            click.echo("\r\x1b[2K", err=True, nl=False)


class Bar:
    """A progress bar with rate and remaining time; only on a terminal."""

    shown: "Bar | None" = None  # the current bar of the terminal

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
            redirect_stdout=sys.stdout.isatty(),  # but not into a file
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
        """Add to the finished units."""
        self._progress.advance(self._task, count)
        speed = self._progress.tasks[self._task].speed
        if speed is not None and self._unit:
            self._progress.update(self._task, rate=f"{speed:,.0f} {self._unit}/s")

    def note(self, text: str) -> None:
        """Show a text in place of the rate."""
        self._progress.update(self._task, rate=text)

    def describe(self, text: str) -> None:
        """Show the name of the current step."""
        self._progress.update(self._task, description=text)

    def step(self, text: str) -> None:
        """Finish the current step, and show the name of the next one."""
        if self._progress.tasks[self._task].description:
            self.advance()
        self.describe(text)
