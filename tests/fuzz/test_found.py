"""What fuzzing has found, each by itself."""

import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from undercut.adapters.engine.messages import parse_from_engine, parse_from_host
from undercut.adapters.engine.serve import serve
from undercut.app.store import FILE, Store
from undercut.app.stored_games import StoreError
from undercut.games.families import parse_game
from undercut.games.gin.play.histories import from_history
from undercut.lab.results_file import Heading, Ledger, LedgerError, Part
from undercut.learn.candidates import trained_on
from undercut.learn.shards import HEADING, DataError, read_heading
from undercut.text.errors import NotationError, OptionsError

HEADER = Heading("gin", 1, ["simple", "random"], 7)
PART = Part([0, 1], 0, 2, [[4, 2]], [[4, 2], [0, 2]], [[9, 8], [7, 6]], [3, 4], [[1, 2]])


@pytest.mark.parametrize("drawn", [52, 335, 0, -1])
def test_a_history_draws_each_card_once(drawn: int) -> None:
    with pytest.raises(NotationError, match="a draw is no card, or repeats one"):
        from_history(parse_game("gin"), [*range(21), 54, 54, 53, drawn])


def test_a_line_that_is_no_text_is_no_message() -> None:
    line = b'{"type":"play","id":1,"action":"\x9bake"}'
    for parse in (parse_from_engine, parse_from_host):
        with pytest.raises(NotationError, match="not a message"):
            parse(line)
    answers: list[bytes] = []
    go = b'{"type":"go","id":1,"legal":["\x9bake"],"position":"","seconds":1}'
    serve("random", 1, [go, b'{"type":"hello","protocol":"x"}'], answers.append)
    assert [msgspec.json.decode(answer)["type"] for answer in answers] == ["hello"]


def test_a_store_that_cannot_be_read_is_not_kept_locked(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.execute("PRAGMA user_version = 99")
        with pytest.raises(StoreError) as refused:
            Store(tmp_path)
        assert refused.traceback  # which knows the store that was not opened
        database.execute("PRAGMA journal_mode = DELETE")  # others may have it alone
        assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize(
    "part",
    [
        replace(PART, table=[0, 2]),
        replace(PART, games=0),
        replace(PART, first=-1),
        replace(PART, wins=[[4, 2]]),
        replace(PART, beats=[]),
        replace(PART, points=[[9], [7, 6]]),
        replace(PART, luck=[[1.0, 2.0]]),
        replace(PART, deals=[2**70, 1]),
        {"table": "x"},
        [],
    ],
)
def test_results_whose_columns_do_not_fit_are_damaged(tmp_path: Path, part: object) -> None:
    path = tmp_path / "results"
    ledger = Ledger(path, HEADER)
    ledger.add(PART)
    ledger.close()
    Ledger(path, HEADER).close()
    body = msgspec.json.encode(part)
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "UPDATE rows SET body = ?, crc = ? WHERE rowid = 2", (body, zlib.crc32(body))
        )
        database.commit()
    with pytest.raises(LedgerError, match="is damaged"):
        Ledger(path, HEADER)


@pytest.mark.parametrize("text", ["7", "[]", "null", "[" * 100_000, '{"format":"x"}'])
def test_decisions_with_another_heading_are_damaged(tmp_path: Path, text: str) -> None:
    (tmp_path / HEADING).write_text(text)
    with pytest.raises(DataError, match="is damaged"):
        read_heading(tmp_path)


def test_a_model_with_any_data_is_refused() -> None:
    assert trained_on({}) == []
    for text in ("7", "[7]", "[", "[" * 100_000):
        with pytest.raises(DataError, match="does not list the deals of its training"):
            trained_on({"data": text})


def test_an_error_is_one_line_that_does_nothing_to_a_terminal() -> None:
    with pytest.raises(OptionsError) as refused:
        parse_game("gin:target=1\x1b[31m")
    assert str(refused.value).startswith(r"target=1\x1b[31m: not a whole number")
