"""`undercut selfplay`: train a player by self-play."""

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen
from undercut.cli.training import (
    Training,
    minutes_option,
    set_option,
    size_option,
    train_until,
    training_options,
)

if TYPE_CHECKING:
    from undercut.learn.selfplay.run import Point, Run


@click.command(short_help="Train a player by letting it play itself.")
@click.argument("game")
@click.argument("folder", type=arguments.OUT_FOLDER)
@minutes_option("iteration")
@click.option(
    "--decisions",
    type=click.FloatRange(1),
    default=inf,
    metavar="N",
    help="Stop after this many decisions, independent of the time; 2e6 is two million.",
)
@size_option
@set_option
@arguments.plot_option("Draw the curve.")
@arguments.restart_option
@arguments.seed_option
@arguments.device_option
@arguments.json_option
@training_options
def selfplay(
    game: str,
    folder: Path,
    minutes: float,
    decisions: float,
    plot: Path | None,
    training: Training,
    as_json: bool,
) -> None:
    """Train a player of GAME by letting it play itself; FOLDER stores the run.

    The player learns in iterations. After each the command saves the player and measures it against
    the game's reference agent (or against those of --set measured="A B"). Ctrl-C
    keeps what was learned, and the same command continues with the saved settings; options override
    them. Use
    FOLDER/policy.safetensors like any other agent:

    \b
    undercut selfplay gin runs/gin
    undercut match gin blueprint:model=runs/gin/policy.safetensors simple
    undercut selfplay gin runs/gin --minutes 10 --plot curve.png
    undercut selfplay gin runs/big --size full --device cuda --set compiled=1
    """
    from undercut.lab.extras import need

    need("torch", "train")
    from undercut.learn.selfplay.config import SIZES, change
    from undercut.learn.selfplay.saving import saved_config
    from undercut.learn.selfplay.training import POLICY, train

    begun = None if training.restart else saved_config(folder)
    config = change(begun or SIZES[training.size], training.settings(game))
    points: list[Point] = []

    def report(point: "Point") -> None:
        points.append(point)
        if not as_json:
            click.echo(curve_line(point))

    run = train_until(train, config, folder, training, minutes, decisions, "decisions", report)
    if plot is not None and run.curve:
        from undercut.learn.selfplay.plot import plot_curve

        plot_curve(run.curve, plot, f"Self-play: {config.game}")
    if as_json:
        screen.print_json(_to_json(run, folder / POLICY), "selfplay")
    elif not points:
        lasted = f"{run.seconds / 60:.1f} minutes, {run.decisions:,} decisions"
        click.echo(f"{folder}: it has already lasted {lasted}")


def _to_json(run: "Run", policy: Path) -> dict[str, object]:
    return {
        "game": run.config.game,
        "policy": str(policy),
        "decisions": run.decisions,
        "seconds": run.seconds,
        "decisions_per_second": run.decisions / max(run.seconds, 1e-9),
        "curve": [_point(point) for point in run.curve],
        "seed": run.config.seed,
    }


def _point(point: "Point") -> dict[str, object]:
    """A point of the curve, with win rates as in all JSON outputs."""
    scores = {name: value for name, value in point.items() if isinstance(value, list)}
    return {
        **{name: value for name, value in point.items() if name not in scores},
        "win_rates": {name: wins for name, (wins, _) in scores.items()},
        "win_rates_ci95": {name: [w - error, w + error] for name, (w, error) in scores.items()},
    }


def curve_line(point: "Point") -> str:
    """A point of the curve in one line."""
    decisions, seconds = float(str(point["decisions"])), float(str(point["seconds"]))
    pairs = {name: value for name, value in point.items() if isinstance(value, list)}
    scores = ", ".join(
        f"{name} {100 * wins:.1f} ± {100 * error:.1f} %" for name, (wins, error) in pairs.items()
    )
    return f"{seconds / 60:6.1f} min {decisions / 1e6:10.1f} million decisions: {scores}"
