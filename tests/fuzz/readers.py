"""Doors through which bytes come in, and what must hold whatever comes.

A case of a reader is a number: it says which sample is damaged, and how. Only errors of ours come
out, in one line that can be printed, and nothing is written.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click

from undercut.text.errors import UndercutError

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where no disk is waited for
OWN = "own"  # the folder of files that a reader itself puts down to be read

Read: TypeAlias = Callable[[Any], bool]
Opened: TypeAlias = Callable[[Path], AbstractContextManager[Read]]


class Failure(Exception):
    """Something came out that should not, or a file was written."""


@dataclass(frozen=True)
class Reader:
    """One door: good samples, how they are damaged, and what reads them.

    `open` gives the function that reads, with an empty folder for files of its own. The function
    says whether it has accepted something, or refuses it with an error of ours.
    """

    name: str
    cases: int  # in `make test`
    samples: Callable[[], Sequence[Any]]
    damage: Callable[[Any, Random], Any]
    open: Opened

    def given(self, case: int) -> Any:
        """What comes in."""
        random = Random(f"{self.name} {case}")
        return self.damage(random.choice(self.samples()), random)


def always(read: Read) -> Opened:
    """A door that needs no files."""

    @contextmanager
    def opened(folder: Path) -> Iterator[Read]:
        yield read

    return opened


def through_file(read: Callable[[Path], bool], name: str = "given") -> Opened:
    """A door for a file: what comes in is written to it."""

    @contextmanager
    def opened(folder: Path) -> Iterator[Read]:
        path = folder / name

        def read_bytes(given: bytes) -> bool:
            path.write_bytes(given)
            return read(path)

        yield read_bytes

    return opened


@contextmanager
def at_work(reader: Reader) -> Iterator[Callable[[int], bool]]:
    """What tries a case of a reader, in an empty working directory where nothing may be written."""
    with TemporaryDirectory(dir=MEMORY) as name, contextlib.chdir(name):
        own = Path(name, OWN)
        own.mkdir()
        with reader.open(own) as read:
            yield lambda case: _try(reader, read, case)
        if os.listdir(name) != [OWN]:
            raise Failure(f"{reader.name}: it has written {os.listdir(name)}")


def _try(reader: Reader, read: Read, case: int) -> bool:
    given = reader.given(case)
    try:
        return read(given)
    except (UndercutError, click.ClickException) as error:
        if str(error).isprintable():
            return False
        raise Failure(f"{reader.name}, case {case}: the message {str(error)!r}") from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}"[:300]
        raise Failure(f"{reader.name}, case {case}: {what} from {repr(given)[:300]}") from error
