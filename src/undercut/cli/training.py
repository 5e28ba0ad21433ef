"""What the commands that train a network share: options, a bar, and Ctrl-C."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from undercut.cli import arguments, screen
from undercut.cli.estimator import command_line
from undercut.cli.stopping import Stop, leave

AnyRun = TypeVar("AnyRun")

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


def minutes_option(piece: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option for the time of a run, which always completes a `piece`."""
    return click.option(
        "--minutes",
        type=click.FloatRange(0, min_open=True),
        default=2.0,
        show_default=True,
        metavar="M",
        help="The time of playing and learning, earlier calls included; compilation and"
        f" measurement come on top, and the last {piece} is completed.",
    )


class Clock:
    """Advances a bar by the seconds that decisions took; compilation and measurement do not count."""

    def __init__(self, bar: "screen.Bar", stop: Stop, what: str) -> None:
        self._bar, self._stop, self._what = bar, stop, what

    def advance(self, decisions: int, seconds: float) -> None:
        self._bar.advance(seconds)
        if decisions:  # otherwise the time of earlier calls
            self._stop.begin()
            self._bar.describe(f"{decisions / seconds:,.0f} {self._what}/s")


def train_until(
    train: Callable[..., AnyRun],
    config: object,
    folder: Path,
    training: Training,
    minutes: float,
    most: float,
    what: str,
    report: Callable[[Any], None],
) -> AnyRun:
    """Train for some minutes or until it has learned from `most` of `what`, and show how far it is.

    After Ctrl-C the command ends with what was learned until then.
    """
    with Stop() as stop, screen.compiling(), screen.Bar(int(60 * minutes), "") as bar:
        run = train(
            config,
            folder,
            training.device,
            seconds=60 * minutes,
            decisions=most,
            stops=stop.asked,
            restart=training.restart,
            about={"command": command_line()},
            progress=Clock(bar, stop, what).advance,
            report=report,
        )
    if stop.is_asked:
        leave(folder)
    return run
