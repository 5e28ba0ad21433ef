"""`undercut reproduce`."""

from pathlib import Path

import click

from undercut.cli import arguments, screen


@click.command(short_help="Reproduce the whole paper.")
@arguments.choice_option(
    "--scale",
    ["small", "full", "tiny"],
    "small: minutes on two cores; full: the paper's 50 million decisions, for a GPU; "
    "tiny: every step, but no learning.",
)
@arguments.folder_option("--folder", "The folder of all results; by default runs/paper-SCALE.")
@arguments.file_option(
    "--report",
    "The file of the report, with its picture next to it; by default paper.md in FOLDER.",
)
@arguments.seed_option
@arguments.device_option
@arguments.workers_option
def reproduce(
    scale: str,
    folder: Path | None,
    report: Path | None,
    seed: int,
    device: str,
    workers: int | None,
) -> None:
    """Repeat the paper's experiments, and report every number next to the printed one.

    The command tunes two agents, trains a network on their games, and uses it for a better agent,
    twice. Then it measures the accuracy of the network, the wins of the agent, and ablations. It
    stores every step; after an interruption the same command continues. Needs the extras 'train'
    and 'tune'.

    \b
    undercut reproduce
    undercut reproduce --scale full --device cuda --report docs/paper.md
    """
    from undercut.paper.report import write_report
    from undercut.paper.reproduce import Reproduction

    folder = folder or Path("runs") / f"paper-{scale}"
    run = Reproduction(folder, scale, seed, device=device, workers=workers)
    with screen.Bar(len(run.steps()), "") as bar:
        bar.advance(sum(run.is_done(step.name) for step in run.steps()))

        def announce(text: str) -> None:
            click.echo(text, err=True)
            bar.step(text)

        run.run(announce, tell=bar.note)
    report = report or folder / "paper.md"
    write_report(run, report)
    click.echo(f"{report}: the paper's numbers beside those found here")
