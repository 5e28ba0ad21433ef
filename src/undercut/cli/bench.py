"""`undercut bench`."""

from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen

if TYPE_CHECKING:
    from undercut.lab.bench import Machine, Measure


@click.command(short_help="Measure speed, beside other engines.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    default=1.0,
    show_default=True,
    metavar="T",
    help="How long each measurement takes.",
)
@click.option(
    "--game", "name", metavar="GAME", help="Only this game, such as gin; otherwise all of them."
)
@click.option("--peers/--no-peers", default=True, help="Other engines where installed.")
@arguments.device_option
@arguments.workers_option
@arguments.json_option
def bench(
    seconds: float, name: str | None, peers: bool, device: str, workers: int | None, as_json: bool
) -> None:
    """Measure how fast deals are played here, beside other engines in the same run.

    One thread is measured by the time its processor works, all threads and a GPU by the clock.
    With a GPU it also checks that the GPU plays the same matches as the CPU, byte for byte.

    \b
    undercut bench
    undercut bench --game rummy --workers 2
    undercut bench --device cuda
    undercut bench --no-peers --seconds 3 --json
    """
    from undercut.lab.bench import (
        agrees_with_cpu,
        all_benches,
        describe_machine,
        gpu_measures,
        report,
        run,
        tasks,
    )

    games = list(all_benches([name] if name else None))
    with screen.compiling():
        chosen = tasks(games, workers, cuda=device == "cuda", with_peers=peers)
    with screen.Bar(len(chosen), "") as bar:
        measures = run(chosen, seconds, bar.step)
    gpu_agrees = None
    if device == "cuda":
        measures = gpu_measures(measures, games)
        gpu_agrees = {each: agrees_with_cpu(each) for each in games}
    machine = describe_machine()
    if as_json:
        screen.print_json(report(machine, measures, gpu_agrees), "bench")
    else:
        _show(machine, measures)
        for each, agrees in (gpu_agrees or {}).items():
            answer = "equal" if agrees else "DIFFER FROM"
            screen.console().print(f"1,000 matches of {each} on the GPU {answer} the CPU's")
    if gpu_agrees and not all(gpu_agrees.values()):
        raise SystemExit(1)


def _show(machine: "Machine", measures: "list[Measure]") -> None:
    console = screen.console()
    console.print(
        f"undercut {machine.undercut}, Python {machine.python}, numba {machine.numba}, "
        f"{machine.processor}, {machine.threads} threads"
    )
    if not machine.compiled:
        console.print("compilation is off (NUMBA_DISABLE_JIT=1): these are not undercut's speeds")
    table = screen.plain_table()
    table.add_column("engine", overflow="fold")
    table.add_column("a second", justify="right", no_wrap=True)
    table.add_column("undercut's one thread is", justify="right", no_wrap=True)
    what = ""
    for measure in measures:
        if measure.what != what:
            what = measure.what
            table.add_row(what, style="bold")
        table.add_row(f"  {measure.engine}", f"{measure.per_second:,.0f}", _ratio(measure))
    console.print(table)


def _ratio(measure: "Measure") -> str:
    if not measure.engine.startswith("undercut"):
        return f"{measure.ratio:,.1f} times as fast"
    return "" if measure.ratio == 1 else f"{measure.ratio:,.2f} times as fast"
