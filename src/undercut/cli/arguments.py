"""Arguments and options that several commands share."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from undercut.cli import screen

if TYPE_CHECKING:
    from undercut.lab.workers import Crew
    from undercut.play.agent import AnyAgent

Command: TypeAlias = Callable[..., object]
Decorator: TypeAlias = Callable[[Command], Command]

SEED_LIMIT = 2**63  # as in kernels.rng, which is too heavy to import for --help


def whole_number(option: str, low: int, high: int) -> Callable[[str | int], int]:
    """A reader of whole numbers between two limits, which refuses anything else in one line."""

    def number(value: str | int) -> int:
        try:
            read = int(value)
        except ValueError:
            read = low - 1
        if not low <= read <= high:
            raise click.UsageError(f"{option} {value}: must be a whole number from {low} to {high}")
        return read

    return number


def low_and_high(option: str) -> Callable[[str], tuple[float, float]]:
    """A reader of two numbers with a comma between them."""

    def numbers(value: str) -> tuple[float, float]:
        try:
            low, high = (float(part) for part in value.split(","))
        except ValueError:
            raise click.UsageError(
                f"{option} {value}: must be two numbers with a comma between them"
            ) from None
        return low, high

    return numbers


class OutPath(click.Path):
    """A file that a command will write, or a folder for its files; refused before any work."""

    def __init__(self, is_folder: bool = False) -> None:
        super().__init__(file_okay=not is_folder, dir_okay=is_folder, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """The path, if it can be written."""
        path, wanted = Path(value), str(value)
        if self.dir_okay:
            _try_folder(
                next(each for each in (path, *path.absolute().parents) if each.exists()), wanted
            )
            return path
        if path.is_dir():
            raise click.UsageError(f"cannot write {wanted!r}: it is a folder")
        if path.exists() and not os.access(path, os.W_OK):
            raise click.UsageError(f"cannot write {wanted!r}: it may not be changed")
        _try_folder(path.parent, wanted)
        return path


OUT_FILE, OUT_FOLDER = OutPath(), OutPath(is_folder=True)


def _try_folder(folder: Path, wanted: str) -> None:
    """Write a file there and delete it: permissions alone do not say whether that works."""
    if not folder.is_dir():
        is_file = folder.exists()
        why = f"{str(folder)!r} is a file" if is_file else f"there is no folder {str(folder)!r}"
        raise click.UsageError(f"cannot write {wanted!r}: {why}")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise click.UsageError(f"cannot write {wanted!r}: {error.strerror}") from None


def number_option(
    name: str, low: int, high: int, metavar: str, words: str, default: int | None = None
) -> Decorator:
    """An option that takes a whole number between two limits; `words` are its help."""
    number, is_shown = whole_number(name, low, high), default is not None
    return click.option(
        name, type=number, default=default, show_default=is_shown, metavar=metavar, help=words
    )


def choice_option(name: str, choices: list[str], words: str) -> Decorator:
    """An option that takes one of some words, by default the first."""
    kind = click.Choice(choices)
    return click.option(name, type=kind, default=choices[0], show_default=True, help=words)


def file_option(name: str, words: str, required: bool = False) -> Decorator:
    """An option that takes a file to be written."""
    return click.option(name, type=OUT_FILE, required=required, metavar="FILE", help=words)


def plot_option(words: str) -> Decorator:
    """An option that takes the file of a picture, in a format that matplotlib can write."""
    return click.option("--plot", type=OUT_FILE, callback=_check_plot, metavar="FILE", help=words)


def _check_plot(_: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is not None:
        from undercut.lab.plot import check_plot_path

        check_plot_path(path)
    return path


def folder_option(name: str, words: str) -> Decorator:
    """An option that takes a folder for files to be written."""
    return click.option(name, "folder", type=OUT_FOLDER, metavar="FOLDER", help=words)


def games_option(default: int, most: int) -> Decorator:
    return click.option(
        "-n",
        "--games",
        type=whole_number("-n", 1, most),
        default=default,
        show_default=True,
        metavar="N",
        help="The number of games, rounded up so that every deal is played in every seating.",
    )


seed_option = number_option(
    "--seed",
    0,
    SEED_LIMIT - 1,
    "S",
    "Determines the cards and all random numbers: the same seed gives the same games.",
    default=0,
)

device_option = choice_option(
    "--device",
    ["cpu", "cuda"],
    "The device that plays the games; cuda needs an NVIDIA GPU and the extra 'cuda'.",
)

workers_option = number_option(
    "--workers", 1, 1024, "W", "CPU threads, or processes of a cluster; by default all."
)

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Ray cluster, with the same results: its address, 'auto' on one of its "
    "machines, or 'local'. docs/scale.md; needs the extra 'cluster'.",
)

adjust_option = click.option(
    "--adjust",
    is_flag=True,
    help="Subtract the luck of the cards from the results: docs/adjust.md.",
)

resume_option = file_option(
    "--resume", "Store results in FILE, and continue from them: stop and start as you like."
)

restart_option = click.option(
    "--restart", is_flag=True, help="Start again, not from the checkpoint."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def gathered(name: str, kind: Callable[..., object], *options: Decorator) -> Decorator:
    """Pass several options to a command as one argument.

    The fields of `kind` are the names of the options: those given here, and others above.
    """
    fields = [*signature(kind).parameters]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def call(**given: object) -> object:
            found = kind(**{field: given.pop(field) for field in fields})
            return command(**given, **{name: found})

        made: Command = call
        for option in reversed(options):
            made = option(made)
        return made

    return decorate


class Machines(NamedTuple):
    """The threads, the GPU or the cluster that play."""

    device: str
    workers: int | None
    cluster: str | None

    @contextmanager
    def crew(self) -> "Iterator[Crew | None]":
        """The machines of a cluster; None if this machine plays."""
        if self.cluster is None:
            yield None
            return
        from undercut.adapters.cluster import Cluster

        with Cluster(self.cluster, self.device, self.workers) as crew:
            yield crew


machine_options = gathered("machines", Machines, device_option, workers_option, cluster_option)


class Series(NamedTuple):
    """The games of a match or a tournament."""

    game: str
    agents: tuple[str, ...]
    games: int
    seed: int
    adjust: bool


def series_arguments(most: int) -> Decorator:
    """Game, agents, number of games and seed, which with `adjust_option` are one argument."""
    agents = click.argument("agents", nargs=-1, required=True, metavar="AGENT AGENT...")
    options = (click.argument("game"), agents, games_option(1000, most), seed_option)
    return gathered("series", Series, *options)


def say_by_clock(agents: "Sequence[AnyAgent]") -> None:
    """Name the agents that search by the clock."""
    for name in dict.fromkeys(agent.name for agent in agents if getattr(agent, "by_clock", False)):
        note = f"note: {name} searches by the clock: the same seed may give other games"
        screen.show_line(note, err=True)


def say_rounded(asked: int, played: int, seatings: int) -> None:
    """Say how many games were added to fill the last round."""
    if asked != played:
        games = "pairs, seats exchanged" if seatings == 2 else f"rounds of {seatings} seatings"
        click.echo(f"note: games come in {games}: playing {played}, not {asked}", err=True)
