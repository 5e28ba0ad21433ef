"""`undercut belief`: train a network that guesses hidden hands card by card."""

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen
from undercut.cli.estimator import command_line
from undercut.cli.selfplay import Clock, Training, set_option, size_option, training_options

if TYPE_CHECKING:
    from undercut.learn.belief.run import Point, Run


@click.command(short_help="Train a network that guesses the hidden hands.")
@click.argument("game")
@click.argument("folder", type=arguments.OUT_FOLDER)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=2.0,
    show_default=True,
    metavar="M",
    help="The time of the run, earlier calls included; the last piece is completed.",
)
@click.option(
    "--positions",
    type=click.FloatRange(1),
    default=inf,
    metavar="N",
    help="Stop after this many positions, independent of the time; 2e6 is two million.",
)
@size_option
@set_option
@arguments.restart_option
@arguments.seed_option
@arguments.device_option
@arguments.json_option
@training_options
def belief(
    game: str, folder: Path, minutes: float, positions: float, training: Training, as_json: bool
) -> None:
    """Train a network that guesses the hidden hands of GAME card by card; FOLDER stores the run.

    The shipped network plays against opponents of various kinds. In every position a random part of
    the hidden hands is given, and the network learns the rest. After each piece the command measures
    it next to counting, for each kind of opponent, and saves it as FOLDER/belief.safetensors. After an
    interruption the same command continues with the saved settings; options override them.

    \b
    undercut belief gin runs/belief
    undercut belief gin runs/belief --minutes 10
    undercut belief rummy runs/rummy --set opponents="self=0.5 heuristic=0.5"
    undercut belief gin runs/big --size full --device cuda --minutes 5
    """
    from undercut.lab.extras import need

    need("torch", "train")
    from undercut.learn.belief.config import SIZES, change
    from undercut.learn.belief.training import BELIEF, saved_config, train

    begun = None if training.restart else saved_config(folder)
    config = change(begun or SIZES[training.size], training.settings(game))
    points: list[Point] = []

    def report(point: "Point") -> None:
        points.append(point)
        if not as_json:
            for line in _lines(point):
                click.echo(line)

    with screen.compiling(), screen.Bar(int(60 * minutes), "") as bar:
        clock = Clock(bar, "positions")
        run = train(
            config,
            folder,
            training.device,
            seconds=60 * minutes,
            decisions=positions,
            restart=training.restart,
            about={"command": command_line()},
            progress=clock.advance,
            report=report,
        )
    if as_json:
        screen.print_json(_to_json(run, folder / BELIEF), "belief")
    elif not points:
        lasted = f"{run.seconds / 60:.1f} minutes, {run.positions:,} positions"
        click.echo(f"{folder}: it has already lasted {lasted}")


def _to_json(run: "Run", path: Path) -> dict[str, object]:
    return {
        "game": run.config.game,
        "belief": str(path),
        "positions": run.positions,
        "seconds": run.seconds,
        "positions_per_second": run.positions / max(run.seconds, 1e-9),
        "curve": run.curve,
        "seed": run.config.seed,
    }


def _lines(point: "Point") -> list[str]:
    """A point of the curve: a line for itself, and one for each kind of opponent."""
    minutes, millions = point["seconds"] / 60, point["positions"] / 1e6
    lines = [f"{minutes:6.1f} min {millions:10.2f} million positions"]
    for name, scores in point["opponents"].items():
        line = (
            f"  {name}: log-loss {scores['log_loss']:.3f} (counting "
            f"{scores['counting_log_loss']:.3f})"
        )
        if "recall@10" in scores:
            recall, counting = scores["recall@10"], scores["counting_recall@10"]
            line += f", recall@10 {100 * recall:.1f} % ({100 * counting:.1f} %)"
        lines.append(line)
    return lines
