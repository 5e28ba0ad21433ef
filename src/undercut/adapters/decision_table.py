"""Records as a table: one row for each decision, with its position and its outcome.

`COLUMNS` lists the columns. Parquet needs the extra 'train', a data frame the extra 'data'.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from undercut import __version__
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.kernels.records import Action, View
from undercut.lab.extras import need
from undercut.play.records.events import Dealt, Ended, Over, Played
from undercut.play.records.record import Record, read_record, replayed
from undercut.text import files
from undercut.text.errors import OptionsError, RecordError, UndercutError

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT = "undercut-decisions/1"
HISTORIES = ".history"  # OpenSpiel's, one deal a line, its numbers with spaces between


class Column(NamedTuple):
    """The type of a column in Arrow, and its description."""

    kind: str
    about: str


COLUMNS = {
    "match": Column("string", "the record: the name of its file without its ending"),
    "game": Column("string", "the rule set, as a spec"),
    "deal": Column("int32", "the deal of the match, from 0"),
    "ply": Column("int32", "how many actions the match had had, also those without a choice"),
    "seat": Column("int8", "who decides"),
    "player": Column("string", "what the record calls that player"),
    "starter": Column("int8", "the seat that plays first in the deal"),
    "scores": Column("list<int32>", "each seat's points in the match before the deal"),
    "hand": Column("string", "the cards of the seat that decides"),
    "position": Column("string", "all that the seat knows of the deal, as a position string"),
    "legal": Column("list<string>", "what it may do"),
    "action": Column("string", "what it does"),
    "choice": Column("int16", "the place of that in `legal`, from 0"),
    "outcome": Column("string", "how the deal ends; null if it was left"),
    "points": Column("int32", "what the deal brings the seat in the end; null if it was left"),
    "share": Column("float64", "the seat's share of the win of the match; null if it was left"),
}
"""The columns in their order. Only the last three were not known to the seat when it decided."""

Row: TypeAlias = dict[str, object]


def rows_of(record: Record, name: str) -> Iterator[Row]:
    players = record.header.players
    ended = {event.deal: event for event in record.events if isinstance(event, Ended)}
    dealt = {event.deal: event for event in record.events if isinstance(event, Dealt)}
    over = next((event for event in record.events if isinstance(event, Over)), None)
    for ply, (match, action) in enumerate(zip(replayed(record), record.actions, strict=False)):
        deal, legal = match.deal, match.deal.actions
        if len(legal) == 1:
            continue
        seat, end, start = deal.seat, ended.get(match.deals), dealt[match.deals]
        yield {
            "match": name,
            "game": record.game.name,
            "deal": match.deals,
            "ply": ply,
            "seat": seat,
            "player": players[seat],
            "starter": start.starter,
            "scores": start.scores,
            **_decision(record.game, deal.observe(), legal, action),
            "outcome": end and end.outcome,
            "points": end and end.points[seat],
            "share": over and over.shares[seat],
        }


def rows_of_history(game: Game, history: Sequence[int], name: str) -> Iterator[Row]:
    """The decisions of one deal of OpenSpiel, where seat 0 always plays first."""
    choices, points = _histories(game).from_history(game, history)
    for ply, choice in enumerate(choices):
        yield {
            "match": name,
            "game": game.name,
            "deal": 0,
            "ply": ply,
            "seat": choice.seat,
            "player": "",
            "starter": 0,
            "scores": [0] * game.seats,
            **_decision(game, choice.view, choice.legal, choice.action),
            "outcome": None,
            "points": points[choice.seat] if points else None,
            "share": None,
        }


def _decision(game: Game, view: View, legal: Sequence[Action], action: Action) -> Row:
    """The columns of a decision itself."""
    notation = game.notation
    return {
        "hand": notation.format_hand(view),
        "position": format_position(game, view),
        "legal": [notation.format_action(each) for each in legal],
        "action": notation.format_action(action),
        "choice": legal.index(action),
    }


def histories_of(record: Record) -> list[list[int]]:
    """The finished deals of a full record, as OpenSpiel's histories."""
    if record.header.seat is not None:
        raise RecordError("a history has everything: give a record in full, not a seat's")
    found: list[list[int]] = []
    moves: list[tuple[str, str]] = []
    dealt: Dealt | None = None
    for event in record.events:
        if isinstance(event, Dealt):
            dealt, moves = event, []
        elif isinstance(event, Played):
            moves.append((event.action, event.cards))
        elif isinstance(event, Ended) and dealt is not None:
            hands = [hand or "" for hand in dealt.hands]
            write = _histories(record.game).to_history
            found.append(write(dealt.starter, hands, dealt.upcard, moves, event.outcome))
    return found


def _histories(game: Game) -> ModuleType:
    """The module that converts histories of a game, if its rules are OpenSpiel's."""
    found = import_module(game.family.histories) if game.family.histories else None
    if found is None or not found.agrees(game.options):
        raise OptionsError(f"OpenSpiel does not play {game.name}: only gin, by its usual rules")
    return found


def find_records(paths: Iterable[Path]) -> list[Path]:
    """The given files, and the records in given folders."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not found:
        raise RecordError("there are no records: *.jsonl")
    return found


def read_rows(paths: Iterable[Path]) -> Iterator[Row]:
    """The decisions of records and of files of histories."""
    for path in find_records(paths):
        if path.suffix == HISTORIES:
            for number, history in enumerate(read_histories(path)):
                yield from _named(path, rows_of_history(parse_game("gin"), history, f"{number}"))
        else:
            yield from _named(path, rows_of(read_record(path), path.stem))


def _named(path: Path, rows: Iterator[Row]) -> Iterator[Row]:
    try:
        yield from rows
    except UndercutError as error:
        raise RecordError(f"{path}: {error}") from None


def read_histories(path: Path) -> list[list[int]]:
    """The histories in a file, one a line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [[int(word) for word in line.split()] for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot read the histories {str(path)!r}: {error}") from None


def to_dataframe(paths: Iterable[Path]) -> "DataFrame":
    pandas = need("pandas", "data")
    frame: DataFrame = pandas.DataFrame(list(read_rows(paths)), columns=[*COLUMNS])
    return frame


def write_table(rows: Iterable[Row], path: Path) -> int:
    """Write decisions as Parquet, or as JSON Lines; returns how many there are."""
    if path.suffix == ".jsonl":
        kept = list(rows)
        files.write_text(path, "".join(json.dumps(row) + "\n" for row in kept))
    elif path.suffix == ".parquet":
        arrow, parquet = need("pyarrow", "train"), need("pyarrow.parquet", "train")
        kept = list(rows)
        table = arrow.Table.from_pylist(kept, schema=_schema(arrow))
        parquet.write_table(table, path, compression="zstd")
    else:
        raise OptionsError(f"cannot export to {str(path)!r}: it must end in {', '.join(ENDINGS)}")
    return len(kept)


ENDINGS = (".parquet", ".jsonl", HISTORIES)


def _schema(arrow: ModuleType) -> object:
    simple = {"string": arrow.string(), "float64": arrow.float64(), "int32": arrow.int32()}
    simple |= {"int16": arrow.int16(), "int8": arrow.int8()}

    def kind(name: str) -> object:
        inner = name.removeprefix("list<").removesuffix(">")
        return simple[name] if inner == name else arrow.list_(simple[inner])

    fields = [
        arrow.field(name, kind(column.kind), metadata={"about": column.about})
        for name, column in COLUMNS.items()
    ]
    return arrow.schema(fields, metadata={"format": FORMAT, "undercut": __version__})
