"""`undercut play`: in the browser where there is one, in the terminal otherwise."""

import io
import pickle
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from undercut.app.store import Store
from undercut.app.web import supervisor
from undercut.cli import main

play_command = import_module("undercut.cli.play")

pytestmark = pytest.mark.compiled


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Servers that were asked for: the game to open, whether to open a browser."""
    asked: list[Any] = []

    def supervise(
        folder: Path,
        host: str,
        port: int | None,
        is_new_key: bool,
        begin: supervisor.Begin,
        opens: bool,
        *rest: Any,
    ) -> int:
        store = Store(folder)
        try:
            asked.append((port, is_new_key, pickle.loads(pickle.dumps(begin))(store), opens))
        finally:
            store.close()
        return 0

    monkeypatch.setattr(supervisor, "supervise", supervise)
    return asked


def play(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["play", "--web", "--data", str(folder), *arguments])


def test_the_lobby_or_a_game_is_opened(served: list[Any], tmp_path: Path) -> None:
    assert play(tmp_path).exit_code == 0
    play(tmp_path, "rummy", "--opponent", "expert", "--port", "8123")
    play(tmp_path, "--training")
    play(tmp_path, "pharaoh", "--opponent", "beginner", "--opponent", "master")
    play(tmp_path, "--resume")
    play(tmp_path, "--resume", "1")
    play(tmp_path, "--new-key")
    play(tmp_path, "--seed", "0")
    assert served == [
        (None, False, None, False),
        (8123, False, 1, False),
        (None, False, 2, False),
        (None, False, 3, False),
        (None, False, 3, False),
        (None, False, 1, False),
        (None, True, None, False),
        (None, False, 4, False),
    ]
    store = Store(tmp_path)
    games = {each.number: each for each in store.games()}
    store.close()
    assert games[1].players == ("you", "expert")
    assert (games[2].game, games[2].training) == ("gin", True)
    assert games[3].players == ("you", "beginner", "master")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--terminal"], "not both"),
        (["--record", "r"], "--record is for the terminal"),
        (["--language", "czech"], "--language is for the terminal"),
        (["--port", "70000"], "--port"),
        (["--opponent", "python:nowhere.py:Nobody"], "cannot load"),
        (["--resume", "7"], "no game 7"),
    ],
)
def test_bad_options_get_one_line(
    served: list[Any], tmp_path: Path, arguments: list[str], why: str
) -> None:
    done = play(tmp_path, *arguments)
    assert done.exit_code == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert served == []


class Terminal(io.StringIO):
    """Somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "typed", "is_browser"),
    [
        ({"DISPLAY": ":0"}, True, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, True),
        ({"DISPLAY": ":0"}, False, False),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "10.0.0.1 22"}, True, False),
        ({}, True, False),
    ],
)
def test_a_browser_is_used_where_it_can_be_seen(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
    typed: bool,
    is_browser: bool,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "stdin", Terminal() if typed else io.StringIO())
    nothing = play_command.Screen(False, False, False, None, None)
    assert nothing.is_browser(1) is is_browser
    assert not nothing._replace(terminal=True).is_browser(1)
    assert not nothing._replace(record=Path("r")).is_browser(1)
    assert not nothing._replace(lines=True).is_browser(1)
    assert nothing._replace(web=True).is_browser(1)
    assert capsys.readouterr().out == ""
