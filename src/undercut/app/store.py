"""The games that people play, in one SQLite file: whatever was acknowledged is on the disk."""

import json
import os
import secrets
import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import NamedTuple

import platformdirs

from undercut.app.host import Entry, Host, Kind
from undercut.app.seating import seat_agent
from undercut.core.errors import UndercutError
from undercut.core.rng import Seed
from undercut.core.words import say
from undercut.games.agents import ENGINES
from undercut.games.contract import Game
from undercut.games.description import YOU
from undercut.games.families import parse_game
from undercut.play import fairness

FILE = "games.sqlite3"
VERSION = 3  # of the tables below
WAIT = 5.0  # seconds for another process that is writing
PLAYING, OVER, LEFT = "playing", "over", "left"

_TABLES = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    begun TEXT NOT NULL,
    touched TEXT NOT NULL,
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    players TEXT NOT NULL,
    seed INTEGER NOT NULL,
    training INTEGER NOT NULL,
    state TEXT NOT NULL,
    scores TEXT NOT NULL,
    deals TEXT NOT NULL DEFAULT '',
    pledge TEXT NOT NULL DEFAULT '',
    secret TEXT NOT NULL DEFAULT '',
    asks_all INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games(number) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    chance INTEGER NOT NULL,
    PRIMARY KEY (game, place)
) WITHOUT ROWID;
"""
_CHANGES = {
    1: (
        "ALTER TABLE games ADD COLUMN deals TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN pledge TEXT NOT NULL DEFAULT ''",
    ),
    2: (
        "ALTER TABLE games ADD COLUMN secret TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN asks_all INTEGER NOT NULL DEFAULT 0",
    ),
}
"""What makes the tables of a version those of the next one."""
_COLUMNS = (
    "number, begun, touched, game, version, players, seed, training, state, scores, deals, pledge,"
    " asks_all"
)


class StoreError(UndercutError):
    """Stored games cannot be read or written."""


class DealKept(NamedTuple):
    """How a deal of a stored game ended."""

    outcome: str
    points: tuple[int, ...]


@dataclass(frozen=True)
class Pledge:
    """A seed that was sealed before a player named the words that are mixed into it."""

    seed: Seed
    salt: str
    words: str = ""

    @property
    def seal(self) -> str:
        """What is shown before the words are named."""
        return fairness.commit(self.seed, self.salt)

    @property
    def mixed(self) -> Seed:
        """The seed of the match."""
        return fairness.mix(self.seed, self.words)


@dataclass(frozen=True)
class Stored:
    """What is known of a stored game without playing it."""

    number: int
    begun: str  # UTC
    touched: str
    game: str
    version: int  # of the rules
    players: tuple[str, ...]  # specs; YOU for a person
    seed: Seed
    training: bool
    state: str
    scores: tuple[int, ...]
    deals: tuple[DealKept, ...] | None = None  # None: an older program did not note them
    pledge: Pledge | None = None  # None: no words of a player are in the seed
    asks_all: bool = False  # people are asked also where one action only is allowed

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player == YOU]

    @property
    def called(self) -> tuple[str, ...]:
        """What the players are called in a list: no path of this machine is shown, no command."""
        return tuple(map(_called, self.players))


def _called(player: str) -> str:
    """A player without what only this machine knows."""
    if player.startswith(ENGINES):
        return "engine"
    return player.rpartition(":")[2] if "/" in player else player


@dataclass
class _Line:
    """A line of a log that is to be written."""

    number: int
    place: int
    entry: Entry
    is_done: bool = False
    is_elsewhere: bool = False  # another one has its place, or the game is gone
    problem: str | None = None  # why it could not be written


def data_folder() -> Path:
    """Where a person's games are kept: UNDERCUT_DATA, or the place that the system has for it."""
    named = os.environ.get("UNDERCUT_DATA")
    return Path(named) if named else platformdirs.user_data_path("undercut", appauthor=False)


class Store:
    """Stored games; several processes may have it open, and several threads one of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = RLock()
        self._waiting: deque[_Line] = deque()
        with self._explained():
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                folder / FILE, timeout=WAIT, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")  # survives a power cut
            self._database.execute("PRAGMA foreign_keys = ON")
            self._make_tables()

    def _make_tables(self) -> None:
        with self._changing():
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _TABLES.split(";"):
                    self._database.execute(statement)
            elif version < VERSION:
                for statement in _changes_since(version):
                    self._database.execute(statement)
            elif version > VERSION:
                raise StoreError(
                    f"the games in {str(self.folder)!r} are of version {version}: "
                    f"this program reads version {VERSION}"
                )
            if version != VERSION:
                self._database.execute(f"PRAGMA user_version = {VERSION}")

    def close(self) -> None:
        """Nothing more is read or written."""
        self._database.close()

    def begin(
        self,
        game: Game,
        players: Sequence[str],
        seed: Seed,
        training: bool = False,
        pledge: Pledge | None = None,
    ) -> Stored:
        """Keep a new game; `players` are specs, YOU for a person."""
        now, asks_all = _now(), players.count(YOU) > 1
        scores = json.dumps([0] * game.seats)
        pledged = "" if pledge is None else json.dumps([pledge.seed, pledge.salt, pledge.words])
        values = (now, now, game.name, game.rules.VERSION, json.dumps(list(players)))
        with self._changing():
            done = self._database.execute(
                "INSERT INTO games (begun, touched, game, version, players, seed, training, state, "
                "scores, deals, pledge, asks_all) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*values, seed, training, PLAYING, scores, "[]", pledged, asks_all),
            )
        assert done.lastrowid is not None
        return self.find(done.lastrowid)

    def games(self) -> list[Stored]:
        """All of them, the one touched last first."""
        with self._explained():
            rows = self._database.execute(
                f"SELECT {_COLUMNS} FROM games ORDER BY touched DESC, number DESC"
            ).fetchall()
        return [_stored(row) for row in rows]

    def last(self) -> Stored:
        """The game in play that was touched last."""
        for stored in self.games():
            if stored.state == PLAYING:
                return stored
        raise StoreError(say("no game is in play in {folder!r}", folder=str(self.folder)))

    def find(self, number: int) -> Stored:
        """A game by its number."""
        with self._explained():
            row = self._database.execute(
                f"SELECT {_COLUMNS} FROM games WHERE number = ?", (number,)
            ).fetchone()
        if row is None:
            message = say(
                "there is no game {number} in {folder!r}", number=number, folder=str(self.folder)
            )
            raise StoreError(message)
        return _stored(row)

    def secret(self, number: int) -> str:
        """What the keys to the seats of a game are made of; made when it is first asked for."""
        self.find(number)
        with self._changing():
            self._database.execute(
                "UPDATE games SET secret = ? WHERE number = ? AND secret = ''",
                (secrets.token_hex(32), number),
            )
            row = self._database.execute(
                "SELECT secret FROM games WHERE number = ?", (number,)
            ).fetchone()
        return str(row[0])

    def entries(self, number: int) -> list[Entry]:
        """What was chosen in a game, in order."""
        with self._explained():
            rows = self._database.execute(
                "SELECT kind, seat, text, chance FROM entries WHERE game = ? ORDER BY place",
                (number,),
            ).fetchall()
        return [Entry(Kind(kind), seat, text, chance) for kind, seat, text, chance in rows]

    def append(self, number: int, place: int, entry: Entry) -> None:
        """Write a choice down; it is on the disk when this returns.

        To wait for the disk takes long. Whoever gets to write takes what all others have waiting
        along, so that many games wait for it once.
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
            raise StoreError(line.problem)

    def _write_waiting(self) -> None:
        lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            with self._changing():
                for line in lines:
                    self._write(line)
                games = {(_now(), line.number) for line in lines}
                self._database.executemany("UPDATE games SET touched = ? WHERE number = ?", games)
        except StoreError as error:
            for line in lines:
                line.problem = str(error)
        except BaseException:  # the person wants to stop
            for line in lines:
                line.problem = f"game {line.number}: a choice was not written"
            raise
        finally:
            for line in lines:
                line.is_done = True

    def _write(self, line: "_Line") -> None:
        """Write one line; where it does not fit, the others are written all the same."""
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
        """Keep how a game stands, for the list; what counts is its entries."""
        with self._changing():
            self._database.execute(
                "UPDATE games SET state = ?, scores = ?, deals = ? WHERE number = ?",
                (state, json.dumps(list(scores)), json.dumps(list(deals)), number),
            )

    def delete(self, number: int) -> None:
        """Forget a game."""
        self.find(number)
        with self._changing():
            self._database.execute("DELETE FROM games WHERE number = ?", (number,))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """All of it, or nothing."""
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
            raise StoreError(message) from None


class _Log:
    """Where the next choice of a game is written.

    A host knows this and no `Kept`, which knows the host: so both are gone when nobody needs them.
    """

    def __init__(self, store: Store, number: int, place: int) -> None:
        self._store, self._number, self._place = store, number, place

    def __call__(self, entry: Entry) -> None:
        self._store.append(self._number, self._place, entry)
        self._place += 1


class Kept:
    """A game that is played and kept."""

    def __init__(self, store: Store, stored: Stored) -> None:
        """Go on with a stored game where it stands."""
        self._store, self.number, self.pledge = store, stored.number, stored.pledge
        game = game_of(stored)
        players = [None if spec == YOU else seat_agent(spec, game) for spec in stored.players]
        entries = store.entries(stored.number)
        self.host = Host(
            game,
            players,
            stored.seed,
            training=stored.training,
            asks_all=stored.asks_all,
            log=_Log(store, stored.number, len(entries)),
            entries=entries,
        )
        self.people = stored.people
        self._noted = (stored.state, stored.scores, stored.deals)
        self.note()

    def note(self) -> None:
        """Keep in the list how the match stands, if that has changed."""
        match = self.host.match
        state = OVER if match.is_over else LEFT if match.is_left else PLAYING
        now = (state, self.host.scores, deals_of(self.host))
        if self._noted != now:
            self._store.note(self.number, *now)
            self._noted = now


def game_of(stored: Stored) -> Game:
    """The game of a stored one, if this program still plays it by the same rules."""
    game = parse_game(stored.game)
    if stored.version != game.rules.VERSION:
        raise StoreError(
            f"game {stored.number} was begun by version {stored.version} of the rules of "
            f"{game.rules.NAME}: this program plays version {game.rules.VERSION}"
        )
    return game


def deals_of(host: Host) -> tuple[DealKept, ...]:
    """How the deals of a match ended."""
    return tuple(DealKept(result.outcome, result.points) for result in host.results)


def _changes_since(version: int) -> Iterator[str]:
    for each in range(version, VERSION):
        yield from _CHANGES[each]


def _stored(row: tuple[object, ...]) -> Stored:
    number, begun, touched, game, version, players, seed, training, state, scores, *more = row
    deals, pledge, asks_all = map(str, more)
    return Stored(
        int(str(number)),
        str(begun),
        str(touched),
        str(game),
        int(str(version)),
        tuple(json.loads(str(players))),
        int(str(seed)),
        bool(training),
        str(state),
        tuple(json.loads(str(scores))),
        tuple(DealKept(how, tuple(points)) for how, points in json.loads(deals)) if deals else None,
        Pledge(*json.loads(pledge)) if pledge else None,
        asks_all == "1",
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
