"""`undercut selfplay`: train a player by self-play."""

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from undercut.cli import arguments, screen
from undercut.cli.estimator import command_line
from undercut.cli.stopping import Stop, leave

if TYPE_CHECKING:
    from undercut.learn.selfplay.run import Point, Run


size_option = arguments.choice_option(
    "--size", ["small", "full"], "small learns on a few CPU cores; full wants a GPU."
)
set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting of the run; may be given many times.",
)


class Training(NamedTuple):
    """The settings of a training run."""

    size: str
    changes: tuple[str, ...]
    restart: bool
    seed: int
    device: str

    def settings(self, game: str) -> dict[str, str]:
        """The settings that differ from those of the size, as text."""
        pairs = [each.partition("=") for each in self.changes]
        if wrong := [name for name, equals, _ in pairs if not equals]:
            raise click.UsageError(f"--set {wrong[0]}: must be NAME=VALUE")
        changes = {name: value for name, _, value in pairs}
        return {"game": game, "seed": str(self.seed), **changes}


training_options = arguments.gathered("training", Training)


@click.command(short_help="Train a player by letting it play itself.")
@click.argument("game")
@click.argument("folder", type=arguments.OUT_FOLDER)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=2.0,
    show_default=True,
    metavar="M",
    help="The time of playing and learning, earlier calls included; compilation and measurement"
    " come on top, and the last iteration is completed.",
)
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

    with Stop() as stop, screen.compiling(), screen.Bar(int(60 * minutes), "") as bar:
        clock = Clock(bar, stop)
        run = train(
            config,
            folder,
            training.device,
            seconds=60 * minutes,
            decisions=decisions,
            stops=stop.asked,
            restart=training.restart,
            about={"command": command_line()},
            progress=clock.advance,
            report=report,
        )
    if stop.is_asked:
        leave(folder)
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


class Clock:
    """Advances a bar by the seconds that decisions took; compilation and measurement do not count."""

    def __init__(self, bar: "screen.Bar", stop: Stop, what: str = "decisions") -> None:
        self._bar, self._stop, self._what = bar, stop, what

    def advance(self, decisions: int, seconds: float) -> None:
        self._bar.advance(seconds)
        if decisions:  # otherwise the time of earlier calls
            self._stop.begin()
            self._bar.describe(f"{decisions / seconds:,.0f} {self._what}/s")


def curve_line(point: "Point") -> str:
    """A point of the curve in one line."""
    decisions, seconds = float(str(point["decisions"])), float(str(point["seconds"]))
    pairs = {name: value for name, value in point.items() if isinstance(value, list)}
    scores = ", ".join(
        f"{name} {100 * wins:.1f} ± {100 * error:.1f} %" for name, (wins, error) in pairs.items()
    )
    return f"{seconds / 60:6.1f} min {decisions / 1e6:10.1f} million decisions: {scores}"
