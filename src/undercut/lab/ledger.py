"""The file in which a tournament keeps its results while it is played.

JSON Lines: the first line says which tournament it is, every other line holds some rounds of one
table. A line is written in one piece when its rounds have been played, so a tournament that is
killed loses little and never counts anything twice.
"""

import json
import os
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import lcm
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from undercut.core.errors import UndercutError
from undercut.games.contract import MAX_SEATS
from undercut.lab.rounds import Rounds, places_of

FORMAT = 2
WIN = lcm(*range(1, MAX_SEATS + 1))  # a win counts as this many, so that any tie can be split


class LedgerError(UndercutError):
    """A file of results that is damaged, or belongs to another tournament."""


@dataclass(frozen=True)
class Heading:
    """What makes a tournament this one and no other."""

    game: str
    rules_version: int
    agents: list[str]
    seed: int


@dataclass(frozen=True)
class Part:
    """Some consecutive rounds of one table, as columns with a number for each round."""

    table: list[int]  # the numbers of the agents
    first: int  # the number of the first round
    games: int  # in each round
    beats: list[list[int]]  # for each pair of agents, twice the games the first won
    wins: list[list[int]]  # for each agent, WIN for a game won alone and less for a tie
    points: list[list[int]]  # for each agent
    deals: list[int]
    tally: list[list[int]]  # for each of the counts that the game keeps

    @classmethod
    def of(cls, table: Sequence[int], first: int, rounds: Rounds) -> "Part":
        """These rounds, to be kept."""
        games = int(rounds.games[0])
        return cls(
            list(table),
            first,
            games,
            rounds.beats.T.tolist(),
            np.rint(WIN * games * rounds.shares.T).astype(np.int64).tolist(),
            rounds.points.T.tolist(),
            rounds.deals.tolist(),
            rounds.tally.T.tolist(),
        )

    @property
    def end(self) -> int:
        """The number of the round after the last."""
        return self.first + len(self.deals)

    def rounds(self) -> Rounds:
        """The rounds as they were played, but for the time they took."""
        seats, count = len(self.table), len(self.deals)
        beats, deals = np.array(self.beats).T, np.array(self.deals)
        return Rounds(
            shares=np.array(self.wins).T / (WIN * self.games),
            places=places_of(beats, seats, self.games),
            points=np.array(self.points).T,
            dealt=np.tile(deals[:, None], seats),
            beats=beats,
            games=np.full(count, self.games),
            deals=deals,
            tally=np.array(self.tally, dtype=np.int64).reshape(-1, count).T,
            seconds=0.0,
        )


class Ledger:
    """Results on disk; without a path they are kept in memory only."""

    def __init__(self, path: Path | None, heading: Heading) -> None:
        self.parts: list[Part] = []
        self.is_torn = False  # whether the last line had to be dropped
        self._file: BinaryIO | None = None
        if path is not None:
            self._open(path, heading)

    def _open(self, path: Path, heading: Heading) -> None:
        try:
            self._file = open(path, "a+b")  # noqa: SIM115 (closed by close)
        except OSError as error:
            raise LedgerError(f"cannot open {str(path)!r}: {error.strerror}") from None
        try:
            self._lock(path)
            self._read(path, heading)
        except BaseException:
            self._file.close()
            raise

    def _lock(self, path: Path) -> None:
        assert self._file is not None
        try:
            lock(self._file)
        except OSError:
            raise LedgerError(f"{str(path)!r} is in use by another tournament") from None

    def _read(self, path: Path, heading: Heading) -> None:
        assert self._file is not None
        self._file.seek(0)
        content = self._file.read()
        # What a kill left half-written has no newline at its end.
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if content and not lines:
            raise LedgerError(f"{str(path)!r} is not a file of tournament results")
        if lines:
            _check_heading(path, _parse(path, 1, lines[0]), heading)
        self.parts = [_part(path, number, line) for number, line in enumerate(lines[1:], start=2)]
        if len(whole) < len(content):
            self.is_torn = True
            self._file.truncate(len(whole))
        if not lines:
            self._append({"undercut": "tournament", "format": FORMAT, **asdict(heading)})

    def add(self, part: Part) -> None:
        """Keep the results of some more rounds."""
        self.parts.append(part)
        if self._file is not None:
            self._append(asdict(part))

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def _append(self, value: dict[str, Any]) -> None:
        assert self._file is not None
        self._file.write(_format(value))
        self._file.flush()
        os.fsync(self._file.fileno())


def _format(value: dict[str, Any]) -> bytes:
    """A line; its last field is a checksum of what stands before it."""
    body = json.dumps(value, separators=(",", ":"))
    return f'{body[:-1]},"check":{zlib.crc32(body.encode())}}}\n'.encode()


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Read a line that `_format` wrote; anything else is refused."""
    try:
        value = json.loads(line)
        del value["check"]
        is_whole = _format(value) == line + b"\n"
    except (ValueError, TypeError, KeyError):
        is_whole = False
    if not is_whole:
        raise LedgerError(f"line {number} of {str(path)!r} is damaged")
    return value


def _check_heading(path: Path, found: dict[str, Any], heading: Heading) -> None:
    if found.pop("undercut", None) != "tournament" or found.pop("format", None) != FORMAT:
        raise LedgerError(f"{str(path)!r} is not a file of tournament results")
    for name, wanted in asdict(heading).items():
        if found.get(name) != wanted:
            raise LedgerError(
                f"{str(path)!r} holds another tournament: its {name.replace('_', ' ')} "
                f"is {_plain(found.get(name))}, not {_plain(wanted)}"
            )


def _plain(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _part(path: Path, number: int, line: bytes) -> Part:
    value = _parse(path, number, line)
    try:
        return Part(**value)
    except TypeError:
        raise LedgerError(f"line {number} of {str(path)!r} is not a result") from None


def _flock() -> Callable[[int], None] | None:
    if sys.platform == "win32":
        return None
    import fcntl

    return lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(file: BinaryIO) -> None:
    """Keep a second run off a file, or raise OSError; the lock goes when the file is closed."""
    flock = _flock()
    if flock is not None:
        flock(file.fileno())
