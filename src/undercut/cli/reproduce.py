"""`undercut reproduce`."""

from pathlib import Path

import click

from undercut.cli import arguments, screen


@click.command(short_help="The whole paper, from games to networks and back.")
@click.option(
    "--scale",
    type=click.Choice(["small", "full", "tiny"]),
    default="small",
    show_default=True,
    help="small: minutes on two cores; full: the paper's 50 million decisions, for a GPU; "
    "tiny: every step, nothing learnt.",
)
@click.option(
    "--folder",
    type=arguments.OutFolder(),
    metavar="FOLDER",
    help="Where everything is kept; by default runs/paper-SCALE.",
)
@click.option(
    "--report",
    type=arguments.OutFile(),
    metavar="FILE",
    help="Where the report goes, its picture beside it; by default paper.md in FOLDER.",
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
    """Do everything the paper did, and report every number beside the printed one.

    Two agents are tuned, their games train a network, the network makes a better agent, twice
    over. Then it is measured: how well it guesses, how often it wins, what each of its parts is
    worth. Every step is kept: if it is stopped, the same command carries on. Needs the extras 'train'
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
