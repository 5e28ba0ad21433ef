"""Readers of files and rows: networks, stored games, results, decisions to learn from."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import msgspec
import numpy as np
from safetensors.numpy import save

from fuzz.damage import NUMBERS, damage_bytes, damage_json, damage_signs, write_json
from fuzz.readers import MEMORY, Failure, Read, Reader, through_file
from undercut.app.kept_reviews import DealKept, ErrorKept, ReviewKept, keep_review
from undercut.app.practice import note_answer, puzzles
from undercut.app.reading_quiz import score
from undercut.app.session import Session
from undercut.app.statistics import statistics
from undercut.app.store import FILE, Kept, Store
from undercut.games.families import parse_game
from undercut.games.gin.players.belief.network import PARAMETERS, SHAPES, load_network, save_network
from undercut.games.gin.players.network.encoding import ENCODING
from undercut.lab.results_file import Heading, Ledger, Part
from undercut.learn.shards import HEADING as DECISIONS
from undercut.learn.shards import Heading as Decisions
from undercut.learn.shards import Pairing, read_heading, write_heading
from undercut.players.joint.weights import JointWeights, load_joint, save_joint
from undercut.players.joint.weights import shapes as joint_shapes
from undercut.players.luck.weights import Judge, load_judge, save_judge
from undercut.players.policy.weights import FORMAT, Policy, load_policy, save_policy, shapes
from undercut.text.errors import UndercutError

# Networks

PLANES = (5, 62, 3)
Network: TypeAlias = tuple[dict[str, Any], dict[str, str]]


def _written(save_to: Callable[[Path], object]) -> bytes:
    with TemporaryDirectory(dir=MEMORY) as folder:
        path = Path(folder, "network")
        save_to(path)
        return path.read_bytes()


@cache
def policies() -> list[bytes]:
    """A small network that plays."""
    sizes = shapes(ENCODING, 8, 1)
    tensors = {name: np.full(shape, 0.5, "f2") for name, shape in sizes.items()}
    return [
        _written(lambda path: save_policy(path, Policy(tensors, 8, 1, {"made": "here"}), ENCODING))
    ]


def read_policy(path: Path) -> bool:
    """Whatever is accepted has exactly the numbers that a kernel reads."""
    policy = load_policy(path, ENCODING)
    sizes = shapes(ENCODING, policy.width, policy.blocks)
    assert len(policy.weights) == sum(int(np.prod(shape)) for shape in sizes.values())
    assert np.isfinite(policy.weights).all()
    return True


@cache
def beliefs() -> list[bytes]:
    """A small network that guesses hidden hands card by card."""
    sizes = joint_shapes(ENCODING, 8, 1)
    weights = JointWeights({name: np.full(sizes[name], 0.5, "f2") for name in sizes}, 8, 1, {})
    return [_written(lambda path: save_joint(path, weights, ENCODING))]


def read_belief(path: Path) -> bool:
    """Whatever is accepted has all layers, in the right shapes."""
    weights = load_joint(path, ENCODING)
    found = {name: tensor.shape for name, tensor in weights.tensors.items()}
    return found == joint_shapes(ENCODING, weights.width, weights.blocks)


@cache
def estimators() -> list[bytes]:
    """A network that guesses a hand."""
    tensors = {name: np.zeros(shape, "f2") for name, shape in SHAPES.items()}
    return [_written(lambda path: save_network(path, tensors, {"data": []}))]


def read_estimator(path: Path) -> bool:
    """As for one that plays."""
    weights = load_network(path).weights
    assert weights.shape == (PARAMETERS,)
    assert np.isfinite(weights).all()
    return True


@cache
def judges() -> list[bytes]:
    """A network that values states."""
    sizes = {"entry": (sum(PLANES) + 1, 4), "inner": (5, 3), "heads": (4, 2)}
    tensors = {name: np.full(shape, 0.25, "f4") for name, shape in sizes.items()}
    return [_written(lambda path: save_judge(path, Judge(tensors, {"points": [1]}), PLANES))]


def read_judge(path: Path) -> bool:
    """It is read only if it is shipped; a damaged one is refused all the same."""
    return len(load_judge(path, PLANES).layers) == 3


def damage_network(data: bytes, random: Random) -> bytes:
    """An accident to its bytes, its header, or its tensors; often its checksum fits again."""
    if random.random() < 0.1:
        return data
    if random.random() < 0.3:
        return damage_bytes(data, random)
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    if random.random() < 0.4:
        text = write_json(damage_json(header, random)).encode(errors="replace")
        return len(text).to_bytes(8, "little") + text + body
    return _damage_tensors(header, body, random)


def _damage_tensors(header: dict[str, Any], body: bytes, random: Random) -> bytes:
    about = header.pop("__metadata__")
    tensors = {}
    for name, each in header.items():
        first, end = each["data_offsets"]
        kind = "f2" if each["dtype"] == "F16" else "f4"
        tensors[name] = np.frombuffer(body[first:end], kind).reshape(each["shape"]).copy()
    name, how = random.choice(list(tensors)), random.randrange(6)
    if how == 0:
        del tensors[name]
    elif how == 1:
        tensors[name] = tensors[name][1:]
    elif how == 2:
        tensors[name] = tensors[name].astype(random.choice(["f4", "f8", "i8", "u1"]))
    elif how == 3:
        tensors[name].ravel()[-1:] = random.choice([np.nan, np.inf, 60_000.0])
    elif how == 4:
        tensors = {each: tensor[:0] for each, tensor in tensors.items()}
    else:
        tensors[name + "s"] = tensors[name]
    if random.random() < 0.8:
        about["sha256"] = FORMAT.checksum(tensors)
    for field in random.sample(list(about), random.choice([0, 0, 1])):
        about[field] = damage_signs(about[field], random)
    return save({each: np.ascontiguousarray(tensor) for each, tensor in tensors.items()}, about)


# Stored games

Damage: TypeAlias = bytes  # of a database


@cache
def databases() -> list[bytes]:
    """Games that have begun, of several kinds, in one file."""
    with TemporaryDirectory(dir=MEMORY) as name:
        store = Store(Path(name))
        for game, players in (("gin", ["you", "simple"]), ("prsi", ["you", "you"])):
            for seed in (5, "ab" * 32):
                session = _begun(store, game, players, seed)
                for _ in range(3):
                    on_turn = session.neighbour(session.person_on_turn)
                    on_turn.play(on_turn.choices()[0])
        error = ErrorKept(4, "mistake", ("broke a meld",), 2.5, "draw")
        keep_review(store, 1, ReviewKept(8, (DealKept(3, -1.0, 0.5, (error,)),)))
        note_answer(store, puzzles(store)[0], True, date(2026, 1, 1))
        store.execute("INSERT INTO readings VALUES (1, 0, 1, 0)")
        store.close()
        with closing(sqlite3.connect(Path(name, FILE))) as database:
            database.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
            database.commit()
        return [Path(name, FILE).read_bytes()]


def _begun(store: Store, game: str, players: list[str], seed: int | str) -> Session:
    stored = store.begin(parse_game(game), players, seed, True)
    return Session.at(Kept(store, stored).host, 0)


def damage_database(data: bytes, random: Random) -> bytes:
    """Values of some columns, whatever columns there are; sometimes the file itself."""
    if random.random() < 0.1:
        return damage_bytes(data, random)
    with TemporaryDirectory(dir=MEMORY) as name:
        path = Path(name, FILE)
        path.write_bytes(data)
        with closing(sqlite3.connect(path)) as database:
            for _ in range(random.choice([0, 1, 1, 2, 5])):
                _damage_row(database, random)
            if random.random() < 0.02:
                database.execute(f"PRAGMA user_version = {random.choice([-1, 0, 1, 2, 3, 99])}")
            database.commit()
        return path.read_bytes()


def _damage_row(database: sqlite3.Connection, random: Random) -> None:
    table = random.choice(["games", "entries", "reviews", "boxes", "readings"])
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    key = "number" if table == "games" else "game"
    column = random.choice([each for each in columns if each != key])
    rows = database.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    if not rows:
        return
    values = dict(zip(columns, random.choice(rows), strict=True))
    keys = {name: values[name] for name in (key, "place", "ply") if name in values}
    found = " AND ".join(f"{name} = ?" for name in keys)
    if random.random() < 0.05:
        database.execute(f"DELETE FROM {table} WHERE {found}", (*keys.values(),))
    else:
        value = damage_value(values[column], random)
        change = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {found}"
        database.execute(change, (value, *keys.values()))


def damage_value(value: Any, random: Random) -> Any:
    """What a column may hold instead."""
    others: list[Any] = [None, b"\xff\x00", "", 0, -1, 1, 2, 1.5, 2**63 - 1, -(2**63), "\x1b[31m"]
    if not isinstance(value, str) or random.random() < 0.3:
        return random.choice([*others, *NUMBERS])
    if value[:1] in ("[", "{") and random.random() < 0.7:
        return write_json(damage_json(json.loads(value), random))
    return damage_signs(value, random)


def read_store(path: Path) -> bool:
    """All that is done with stored games: each is listed or named as damaged, and may be opened."""
    store = Store(path.parent)
    try:
        games, damaged = store.games(), store.damaged()
        assert all(each.why.isprintable() for each in damaged)
        statistics(store)
        assert all(each.error.ply >= 0 for each in puzzles(store))
        counted = score(store)
        assert max(counted.right, counted.likeliest) <= counted.asked
        for stored in games:
            _open(store, stored)
        return len(damaged) < 1
    finally:
        store.close()
        for rest in path.parent.glob(FILE + "-*"):
            rest.unlink()


def _open(store: Store, stored: Any) -> None:
    try:
        kept = Kept(store, stored)
        store.secret(stored.number)
        for seat in kept.people:
            session = Session.at(kept.host, seat)
            assert isinstance(session.record(), list)
    except UndercutError as error:
        if not str(error).isprintable():
            raise Failure(repr(str(error))) from error


# Results and decisions


HEADING = Heading("gin", 1, ["simple", "random"], 7)


@cache
def ledgers() -> list[list[Any]]:
    """The rows of a file of results, as they are in JSON."""
    part = Part([0, 1], 0, 2, [[4, 2]], [[4, 2], [0, 2]], [[9, 8], [7, 6]], [3, 4], [[1, 2]])
    return [msgspec.to_builtins([HEADING, part])]


def damage_ledger(rows: list[Any], random: Random) -> list[tuple[Any, Any]]:
    """A row with another value, and mostly with a checksum that fits."""
    place = random.randrange(len(rows))
    bodies = [json.dumps(row).encode() for row in rows]
    bodies[place] = write_json(damage_json(rows[place], random)).encode(errors="replace")
    if random.random() < 0.2:
        bodies[place] = damage_bytes(bodies[place], random)
    if random.random() < 0.05:
        return [(None, "x")]
    return [(body, zlib.crc32(body) ^ (random.random() < 0.05)) for body in bodies]


@contextmanager
def open_ledger(folder: Path) -> Iterator[Read]:
    """A file of results that is ours, with rows that are not."""
    whole = folder / "whole"
    Ledger(whole, HEADING).close()

    def read(rows: Sequence[tuple[Any, Any]]) -> bool:
        path = folder / "results"
        path.write_bytes(whole.read_bytes())
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE others (body, crc)")
            database.executemany("INSERT INTO others VALUES (?, ?)", rows)
            database.execute("DROP TABLE rows")
            database.execute("ALTER TABLE others RENAME TO rows")
            database.commit()
        ledger = Ledger(path, HEADING)
        try:
            ledger.check_asked(10)
            for part in ledger.parts:
                assert len(part.rounds().shares) == len(part.deals)
        finally:
            ledger.close()
        return True

    yield read


@cache
def headings() -> list[bytes]:
    """What a folder of decisions says that it holds."""
    with TemporaryDirectory(dir=MEMORY) as name:
        write_heading(Path(name), Decisions("gin", 1, 7, [Pairing(("simple", "random"), 9)], 5))
        (path,) = Path(name).iterdir()
        return [path.read_bytes()]


def read_decisions(path: Path) -> bool:
    """What a folder holds."""
    return isinstance(read_heading(path.parent), Decisions)


def damage_heading(data: bytes, random: Random) -> bytes:
    """As JSON, or as bytes."""
    if random.random() < 0.3:
        return damage_bytes(data, random)
    return write_json(damage_json(json.loads(data), random)).encode(errors="replace")


READERS = [
    Reader("policies", 400, policies, damage_network, through_file(read_policy)),
    Reader("beliefs", 300, beliefs, damage_network, through_file(read_belief)),
    Reader("estimators", 60, estimators, damage_network, through_file(read_estimator)),
    Reader("judges", 300, judges, damage_network, through_file(read_judge)),
    Reader("stored games", 200, databases, damage_database, through_file(read_store, FILE)),
    Reader("results", 200, ledgers, damage_ledger, open_ledger),
    Reader("decisions", 300, headings, damage_heading, through_file(read_decisions, DECISIONS)),
]
