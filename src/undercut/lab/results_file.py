"""The file in which a match or a tournament keeps its results while it is played.

An SQLite database: the first row identifies the match or tournament, the others have some
rounds of a table each. Each row is a transaction, committed when its rounds have been played. So a
killed tournament loses little and counts nothing twice. An open file is locked.
"""

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import msgspec
import numpy as np

from undercut.lab.rounds import Rounds, places_of
from undercut.play.winners import WIN
from undercut.text.errors import UndercutError

FORMAT = int.from_bytes(b"Und3", "big")  # the application id of our SQLite files

_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
_Columns: TypeAlias = list[list[_Count]]


class LedgerError(UndercutError):
    """A results file is damaged, or belongs to another tournament."""


@dataclass(frozen=True)
class Heading:
    """The identity of a tournament."""

    game: str
    rules_version: int
    agents: list[str]
    seed: int
    adjusted: bool = False  # whether luck is subtracted from the results


@dataclass(frozen=True)
class Part:
    """Some consecutive rounds of one table, as columns with a number for each round."""

    table: list[_Count]  # the numbers of the agents
    first: _Count  # the number of the first round
    games: _Count  # in each round
    beats: _Columns  # for each pair of agents, twice the games the first won
    wins: _Columns  # for each agent, WIN for a game won alone and less for a tie
    points: _Columns  # for each agent
    deals: list[_Count]
    tally: _Columns  # for each of the game's own counts
    luck: list[list[float]] = field(default_factory=list)  # for each agent, if it is computed
    forfeits: _Columns = field(default_factory=list)  # for each agent, if any can fail
    seconds: float = 0.0  # playing time

    @classmethod
    def of(cls, table: Sequence[int], first: int, rounds: Rounds) -> "Part":
        games = int(rounds.games[0])
        wins = np.rint(WIN * games * rounds.shares.T).astype(np.int64).tolist()
        same = ("beats", "points", "deals", "tally", "luck", "forfeits")
        columns = {name: getattr(rounds, name).T.tolist() for name in same}
        return cls(list(table), first, games, wins=wins, seconds=rounds.seconds, **columns)

    @property
    def end(self) -> int:
        return self.first + len(self.deals)

    def is_whole(self, agents: int) -> bool:
        """Whether the columns fit each other, and the table has some of `agents` agents."""
        seats, count = len(self.table), len(self.deals)
        kinds = (self.beats, self.wins, self.points, self.tally, self.luck, self.forfeits)
        return (
            {*self.table} <= {*range(agents)}
            and min(count, self.games) > 0
            and self.first >= 0
            and len(self.beats) == seats * (seats - 1) // 2
            and len(self.wins) == len(self.points) == seats
            and {len(self.luck), len(self.forfeits)} <= {0, seats}
            and all(len(column) == count for columns in kinds for column in columns)
        )

    def rounds(self) -> Rounds:
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
            luck=np.array(self.luck, dtype=np.float64).reshape(-1, count).T,
            forfeits=np.array(self.forfeits, dtype=np.int64).reshape(-1, count).T,
            seconds=self.seconds,
        )


Row = TypeVar("Row", Heading, Part)


class Ledger:
    """Results on disk, or without a path in memory only."""

    def __init__(self, path: Path | None, heading: Heading) -> None:
        self.parts: list[Part] = []
        self._path = path
        self._database: sqlite3.Connection | None = None
        if path is not None:
            try:
                with _one_line(path):
                    self._open(path, heading)
            except BaseException:
                self.close()
                raise

    def _open(self, path: Path, heading: Heading) -> None:
        # Without an isolation level every statement is a transaction, except within BEGIN.
        self._database = database = sqlite3.connect(path, timeout=0, isolation_level=None)
        database.execute("PRAGMA locking_mode=EXCLUSIVE")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("BEGIN EXCLUSIVE")
        if _pragma(database, "schema_version") == 0:
            database.execute(f"PRAGMA application_id={FORMAT}")
            database.execute("CREATE TABLE rows (body BLOB NOT NULL, crc INTEGER NOT NULL)")
            _insert(database, heading)
        if _pragma(database, "application_id") != FORMAT:
            raise LedgerError(f"{str(path)!r} {_FOREIGN}")
        rows = database.execute("SELECT body, crc FROM rows ORDER BY rowid").fetchall()
        is_whole = all(type(body) is bytes and zlib.crc32(body) == crc for body, crc in rows)
        if not rows or not is_whole or _pragma(database, "quick_check(1)") != "ok":
            raise LedgerError(f"{str(path)!r} {_DAMAGED}")
        _check_heading(path, _read(path, rows[0][0], Heading), heading)
        self.parts = [_read(path, body, Part) for body, _ in rows[1:]]
        if not all(part.is_whole(len(heading.agents)) for part in self.parts):
            raise LedgerError(f"{str(path)!r} {_DAMAGED}")
        database.execute("COMMIT")

    def check_asked(self, rounds: int) -> None:
        """Raise an error if a table has played more than `rounds` rounds already."""
        for part in self.parts:
            if part.end > rounds:
                done = max(each.end for each in self.parts) * part.games
                raise LedgerError(f"{str(self._path)!r} has {done} games: give -n {done} or more")

    def add(self, part: Part) -> None:
        self.parts.append(part)
        if self._database is not None and self._path is not None:
            with _one_line(self._path):
                _insert(self._database, part)

    def close(self) -> None:
        if self._database is not None:
            self._database.close()


def _pragma(database: sqlite3.Connection, name: str) -> object:
    (value,) = database.execute(f"PRAGMA {name}").fetchone()
    return value


def _read(path: Path, body: bytes, kind: type[Row]) -> Row:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise LedgerError(f"{str(path)!r} {_DAMAGED}") from None


def _insert(database: sqlite3.Connection, value: Heading | Part) -> None:
    """SQLite detects damage to its own structure; the checksum protects the content."""
    body = msgspec.json.encode(value)
    database.execute("INSERT INTO rows VALUES (?, ?)", (body, zlib.crc32(body)))


_FOREIGN = "is not a file of results, or one of an older version: give a new file"
_DAMAGED = "is damaged"
_KNOWN_ERRORS: dict[int | None, str] = {
    sqlite3.SQLITE_BUSY: "is in use by another program",
    sqlite3.SQLITE_NOTADB: _FOREIGN,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
}


@contextmanager
def _one_line(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one line."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)  # some errors are Python's own
        found = _KNOWN_ERRORS.get(code, f"cannot be used: {error}")
        raise LedgerError(f"{str(path)!r} {found}") from None


def _check_heading(path: Path, found: Heading, wanted: Heading) -> None:
    for name, value in asdict(wanted).items():
        if getattr(found, name) != value:
            verb = "are" if isinstance(value, list) else "is"
            raise LedgerError(
                f"{str(path)!r} holds another match or tournament: its {name.replace('_', ' ')} "
                f"{verb} {_plain(getattr(found, name))}, not {_plain(value)}"
            )


def _plain(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
