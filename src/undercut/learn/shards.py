"""Decisions on disk: a folder of Parquet files, each some consecutive matches in the compact form.

A row is a match: the bytes of its choices and the number of its decisions. The file's metadata and
the row's place give the number of the match. A file is written under another name and then renamed,
so every file is complete.
"""

import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from undercut.kernels.records import Buffer
from undercut.lab.extras import need
from undercut.text import files
from undercut.text.errors import UndercutError

FORMAT = "undercut-shards/1"
EARLIER = "undercut-decisions/1"  # now only the table that `undercut export` writes
HEADING = "decisions.json"


class DataError(UndercutError):
    """A folder of decisions is missing, damaged or not the expected one."""


@dataclass(frozen=True)
class Pairing:
    """Two agents that play each other until this many decisions have been made."""

    agents: tuple[str, str]
    decisions: int


@dataclass(frozen=True)
class Heading:
    """The content of a finished folder of decisions."""

    game: str
    rules_version: int
    seed: int
    pairings: list[Pairing]
    shard: int  # matches in a file, at most


@dataclass(frozen=True)
class Shard:
    """The content of one file."""

    game: str
    rules_version: int
    agents: tuple[str, str]  # in seats that alternate from match to match
    seed: int  # of these matches
    first: int  # the number of the first match
    matches: int
    decisions: int
    path: Path


Facts = TypeVar("Facts", Heading, Shard)


def write_heading(folder: Path, heading: Heading) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": FORMAT, **asdict(heading)}, indent=1)
    files.write_text(folder / HEADING, text + "\n")


def read_heading(folder: Path) -> Heading:
    try:
        return _read(json.loads((folder / HEADING).read_text(encoding="utf-8")), Heading, folder)
    except OSError:
        raise DataError(f"no decisions in {str(folder)!r}: undercut generate makes them") from None
    except (ValueError, RecursionError):
        raise DataError(f"{str(folder / HEADING)!r} is damaged") from None


def _read(value: object, kind: type[Facts], path: Path) -> Facts:
    """Facts as they were written, with this path."""
    if not isinstance(value, dict) or value.get("format") not in (FORMAT, EARLIER):
        raise ValueError
    return msgspec.convert(value, kind, dec_hook=lambda kind, value: path)


def shard_path(folder: Path, pairing: int, first: int) -> Path:
    """The file for the matches of a pairing from number `first` on."""
    return folder / f"{pairing:02d}-{first:09d}.parquet"


def write_shard(shard: Shard, codes: Sequence[bytes], decisions: Buffer) -> None:
    """Write a file of matches atomically."""
    pyarrow, parquet = need("pyarrow", "train"), need("pyarrow.parquet", "train")
    facts = {**asdict(shard), "path": shard.path.name, "format": FORMAT}
    schema = pyarrow.schema(
        [("codes", pyarrow.binary()), ("decisions", pyarrow.int32())],
        metadata={"undercut": json.dumps(facts)},
    )
    columns = [pyarrow.array(codes, pyarrow.binary()), pyarrow.array(decisions, pyarrow.int32())]
    content = io.BytesIO()
    parquet.write_table(
        pyarrow.Table.from_arrays(columns, schema=schema),
        content,
        compression="zstd",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    files.write_bytes(shard.path, content.getvalue())


def read_shards(folder: Path) -> list[Shard]:
    """The finished files of a folder, in order."""
    return [read_facts(path) for path in sorted(folder.glob("*.parquet"))]


def read_facts(path: Path) -> Shard:
    """The metadata of a file, without its matches."""
    parquet = need("pyarrow.parquet", "train")
    try:
        metadata = parquet.read_metadata(path).metadata
        return _read(json.loads(metadata[b"undercut"]), Shard, path)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, NotImplementedError):
        raise DataError(f"{str(path)!r} is damaged, or not a file of decisions") from None


def read_matches(shard: Shard) -> tuple[NDArray[np.uint8], Buffer]:
    """The bytes of all matches of a file, concatenated, and the ends of each match.

    The second array has a row for each match: the end of its bytes and of its decisions.
    """
    parquet = need("pyarrow.parquet", "train")
    try:
        table = parquet.read_table(shard.path, page_checksum_verification=True)
        rows = table.column("codes").to_pylist()
        decisions = table.column("decisions").to_numpy().astype(np.int64)
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise DataError(f"cannot read {str(shard.path)!r}: {error}") from None
    if len(rows) != shard.matches:
        raise DataError(f"{str(shard.path)!r} has {len(rows)} matches, not {shard.matches}")
    lengths = np.fromiter((len(row) for row in rows), dtype=np.int64, count=len(rows))
    codes = np.frombuffer(b"".join(rows), dtype=np.uint8)
    return codes, np.stack([np.cumsum(lengths), np.cumsum(decisions)], axis=1)
