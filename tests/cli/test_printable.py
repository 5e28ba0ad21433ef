"""Text from outside: a terminal shows it, and it does nothing else."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from typed_table import Table, pressing
from undercut.app.statistics import statistics
from undercut.app.store import Kept, Store
from undercut.app.stored_games import OVER, DealKept
from undercut.app.web.lobby_catalog import kept
from undercut.cli import main, screen
from undercut.games.families import parse_game
from undercut.play.records.record import read_record, write_record
from undercut.players.catalog import parse_agent
from undercut.text.printable import printable, printable_values
from undercut.text.tables import Grid
from undercut.text.translation import LANGUAGES, say, say_as, speaking

pytestmark = pytest.mark.compiled

BAD = "\x1b]0;owned\x07\x1b[31m\u202ered\x9b2J\x7f\r\n[bold]{x}:smile:!"
ACTING = ("\x1b", "\x07", "\u202e", "\x9b", "\x7f", "\r")  # none of them may come to a terminal
POSITION = "gin.00.0-0.4c5c6cKc8d7hKhAsQsKs.Jh.-"
RECORDS = Path(__file__).parents[2] / "examples" / "records"


def is_tame(shown: str) -> bool:
    """Whether it does nothing, and all that can be seen is there as it was."""
    return not any(sign in shown for sign in ACTING)


@settings(max_examples=50)
@given(st.text())
def test_every_text_can_be_shown_in_one_line(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert (shown == text) == text.isprintable()
    assert printable_values({text: [text, (text, 5)]}) == {shown: [shown, [shown, 5]]}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["b{x}.py", "{", "{0}", "}{", "%s", "", "{name!r}"])
def test_a_name_is_never_a_format(name: str, language: str) -> None:
    with speaking(language):
        assert say(name) == name
        assert not name or say_as("outcome", name) == name


def undercut(*arguments: object) -> str:
    """What a command shows on both streams."""
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    return result.stdout + result.stderr


def test_a_strangers_record(tmp_path: Path) -> None:
    read, record = read_record(RECORDS / "gin.jsonl"), tmp_path / "record.jsonl"
    write_record(record, [replace(read.header, players=[BAD, "Bob"]), *read.events])
    shown = undercut("replay", record)
    assert is_tame(shown)
    assert r"\x1b[31m\u202ered\x9b2J\x7f\r\n[bold]{x}:smile:! v Bob" in shown
    record.write_text(json.dumps({"event": BAD, "schema": BAD}))
    refused = undercut("replay", record)
    assert refused.startswith("undercut: ")
    assert is_tame(refused)


def test_names_of_bots_and_engines(tmp_path: Path) -> None:
    bot = tmp_path / "b{x}.py"
    act = "    def act(self, view, legal, random): return legal[0]\n"
    bot.write_text(f"class Bot:\n    name = {BAD!r}\n{act}class Odd:\n    name = 7\n{act}")
    shown = undercut("match", "gin:target=1", f"python:{bot}:Bot", "simple", "-n", 2)
    assert parse_agent(f"python:{bot}:Odd", parse_game("gin")).name == "7"
    assert is_tame(shown)
    assert "[bold]{x}:smile:" in "".join(shown.split())
    engine = tmp_path / "engine.py"
    engine.write_text(f"import json\nprint(json.dumps({{'type': 'hello', 'name': {BAD!r}}}))\n")
    told = undercut("hint", POSITION, "--agent", f"engine:{sys.executable} {engine}")
    assert told.startswith("undercut: ")
    assert is_tame(told)


def test_stored_names(tmp_path: Path) -> None:
    store, game = Store(tmp_path), parse_game("gin")
    stored = store.begin(game, ["you", BAD], 5)
    store.note(stored.number, OVER, (9, 0), [DealKept("{x}", (9, 0))])
    assert is_tame(undercut("games", "--data", tmp_path))
    assert is_tame(undercut("games", "--data", tmp_path, "--statistics"))
    assert is_tame(undercut("games", "--data", tmp_path, "export", 1, tmp_path / "out"))
    assert "[bold]{x}:smile:" in kept(store.find(1)).players[1]
    assert statistics(store).played.games[0].endings[0].outcome == "{x}"
    store._database.execute("UPDATE games SET game = ?", (BAD,))
    assert is_tame(undercut("games", "--data", tmp_path))
    assert is_tame(undercut("games", "--data", tmp_path, "delete", 1))
    store.close()


def test_a_bot_whose_file_has_braces_sits_at_a_table(tmp_path: Path) -> None:
    bot = tmp_path / "b{x}.py"
    bot.write_text(
        "class B{}:\n    def act(self, view, legal, random): return legal[0]\n".replace("{}", "")
    )
    game, spec = parse_game("gin"), f"python:{bot}:B"
    store = Store(tmp_path)
    Kept(store, store.begin(game, ["you", spec], 5))
    assert kept(store.find(1)).players == ("Player 1", "B")
    store.close()
    table = Table("gin", opponents=[spec])
    assert "you against B" in table.run(pressing("quit"))
    assert parse_agent(spec, game).name == printable(spec)


def test_tables_in_python_and_lines_of_the_console(capsys: pytest.CaptureFixture[str]) -> None:
    assert is_tame(str(Grid(("agent",), ((BAD,),))))
    console, table = screen.console(), screen.plain_table()
    table.add_column(BAD)
    table.add_row(BAD)
    console.print(table)
    console.print(BAD)
    shown = capsys.readouterr().out
    assert is_tame(shown)
    assert shown.count("[bold]") == shown.count(":smile:") == 3
