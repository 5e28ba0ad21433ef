"""A full disk stops a game with one line before a choice is acknowledged; what is kept goes on."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from undercut.app.store import Store
from undercut.app.terminal import table as terminal
from undercut.app.web.server import make_app
from undercut.cli import main
from web_page import HOST, KEY, MANY, connect, visit

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("same_cards")]


def limit(store: Store, more: int) -> None:
    """Let the database grow by so many pages, as if the disk had no more."""
    (pages,) = store._database.execute("PRAGMA page_count").fetchone()
    store._database.execute(f"PRAGMA max_page_count = {pages + more}")


def test_on_the_web(tmp_path: Path) -> None:
    store = Store(tmp_path)
    app = make_app(store, (HOST,), KEY, pace=0.0, limits=MANY)
    with visit(app) as client, connect(client) as page:
        table = page.begin("rummy:target=500", "beginner")
        limit(store, 0)
        acknowledged = []
        while True:
            page.heard.clear()
            message = page.go_on(table)
            here = (table["deal"], table["ply"])
            if message["kind"] == "refused" or (message["deal"], message["ply"]) == here:
                break
            if message["question"] is None and message["on_turn"] is not None:
                break  # one's own choice is kept; it was the opponent's that found no room
            acknowledged, table = store.entries(1), message
        told = message if message["kind"] == "refused" else page.answer()
        assert "full" in told["why"]
        assert "\n" not in told["why"]
        was_kept = any('"thinking"' in each for each in page.heard)
        assert store.entries(1)[: len(acknowledged)] == acknowledged
        assert (len(store.entries(1)) > len(acknowledged)) is was_kept
        limit(store, 1000)
        again = page.ask("open", number=1)
        assert again["ply"] >= table["ply"]
        assert page.go_on(again)["kind"] == "table"


def test_at_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class SmallStore(Store):
        """Little room after the game has begun."""

        def begin(self, *given: object, **named: object) -> object:  # type: ignore[override]
            begun = super().begin(*given, **named)  # type: ignore[arg-type]
            limit(self, 0)
            return begun

    with monkeypatch.context() as patched:
        patched.setattr(terminal, "Store", SmallStore)
        command = ["play", "gin:target=1000", "--terminal", "--seed", "1", "--data", str(tmp_path)]
        stopped = CliRunner().invoke(main, command, input="1\n" * 2000)
    assert stopped.exit_code == 2
    assert "full" in stopped.stderr
    assert stopped.stderr.count("\n") == 1
    store = Store(tmp_path)
    kept = store.entries(1)
    store.close()
    assert kept
    assert stopped.stdout.endswith("\n> "), "nothing is said to the last answer"
    command = ["play", "--resume", "--terminal", "--data", str(tmp_path)]
    resumed = CliRunner().invoke(main, command, input="1\nquit\nstop\n")
    assert resumed.exit_code == 0
    store = Store(tmp_path)
    assert store.entries(1)[: len(kept)] == kept
    store.close()
