"""One damaged row: the game is named and left out, and every other game goes on."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from undercut.app.session import Session
from undercut.app.statistics import statistics
from undercut.app.store import FILE, Kept, Store
from undercut.app.store_schema import VERSION
from undercut.app.stored_games import StoreError
from undercut.cli import main
from undercut.games.families import parse_game
from undercut.text.errors import UndercutError
from web_page import connect, serve, visit

pytestmark = pytest.mark.compiled

TEXTS: tuple[Any, ...] = (None, 7, -1, 1.5, b"\xff", "")
NUMBERS: tuple[Any, ...] = (None, "x", "", 1.5, b"1", -1, 2**63 - 1)
LISTS: tuple[Any, ...] = (
    *TEXTS,
    "x",
    "[",
    "{}",
    "[[[",
    "[" * 99999,
    "[1e999]",
    '["you"]',
    "[null]",
)
DAMAGE: dict[str, tuple[Any, ...]] = {
    "number": (-5, 0, 2**62),
    "begun": (*TEXTS, "yesterday"),
    "touched": (*TEXTS, "yesterday"),
    "game": (None, b"gin"),
    "version": NUMBERS,
    "players": (*LISTS, "[]", "[1, 2]", '["simple", "simple"]', '["you", "you", "you"]'),
    "seed": (*NUMBERS[:5], -1),
    "training": (*NUMBERS, 2),
    "state": (*TEXTS, "paused"),
    "scores": (*LISTS, "[1]", "[1, 2, 3]", f"[1, {2**70}]", '[1, "2"]'),
    "deals": (*(each for each in LISTS if each != ""), '[["gin"]]', '[["gin", [1]]]'),
    "pledge": (*(each for each in LISTS if each != ""), '[-1, "a", "b"]', '["1", "a", "b"]'),
    "asks_all": NUMBERS,
    "named": (
        *(each for each in LISTS if each != ""),
        '[[1, "Eva", "owl"]]',
        '[[0, "\\u001b[31m", ""]]',
        '[[0, "Eva", "<svg>"]]',
        json.dumps([[0, "E" * 21, ""]]),
    ),
}
"""Values that no program has written, for each column of a game that is read."""

LATER: dict[str, tuple[Any, ...]] = {
    "game": ("", "chess", "gin:target=x", "{x}", "\x1b[31m"),
    "version": (0, 99),
    "players": ('["you", "chess"]', '["you", "\\u001b[31m"]'),
    "secret": (*TEXTS[:-1], "x", "None"),
}
"""Values that are seen only when the game is opened, or its guests are asked in."""

ENTRIES: dict[str, tuple[Any, ...]] = {
    "place": (7, -1),
    "kind": (None, 7, b"play", "", "pause", "next!"),
    "seat": (None, "x", 1.5, -1, 2, 2**62),
    "text": (None, 7, b"draw", "", "draw draw", "discard Zz", "\x00"),
    "chance": (None, "x", 1.5, -1),
}
"""The same for the lines of a log."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games that have begun; nothing stops their columns from being NULL."""
    folder = tmp_path_factory.mktemp("games")
    store = Store(folder)
    for players in (["you", "simple"], ["you", "you"]):
        store.begin(parse_game("gin:first_starter=0"), players, 5, True)
    for number, players in ((1, ["you", "simple"]), (2, ["you", "you"])):
        session = Session.at(Kept(store, store.find(number)).host, 0)
        for _ in range(3):
            session.neighbour(session.person_on_turn).play(_first(session))
        assert store.find(number).players == tuple(players)
    store.close()
    edit(
        folder,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')",
    )
    return folder


def edit(folder: Path, *statements: str, value: Any = None) -> None:
    """Change the database behind the program's back; `value` is for the last statement."""
    database = sqlite3.connect(folder / FILE)
    for statement in statements[:-1]:
        database.execute(statement)
    database.execute(statements[-1], (value,) if "?" in statements[-1] else ())
    database.commit()
    database.close()


def _first(session: Session) -> str:
    return session.neighbour(session.person_on_turn).choices()[0]


def damage(games: Path, folder: Path, table: str, column: str, value: Any) -> Path:
    """A copy of the games, in which one value of game 1 is another."""
    (folder / FILE).write_bytes((games / FILE).read_bytes())
    where = "number = 1" if table == "games" else "game = 1 AND place = 1"
    edit(folder, f"UPDATE {table} SET {column} = ? WHERE {where}", value=value)
    return folder


def undercut(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["games", "--data", str(folder), *arguments])


def each_of(table: dict[str, tuple[Any, ...]]) -> pytest.MarkDecorator:
    pairs = [(column, value) for column, values in table.items() for value in values]
    return pytest.mark.parametrize(("column", "value"), pairs, ids=lambda each: repr(each)[:20])


@each_of(DAMAGE)
def test_a_damaged_game_is_named_and_left_out(
    games: Path, column: str, value: Any, tmp_path: Path
) -> None:
    store = Store(damage(games, tmp_path, "games", column, value))
    number = value if column == "number" else 1
    assert [each.number for each in store.games()] == [2]
    ((named, why),) = [(each.number, each.why) for each in store.damaged()]
    assert named == number
    assert column.removesuffix("s") in why
    assert store.last().number == 2
    assert statistics(store).left == 0
    with pytest.raises(StoreError, match=f"^game {number} is damaged: "):
        store.find(number)
    store.delete(number)
    assert store.damaged() == []
    store.close()


@each_of(LATER)
def test_a_game_that_cannot_be_opened_is_listed_and_says_why(
    games: Path, column: str, value: Any, tmp_path: Path
) -> None:
    store = Store(damage(games, tmp_path, "games", column, value))
    assert {each.number for each in store.games()} == {1, 2}
    statistics(store)
    assert undercut(tmp_path).exit_code == 0
    with pytest.raises(UndercutError) as refused:
        store.secret(1) if column == "secret" else Kept(store, store.find(1))
    assert "\n" not in str(refused.value)
    store.close()


@each_of(ENTRIES)
def test_a_damaged_log_spoils_its_own_game_alone(
    games: Path, column: str, value: Any, tmp_path: Path
) -> None:
    store = Store(damage(games, tmp_path, "entries", column, value))
    with pytest.raises(StoreError, match=r"^game 1 is damaged: ") as refused:
        Kept(store, store.find(1))
    assert "discard" not in str(refused.value), "what another seat may do is not told"
    assert Kept(store, store.find(2)).host.choices
    store._database.execute("UPDATE games SET state = 'over', deals = '', scores = '[9, 0]'")
    assert statistics(store).training.won.of == 1, "its result is noted, its deals are not"
    store.close()


def test_moves_taken_back_in_a_log_are_checked_too(games: Path, tmp_path: Path) -> None:
    for text in ("", "x", "0", "-1", "2", "9" * 5000, "٣"):
        damage(games, tmp_path, "entries", "kind", "undo")
        edit(tmp_path, "UPDATE entries SET text = ? WHERE game = 1 AND place = 1", value=text)
        store = Store(tmp_path)
        with pytest.raises(StoreError, match=r"^game 1 is damaged: line 2 of its log does not fit"):
            Kept(store, store.find(1))
        store.close()


def test_commands_name_it_and_go_on(games: Path, tmp_path: Path) -> None:
    damage(games, tmp_path, "games", "players", "x")
    for arguments in ((), ("--statistics",)):
        shown = undercut(tmp_path, *arguments)
        assert shown.exit_code == 0
        assert shown.stderr.startswith("game 1 is damaged, and left out: players: ")
        told = json.loads(undercut(tmp_path, *arguments, "--json").stdout)
        assert [each["number"] for each in told["damaged"]] == [1]
    exported = undercut(tmp_path, "export", "1", str(tmp_path / "record.jsonl"))
    assert exported.stderr.startswith("undercut: game 1 is damaged: players: ")
    resumed = CliRunner().invoke(main, ["play", "--terminal", "--resume", "--data", str(tmp_path)])
    assert "game 1 is damaged: players: " in resumed.stderr
    assert "undercut play --resume 2 goes on here" in resumed.stdout
    assert undercut(tmp_path, "delete", "1", "--yes").exit_code == 0
    assert undercut(tmp_path).stderr == ""


def test_the_lobby_shows_it_and_can_delete_it(games: Path, tmp_path: Path) -> None:
    damage(games, tmp_path, "games", "state", "paused")
    with visit(serve(tmp_path)) as client, connect(client) as page:
        lobby = page.ask("lobby")
        assert [each["number"] for each in lobby["kept"]] == [2]
        assert [each["number"] for each in lobby["damaged"]] == [1]
        assert page.ask("open", number=1)["why"].startswith("game 1 is damaged: ")
        assert page.ask("statistics")["kind"] == "statistics"
        assert page.ask("delete", number=1)["damaged"] == []


@pytest.mark.parametrize("version", [-1, VERSION + 1])
def test_games_of_a_version_that_is_none_of_ours_are_refused_in_one_line(
    games: Path, version: int, tmp_path: Path
) -> None:
    damage(games, tmp_path, "games", "state", "playing")
    edit(tmp_path, f"PRAGMA user_version = {version}")
    refused = undercut(tmp_path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1
    assert f"are of version {version}: this program reads version {VERSION}" in refused.stderr
