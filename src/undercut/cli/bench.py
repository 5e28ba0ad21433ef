"""`undercut bench`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.lab.bench import Machine, Measure

_ENGINE = 36  # the width of the column for engines


@click.command(short_help="Measure speed next to other engines.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    default=0.5,
    show_default=True,
    metavar="T",
    help="How long each measurement takes, without compilation.",
)
@click.option(
    "--game", "name", metavar="GAME", help="Only this game, such as gin; otherwise all of them."
)
@click.option(
    "--peers/--no-peers",
    default=None,
    help="Also measure other engines, if installed; the default without a GPU.",
)
@arguments.device_option
@arguments.workers_option
@arguments.json_option
def bench(
    seconds: float,
    name: str | None,
    peers: bool | None,
    device: str,
    workers: int | None,
    as_json: bool,
) -> None:
    """Measure how fast this machine plays deals, next to other engines in the same run.

    The time of one thread is processor time; that of all threads and of a GPU is wall-clock time.
    With a GPU the command also checks that GPU and CPU play the same matches, byte for byte. Every
    measurement appears as soon as it is finished. Ctrl-C keeps the finished ones.

    \b
    undercut bench
    undercut bench --game rummy --workers 2
    undercut bench --device cuda
    undercut bench --no-peers --seconds 3 --json
    """
    from undercut.lab.bench import (
        COMPARED,
        agrees_with_cpu,
        all_benches,
        describe_machine,
        report,
        run,
        tasks,
    )

    cuda = device == "cuda"
    if cuda:
        from undercut.play.gpu.target import load_cuda

        load_cuda()  # an error before any measurement, not after
    games = list(all_benches([name] if name else None))
    chosen = tasks(games, workers, cuda, with_peers=not cuda if peers is None else peers)
    machine = describe_machine()
    rows = _Rows(as_json)
    if not as_json:
        _show_machine(machine)
        rows.show_heading()
    measures: list[Measure] = []
    gpu_agrees: dict[str, bool] = {}
    stopped: KeyboardInterrupt | None = None
    try:
        with screen.Bar(len(chosen) + len(games) * cuda, "") as bar:
            following = run(chosen, seconds)
            for task in chosen:
                with _step(bar, task.name):
                    measures.append(next(following))
                rows.show(measures[-1])
            for each in games if cuda else ():
                with _step(bar, f"{each}: the same matches on GPU and CPU"):
                    gpu_agrees[each] = agrees_with_cpu(each)
                answer = "equal" if gpu_agrees[each] else "DIFFER FROM"
                rows.print(f"{COMPARED:,} matches of {each} on the GPU {answer} the CPU's")
    except KeyboardInterrupt as stop:
        stopped = stop
    if as_json and measures:
        screen.print_json(report(machine, measures, gpu_agrees), "bench")
    if stopped is not None:
        raise stopped
    if not all(gpu_agrees.values()):
        raise SystemExit(1)


@contextmanager
def _step(bar: screen.Bar, name: str) -> Iterator[None]:
    """Show what is measured now, and how long it compiles."""
    bar.step(name)
    with screen.compiling(name):
        yield


def _show_machine(machine: "Machine") -> None:
    console = screen.console()
    console.print(
        f"undercut {machine.undercut}, Python {machine.python}, numba {machine.numba}, "
        f"{machine.processor}, {machine.threads} threads"
    )
    if not machine.compiled:
        console.print("compilation is off (NUMBA_DISABLE_JIT=1): these are not undercut's speeds")


class _Rows:
    """A table that is printed row by row, above the progress bar; with --json to stderr."""

    def __init__(self, as_json: bool) -> None:
        self._to_stderr = as_json
        self._what = ""

    def print(self, text: str, bold: bool = False) -> None:
        out = sys.stderr if self._to_stderr else sys.stdout
        styled = click.style(text, bold=True) if bold and out.isatty() else text
        screen.show_line(styled, err=self._to_stderr)

    def show_heading(self) -> None:
        self.print(f"\n{'engine':{_ENGINE}}  {'a second':>13}  undercut's one thread is", bold=True)

    def show(self, measure: "Measure") -> None:
        if measure.what != self._what:
            self._what = measure.what
            self.print(measure.what, bold=True)
        engine = f"  {measure.engine}"
        if len(engine) > _ENGINE:
            self.print(engine)
            engine = ""
        row = f"{engine:{_ENGINE}}  {measure.per_second:13,.0f}  {_ratio(measure)}"
        self.print(row.rstrip())


def _ratio(measure: "Measure") -> str:
    if not measure.engine.startswith("undercut"):
        return f"{measure.ratio:,.1f} times as fast"
    return "" if measure.ratio == 1 else f"{measure.ratio:,.2f} times as fast"
