"""The games that people play, in one SQLite file; every acknowledged choice is on the disk."""

import json
import re
import secrets
import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

import msgspec

from undercut.app.agent_pool import seat_agent
from undercut.app.company import Person
from undercut.app.data_folder import make_folder, make_private
from undercut.app.host import Entry, Host, LogError
from undercut.app.store_schema import TABLES, VERSION, changes_since
from undercut.app.stored_games import (
    COLUMNS,
    LEFT,
    OVER,
    PLAYING,
    Damaged,
    DealKept,
    Pledge,
    Stored,
    StoreError,
    game_of,
    read_row,
)
from undercut.games.contract import Game
from undercut.games.table.description import YOU
from undercut.kernels.records import Seat
from undercut.play.seeds import AnySeed
from undercut.text.errors import OptionsError
from undercut.text.translation import say

FILE = "games.sqlite3"
WAIT = 5.0  # seconds to wait for another process that writes

_COLUMNS = ", ".join(COLUMNS)
_NEXT = "(SELECT ifnull(max(sequence), 0) + 1 FROM games)"
"""The order of games by their last choice; it does not depend on the clock."""


@dataclass
class _Line:
    """A line of a log that waits to be written."""

    number: int
    place: int
    entry: Entry
    is_done: bool = False
    is_elsewhere: bool = False  # another line has its place, or the game was deleted
    problem: StoreError | None = None  # the error of its write


class Store:
    """Stored games, open to several processes; several threads may share a store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = RLock()
        self._waiting: deque[_Line] = deque()
        with self._explained():
            make_folder(folder)
            for end in ("", "-wal", "-shm"):
                make_private(folder / f"{FILE}{end}")
            self._database = sqlite3.connect(
                folder / FILE, timeout=WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:  # an open database would stay locked for others
                self._database.close()
                raise

    def _prepare(self) -> None:
        self._database.text_factory = lambda raw: raw.decode(errors="replace")
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")  # survives a power cut
        self._database.execute("PRAGMA foreign_keys = ON")
        self._make_tables()

    def _make_tables(self) -> None:
        with self._changing():
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in TABLES.split(";"):
                    self._database.execute(statement)
            elif 0 < version < VERSION:
                for statement in changes_since(version):
                    self._database.execute(statement)
            elif version != VERSION:
                raise StoreError(
                    f"the games in {str(self.folder)!r} are of version {version}: "
                    f"this program reads version {VERSION}"
                )
            if version != VERSION:
                self._database.execute(f"PRAGMA user_version = {VERSION}")

    def close(self) -> None:
        self._database.close()

    def begin(
        self,
        game: Game,
        players: Sequence[str],
        seed: AnySeed,
        training: bool = False,
        pledge: Pledge | None = None,
    ) -> Stored:
        """Store a new game; `players` are specs, YOU for a person."""
        now, asks_all = _now(), players.count(YOU) > 1
        scores = json.dumps([0] * game.seats)
        pledged = "" if pledge is None else json.dumps([pledge.seed, pledge.salt, pledge.words])
        values = (now, now, game.name, game.rules.VERSION, json.dumps(list(players)))
        named, entropy = (0, seed) if isinstance(seed, str) else (seed, "")
        row = (*values, named, training, PLAYING, scores, "[]", pledged, asks_all, entropy)
        with self._changing():
            done = self._database.execute(
                "INSERT INTO games (begun, touched, game, version, players, seed, training, state, "
                "scores, deals, pledge, asks_all, entropy, sequence) "
                f"VALUES ({'?, ' * len(row)}{_NEXT})",
                row,
            )
        assert done.lastrowid is not None
        return self.find(done.lastrowid)

    def games(self) -> list[Stored]:
        """The readable games, the one with the latest choice first."""
        return [each for each in self._read_all() if isinstance(each, Stored)]

    def damaged(self) -> list[Damaged]:
        return [each for each in self._read_all() if isinstance(each, Damaged)]

    def _read_all(self) -> list[Stored | Damaged]:
        with self._explained():
            rows = self._database.execute(
                f"SELECT {_COLUMNS} FROM games ORDER BY sequence DESC, number DESC"
            ).fetchall()
        return [read_row(row) for row in rows]

    def last(self) -> Stored:
        """The game in play with the latest choice."""
        for stored in self.games():
            if stored.state == PLAYING:
                return stored
        raise StoreError(say("no game is in play in {folder!r}", folder=str(self.folder)))

    def find(self, number: int) -> Stored:
        """A readable game by its number."""
        found = self.read(number)
        if isinstance(found, Damaged):
            raise _is_damaged(number, found.why)
        return found

    def read(self, number: int) -> Stored | Damaged:
        """A game by its number, damaged or not."""
        with self._explained():
            row = self._database.execute(
                f"SELECT {_COLUMNS} FROM games WHERE number = ?", (number,)
            ).fetchone()
        if row is None:
            values = {"number": number, "folder": str(self.folder)}
            message = say("there is no game {number} in {folder!r}", **values)
            raise StoreError(message, say("there is no game {number}", number=number))
        return read_row(row)

    def secrets(self) -> dict[int, str]:
        """For every game with guests, the secret that the keys to its seats derive from."""
        with self._explained():
            rows = self._database.execute("SELECT number, secret FROM games WHERE secret != ''")
            return {int(number): str(secret) for number, secret in rows.fetchall()}

    def secret(self, number: int) -> str:
        """The secret that the keys to the seats of a game derive from; the first call makes it."""
        self.find(number)
        with self._changing():
            self._database.execute(
                "UPDATE games SET secret = ? WHERE number = ? AND secret = ''",
                (secrets.token_hex(32), number),
            )
            row = self._database.execute(
                "SELECT secret FROM games WHERE number = ?", (number,)
            ).fetchone()
        if not re.fullmatch("[0-9a-f]{64}", str(row[0])):
            raise _is_damaged(number, "secret: not a secret")
        return str(row[0])

    def entries(self, number: int) -> list[Entry]:
        """The log of a game, in order."""
        with self._explained():
            rows = self._database.execute(
                "SELECT place, kind, seat, text, chance FROM entries WHERE game = ? ORDER BY place",
                (number,),
            ).fetchall()
        if [row[0] for row in rows] != [*range(len(rows))]:
            raise _is_damaged(number, "lines of its log are missing")
        try:
            return [msgspec.convert(row[1:], Entry) for row in rows]
        except msgspec.ValidationError as error:
            raise _is_damaged(number, str(error)) from None

    def append(self, number: int, place: int, entry: Entry) -> None:
        """Write a choice; it is on the disk when this returns.

        The disk is slow. The thread that gets the lock writes the lines of all waiting threads, so
        that many games wait for the disk once.
        """
        line = _Line(number, place, entry)
        self._waiting.append(line)
        with self._lock:
            if not line.is_done:
                self._write_waiting()
        if line.is_elsewhere:
            raise StoreError(
                say("game {number} went on elsewhere, or was deleted: open it again", number=number)
            )
        if line.problem is not None:
            raise StoreError(str(line.problem), line.problem.told)

    def _write_waiting(self) -> None:
        lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            with self._changing():
                for line in lines:
                    self._write(line)
                for number in dict.fromkeys(line.number for line in lines):
                    self._database.execute(
                        f"UPDATE games SET touched = ?, sequence = {_NEXT} WHERE number = ?",
                        (_now(), number),
                    )
        except StoreError as error:
            for line in lines:
                line.problem = error
        except BaseException:  # Ctrl-C
            for line in lines:
                line.problem = StoreError(f"game {line.number}: a choice was not written")
            raise
        finally:
            for line in lines:
                line.is_done = True

    def _write(self, line: "_Line") -> None:
        """Write one line; a line that does not fit does not stop the others."""
        try:
            self._database.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                (line.number, line.place, *line.entry),
            )
        except sqlite3.IntegrityError:
            line.is_elsewhere = True

    def note(
        self, number: int, state: str, scores: Sequence[int], deals: Sequence[DealKept]
    ) -> None:
        """Store the state of a game for lists; the log alone decides how the game continues."""
        with self._changing():
            self._database.execute(
                "UPDATE games SET state = ?, scores = ?, deals = ? WHERE number = ?",
                (state, json.dumps(list(scores)), json.dumps(list(deals)), number),
            )

    def name(self, number: int, seat: Seat, person: Person) -> None:
        """Store what a person has said about himself."""
        with self._changing():
            named = {**self.find(number).named, seat: person}
            told = json.dumps([[seat, *person] for seat, person in sorted(named.items())])
            self._database.execute("UPDATE games SET named = ? WHERE number = ?", (told, number))

    def coached(self) -> set[int]:
        """The games in which somebody has asked the coach."""
        found = self.rows("SELECT DISTINCT game FROM entries WHERE kind = 'coach'")
        return {int(str(number)) for (number,) in found}

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """The rows of a query about what belongs to games."""
        with self._explained():
            return self._database.execute(query, values).fetchall()

    def execute(self, statement: str, *values: object) -> None:
        """Change what belongs to a game; nothing happens if the game was deleted."""
        with self._changing(), suppress(sqlite3.IntegrityError):
            self._database.execute(statement, values)

    def delete(self, number: int) -> None:
        self.read(number)
        with self._changing():
            self._database.execute("DELETE FROM games WHERE number = ?", (number,))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A transaction."""
        with self._lock, self._explained():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, OSError) as error:
            folder = str(self.folder)
            message = say("cannot use the games in {folder!r}: {error}", folder=folder, error=error)
            why = error.strerror if isinstance(error, OSError) else error
            told = say("the games cannot be read or written: {error}", error=why)
            raise StoreError(message, told) from None


class _Log:
    """The log of a game, with the place of its next line.

    The host refers to this object, not to `Kept`, which refers to the host. Without that cycle both
    are freed at once.
    """

    def __init__(self, store: Store, number: int, place: int) -> None:
        self._store, self._number, self._place = store, number, place

    def __call__(self, entry: Entry) -> None:
        self._store.append(self._number, self._place, entry)
        self._place += 1


class Kept:
    """A game that is played and stored."""

    def __init__(self, store: Store, stored: Stored) -> None:
        """Continue a stored game."""
        self._store, self.number, self.pledge = store, stored.number, stored.pledge
        game = game_of(stored)
        players = [None if spec == YOU else seat_agent(spec, game) for spec in stored.players]
        entries = store.entries(stored.number)
        try:
            self.host = Host(
                game,
                players,
                stored.seed,
                training=stored.training,
                asks_all=stored.asks_all,
                log=_Log(store, stored.number, len(entries)),
                entries=entries,
            )
        except (OptionsError, LogError) as error:
            raise _is_damaged(stored.number, str(error)) from None
        self.host.named = stored.named
        self.people = stored.people
        self._noted = (stored.state, stored.scores, stored.deals)
        self.note()

    def note(self) -> None:
        """Store the state of the match for lists, if it has changed."""
        match = self.host.match
        state = OVER if match.is_over else LEFT if match.is_left else PLAYING
        now = (state, self.host.scores, deals_of(self.host))
        if self._noted != now:
            self._store.note(self.number, *now)
            self._noted = now


def _is_damaged(number: int, why: str) -> StoreError:
    return StoreError(say("game {number} is damaged: {why}", number=number, why=why))


def deals_of(host: Host) -> tuple[DealKept, ...]:
    """The results of the finished deals of a match."""
    return tuple(DealKept(result.outcome, result.points) for result in host.results)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
