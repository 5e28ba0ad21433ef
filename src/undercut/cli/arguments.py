"""Arguments and options that several commands share."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from undercut.lab.workers import Crew

Command = TypeVar("Command", bound=Callable[..., Any])

SEED_LIMIT = 2**63  # as in kernels.rng, which is too heavy to import for --help


def whole_number(option: str, low: int, high: int) -> Callable[[str | int], int]:
    """Reads a whole number between two limits, or says in one line that it is none."""

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
    """Reads two numbers with a comma between them."""

    def numbers(value: str) -> tuple[float, float]:
        try:
            low, high = (float(part) for part in value.split(","))
        except ValueError:
            raise click.UsageError(
                f"{option} {value}: must be two numbers with a comma between them"
            ) from None
        return low, high

    return numbers


class OutFile(click.Path):
    """A file that will be written: refused at once if that cannot be done."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, if something can be written there."""
        path = Path(value)
        if path.is_dir():
            raise click.UsageError(f"cannot write {str(value)!r}: it is a folder")
        if path.exists() and not os.access(path, os.W_OK):
            raise click.UsageError(f"cannot write {str(value)!r}: it may not be changed")
        _try_folder(path.parent, str(value))
        return path


class OutFolder(click.Path):
    """A folder that files will be written into, made if it is not there."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, if files can be written there."""
        path = Path(value)
        there = next(each for each in (path, *path.absolute().parents) if each.exists())
        _try_folder(there, str(value))
        return path


def _try_folder(folder: Path, wanted: str) -> None:
    """Write a file there and take it away again: nothing else is sure to say whether that works."""
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
) -> Callable[[Command], Command]:
    """An option that takes a whole number between two limits; `words` are its help."""
    number, is_shown = whole_number(name, low, high), default is not None
    return click.option(
        name, type=number, default=default, show_default=is_shown, metavar=metavar, help=words
    )


def games_option(default: int, most: int) -> Callable[[Command], Command]:
    """How many games to play."""
    return click.option(
        "-n",
        "--games",
        type=whole_number("-n", 1, most),
        default=default,
        show_default=True,
        metavar="N",
        help="How many games; rounded up so that every deal is played in every seating.",
    )


seed_option = number_option(
    "--seed",
    0,
    SEED_LIMIT - 1,
    "S",
    "Names the cards and all chance: the same seed gives the same games.",
    default=0,
)

device_option = click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help="Where whole games are played; cuda needs an NVIDIA GPU and the extra 'cuda'.",
)

workers_option = number_option(
    "--workers", 1, 1024, "W", "CPU threads, or processes of a cluster; by default all there are."
)

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Let the machines of a Ray cluster play, with the same results: its address, 'auto' on "
    "one of them, or 'local'. docs/scale.md; needs the extra 'cluster'.",
)

adjust_option = click.option(
    "--adjust",
    is_flag=True,
    help="Take the luck of the cards out of the results, for fewer games: docs/adjust.md.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@contextmanager
def crew_of(cluster: str | None, device: str, workers: int | None) -> "Iterator[Crew | None]":
    """The machines that play in place of this one; None: no other plays."""
    if cluster is None:
        yield None
        return
    from undercut.adapters.cluster import Cluster

    with Cluster(cluster, device, workers) as crew:
        yield crew


def say_rounded(asked: int, played: int, seatings: int) -> None:
    """Say how many games were added to fill the last round."""
    if asked != played:
        games = "pairs, seats exchanged" if seatings == 2 else f"rounds of {seatings} seatings"
        click.echo(f"note: games come in {games}: playing {played}, not {asked}", err=True)
