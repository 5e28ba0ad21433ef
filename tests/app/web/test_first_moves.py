"""A process with compilation off plays the first moves of a game: nobody sees a difference."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from undercut.app import coach
from undercut.app.coach import Advice
from undercut.app.host import Entry
from undercut.app.store import Store
from undercut.app.web import first_moves, tables
from undercut.app.web.server import make_app
from undercut.games.families import all_families, parse_game
from web_page import HOST, KEY, MANY, Page, connect, visit

pytestmark = pytest.mark.compiled

GAMES = [family.rules.NAME for family in all_families() if family.package.startswith("undercut.")]
BEFORE, AFTER = 4, 3  # a person's moves, interpreted and compiled
SECRET = 64 * "7"


class _Compiler:
    """Compilation that ends when the test says so, and the processes that play until then."""

    def __init__(self) -> None:
        self.is_done = Event()
        self.processes: list[subprocess.Popen[bytes]] = []


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Compiler]:
    made, prepare, popen = _Compiler(), tables.Tables.prepare, subprocess.Popen

    def wait(self: tables.Tables, *parts: Any) -> float:
        made.is_done.wait()
        return prepare(self, *parts)

    def start(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        made.processes.append(popen(*command, **options))
        return made.processes[-1]

    monkeypatch.setattr(tables, "new_secret", lambda: SECRET)
    monkeypatch.setattr(first_moves, "is_rehearsed", lambda *parts: False)
    monkeypatch.setattr(tables.Tables, "prepare", wait)
    monkeypatch.setattr(first_moves.subprocess, "Popen", start)
    yield made
    made.is_done.set()


def _play(page: Page, table: dict[str, Any], moves: int) -> dict[str, Any]:
    for _ in range(moves):
        table = page.go_on(table)
        assert table["kind"] == "table", table
    return table


def _match(
    folder: Path, game: str, compiler: _Compiler, between: Any = lambda page: None, *, first: bool
) -> tuple[list[Entry], list[str]]:
    """The log of a match and all that its page has heard."""
    store = Store(folder)
    app = make_app(store, (HOST,), KEY, pace=0.0, limits=MANY, sits_down_at_once=first)
    with visit(app) as client, connect(client) as page:
        table = page.begin(game, "skilled")
        table = _play(page, table, BEFORE)
        between(page)
        _play(page, table, AFTER)
        heard = page.heard
    entries = store.entries(table["number"])
    store.close()
    return entries, [text for text in heard if '"preparing"' not in text]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_the_same_whoever_plays_its_first_moves(
    game: str, compiler: _Compiler, tmp_path: Path
) -> None:
    def take_over(page: Page) -> None:
        (process,) = compiler.processes
        assert process.poll() is None
        compiler.is_done.set()
        assert process.wait(timeout=60) in (0, -9)

    interpreted = _match(tmp_path / "first", game, compiler, take_over, first=True)
    compiled = _match(tmp_path / "compiled", game, compiler, first=False)
    assert len(compiler.processes) == 1
    assert interpreted == compiled


def test_a_killed_process_loses_nothing(compiler: _Compiler, tmp_path: Path) -> None:
    def kill(page: Page) -> None:
        compiler.processes[0].kill()
        compiler.processes[0].wait()
        compiler.is_done.set()

    killed, _ = _match(tmp_path / "killed", "gin", compiler, kill, first=True)
    compiled, _ = _match(tmp_path / "compiled", "gin", compiler, first=False)
    assert killed == compiled


def test_a_process_that_ends_before_its_first_answer_leaves_a_table_with_its_rules(
    compiler: _Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler was quicker than the start of the process."""
    monkeypatch.setattr(first_moves.protocol, "format_passed", lambda message: b"")
    app = make_app(Store(tmp_path), (HOST,), KEY, pace=0.0, limits=MANY, sits_down_at_once=True)
    with visit(app) as client, connect(client) as page:
        page.say("begin", game="pharaoh", opponents=["random"])
        compiler.is_done.set()
        assert page.answer()["kind"] == "table"
    kinds = [text.split('"')[3] for text in page.heard]
    assert kinds.index("rules") < kinds.index("table")


def test_hints_wait_for_the_compiler(
    compiler: _Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = Advice("position", "draw", (), "", 2)
    monkeypatch.setattr(coach, "advise", lambda session, samples: advice)
    app = make_app(Store(tmp_path), (HOST,), KEY, pace=0.0, limits=MANY, sits_down_at_once=True)
    with visit(app) as client, connect(client) as page:
        table = page.begin("pharaoh", "random")
        page.say("hint", number=table["number"], ply=table["ply"])
        compiler.is_done.set()
        assert page.answer()["kind"] == "hint"


def test_a_deleted_game_ends_its_process(compiler: _Compiler, tmp_path: Path) -> None:
    app = make_app(Store(tmp_path), (HOST,), KEY, pace=0.0, limits=MANY, sits_down_at_once=True)
    with visit(app) as client, connect(client) as page:
        table = page.begin("pharaoh", "random")
        assert page.ask("delete", number=table["number"])["kind"] == "gone"
        assert compiler.processes[0].wait(timeout=10) in (0, -9)
        assert page.answer()["kind"] == "lobby"


def test_a_game_that_was_compiled_before_is_played_by_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[object] = []
    monkeypatch.setattr(first_moves.subprocess, "Popen", lambda *all, **named: started.append(all))
    for sits_down_at_once in (False, True):
        app = make_app(Store(tmp_path), (HOST,), KEY, pace=0.0, sits_down_at_once=sits_down_at_once)
        with visit(app) as client, connect(client) as page:
            assert page.begin("pharaoh", "random")["kind"] == "table"
    assert not started


def test_the_likely_game_is_compiled_in_the_lobby(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first game that is offered, later the last one that was played."""
    likely: SimpleQueue[tuple[str, list[str | None]]] = SimpleQueue()

    def prepare(self: tables.Tables, game: Any, players: Any, *rest: Any) -> float:
        likely.put((game.name, [each and each.name for each in players]))
        return 0.0

    monkeypatch.setattr(tables.Tables, "prepare", prepare)
    monkeypatch.setattr(first_moves, "is_rehearsed", lambda *parts: False)
    monkeypatch.setattr(first_moves, "is_cache_cold", lambda: False)
    store = Store(tmp_path)
    app = make_app(store, (HOST,), KEY, pace=0.0, limits=MANY, sits_down_at_once=True)
    with visit(app) as client, connect(client) as page:
        page.ask("lobby")
        assert likely.get(timeout=10) == ("gin", [None, "skilled"])
        tables.begin_game(store, parse_game("rummy"), ["random"])
        page.ask("lobby")
        assert likely.get(timeout=10) == ("rummy", [None, "random"])
