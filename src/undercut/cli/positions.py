"""The commands that train a network on the positions of many matches: their options, their run."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from undercut.learn.positions.run import Point, PositionRun, Scores


class Lesson(NamedTuple):
    """What a command teaches."""

    name: str  # of the command and of its schema
    result: str  # the key of the file in its JSON
    run: str  # the class of the run, as module:name
    line: "Callable[[Scores], str]"  # the scores against a kind of opponent


def position_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments and options of such a command."""
    for decorate in (
        training_options,
        arguments.json_option,
        arguments.device_option,
        arguments.seed_option,
        arguments.restart_option,
        set_option,
        size_option,
        click.option(
            "--positions",
            type=click.FloatRange(1),
            default=inf,
            metavar="N",
            help="Stop after this many positions, independent of the time; 2e6 is two million.",
        ),
        minutes_option("piece"),
        click.argument("folder", type=arguments.OUT_FOLDER),
        click.argument("game"),
    ):
        command = decorate(command)
    return command


def teach(
    lesson: Lesson,
    game: str,
    folder: Path,
    minutes: float,
    positions: float,
    training: Training,
    as_json: bool,
) -> None:
    """Train, and print each point of the curve."""
    from undercut.lab.extras import need

    need("torch", "train")
    from undercut.learn.positions.config import SIZES, change
    from undercut.learn.positions.training import saved_config, train

    begun = None if training.restart else saved_config(folder)
    config = change(begun or SIZES[training.size], training.settings(game))
    points: list[Point] = []

    def report(point: "Point") -> None:
        points.append(point)
        if not as_json:
            for line in _lines(point, lesson):
                click.echo(line)

    module, _, name = lesson.run.partition(":")
    kind: type[PositionRun] = getattr(import_module(module), name)
    begin = partial(train, kind)
    run: Any = train_until(begin, config, folder, training, minutes, positions, "positions", report)
    if as_json:
        screen.print_json(_to_json(run, lesson.result, folder / run.FILE), lesson.name)
    elif not points:
        lasted = f"{run.seconds / 60:.1f} minutes, {run.positions:,} positions"
        click.echo(f"{folder}: it has already lasted {lasted}")


def _to_json(run: "PositionRun", result: str, path: Path) -> dict[str, object]:
    return {
        "game": run.config.game,
        result: str(path),
        "positions": run.positions,
        "seconds": run.seconds,
        "positions_per_second": run.positions / max(run.seconds, 1e-9),
        "curve": run.curve,
        "seed": run.config.seed,
    }


def _lines(point: "Point", lesson: Lesson) -> list[str]:
    """A point of the curve: a line for itself, and one for each kind of opponent."""
    minutes, millions = point["seconds"] / 60, point["positions"] / 1e6
    lines = [f"{minutes:6.1f} min {millions:10.2f} million positions"]
    lines += [f"  {name}: {lesson.line(each)}" for name, each in point["opponents"].items()]
    return lines
