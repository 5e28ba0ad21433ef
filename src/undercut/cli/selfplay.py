"""`undercut selfplay`: a player that learns a game by playing itself."""

import time
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercut.cli import arguments, screen
from undercut.cli.estimator import command_line

if TYPE_CHECKING:
    from undercut.learn.selfplay.run import Point, Run


size_option = click.option(
    "--size",
    type=click.Choice(["small", "full"]),
    default="small",
    show_default=True,
    help="small learns on a few CPU cores; full wants a GPU.",
)
set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting of the run; may be given many times.",
)
restart_option = click.option(
    "--restart", is_flag=True, help="Begin afresh, not from the checkpoint."
)


@click.command(short_help="Train a player by letting it play itself.")
@click.argument("game")
@click.argument("folder", type=arguments.OutFolder())
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=2.0,
    show_default=True,
    metavar="M",
    help="How long it plays and learns, earlier calls counted in; the piece begun last is finished.",
)
@click.option(
    "--decisions",
    type=click.FloatRange(1),
    default=inf,
    metavar="N",
    help="Stop after this many decisions, which a clock cannot change; 2e6 is two million.",
)
@size_option
@set_option
@click.option("--plot", type=arguments.OutFile(), metavar="FILE", help="Draw the curve.")
@restart_option
@arguments.seed_option
@arguments.device_option
@arguments.json_option
def selfplay(
    game: str,
    folder: Path,
    minutes: float,
    decisions: float,
    size: str,
    changes: tuple[str, ...],
    plot: Path | None,
    restart: bool,
    seed: int,
    device: str,
    as_json: bool,
) -> None:
    """Train a player of GAME by letting it play itself; FOLDER keeps the run.

    It learns in pieces. After each it is measured against the game's reference agent (or those of
    --set measured="A B"), and saved: if it is stopped, the same command goes on after the last
    piece, with the same settings but for those given anew. FOLDER/policy.safetensors is the player,
    as good as any other:

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

    if plot is not None:
        from undercut.lab.plot import check_plot_path

        check_plot_path(plot)
    begun = None if restart else saved_config(folder)
    settings = {"game": game, "seed": str(seed), **read_settings(changes)}
    config = change(begun or SIZES[size], settings)
    points: list[Point] = []

    def report(point: "Point") -> None:
        points.append(point)
        if not as_json:
            click.echo(curve_line(point))

    with screen.compiling(), screen.Bar(int(60 * minutes), "") as bar:
        clock = _Clock(bar)
        run = train(
            config,
            folder,
            device,
            seconds=60 * minutes,
            decisions=decisions,
            restart=restart,
            about={"command": command_line()},
            progress=clock.advance,
            report=report,
        )
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
    """A point of the curve, its win rates as all outputs have them."""
    scores = {name: value for name, value in point.items() if isinstance(value, list)}
    return {
        **{name: value for name, value in point.items() if name not in scores},
        "win_rates": {name: wins for name, (wins, _) in scores.items()},
        "win_rates_ci95": {name: [w - error, w + error] for name, (w, error) in scores.items()},
    }


def read_settings(changes: tuple[str, ...]) -> dict[str, str]:
    """What --set was given."""
    pairs = [each.partition("=") for each in changes]
    if wrong := [name for name, equals, _ in pairs if not equals]:
        raise click.UsageError(f"--set {wrong[0]}: must be NAME=VALUE")
    return {name: value for name, _, value in pairs}


class _Clock:
    """Moves a bar on by the seconds that decisions took."""

    def __init__(self, bar: "screen.Bar") -> None:
        self._bar, self._last = bar, time.perf_counter()

    def advance(self, decisions: int) -> None:
        """So many more were made."""
        now = time.perf_counter()
        seconds, self._last = now - self._last, now
        self._bar.advance(seconds)
        self._bar.describe(f"{decisions / seconds:,.0f} decisions/s")


def curve_line(point: "Point") -> str:
    """Where a run stands, in one line."""
    decisions, seconds = float(str(point["decisions"])), float(str(point["seconds"]))
    pairs = {name: value for name, value in point.items() if isinstance(value, list)}
    scores = ", ".join(
        f"{name} {100 * wins:.1f} ± {100 * error:.1f} %" for name, (wins, error) in pairs.items()
    )
    return f"{seconds / 60:6.1f} min {decisions / 1e6:10.1f} million decisions: {scores}"
