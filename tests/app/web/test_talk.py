"""Whole conversations of pages and the server: every field of every message, against files.

Of a table only what has changed is written down. The files in `talks` say what was said when they
were written, and `golden.py` how they are written anew.
"""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from golden import check_golden, rounded
from undercut import __version__
from undercut.app import rematch
from undercut.app.store import Store
from undercut.app.web import connection, tables
from web_page import Page, connect, first_action, joined, serve, visit

TALKS = Path(__file__).parent / "talks"
MASKED = {
    r"\d{4}-\d\d-\d\dT[\d:+]*": "TIME",
    r'ticket: "[\w-]{43}"': "ticket: TICKET",
    r"-[0-9a-f]{32}": "-KEY",
    re.escape(__version__): "VERSION",
}
LONG = ("table", "past", "lobby")  # messages
pytestmark = pytest.mark.usefixtures("same_cards")


class Talk:
    """What pages say and hear, as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._seen: dict[str, Any] = {}
        self.table: dict[str, Any] = {}

    def ask(self, page: Page, kind: str, **fields: Any) -> dict[str, Any]:
        """Say something; all that is heard up to the answer is kept."""
        self.lines.append(f"> {json.dumps({'kind': kind, **fields})}")
        page.say(kind, **fields)
        return self.hear(page)

    def hear(self, page: Page) -> dict[str, Any]:
        answer = page.answer()
        for text in page.heard:
            message = json.loads(text)
            kind = message.pop("kind")
            fields = self._changed(message.get("table", message)) if kind in LONG else message
            self.lines.append(f"< {kind}")
            for name, value in rounded(fields).items():
                self.lines.append(f"  {name}: {json.dumps(value, ensure_ascii=False)}")
        page.heard.clear()
        if answer["kind"] == "table":
            self.table = answer
        return answer

    def at_table(self, page: Page, kind: str, **fields: Any) -> dict[str, Any]:
        """About the table as it lies."""
        here = {"number": self.table["number"], "ply": self.table["ply"]}
        return self.ask(page, kind, **here, **fields)

    def play(self, page: Page) -> dict[str, Any]:
        return self.at_table(page, "play", action=first_action(self.table))

    def _changed(self, fields: dict[str, Any]) -> dict[str, Any]:
        """What was not heard before; of games that are offered, two are enough."""
        fields = fields | {"games": [_short(each) for each in fields.get("games", [])[::3]]}
        found = {name: each for name, each in fields.items() if self._seen.get(name) != each}
        self._seen |= fields
        return found

    def __str__(self) -> str:
        text = "\n".join([*self.lines, ""])
        for pattern, word in MASKED.items():
            text = re.sub(pattern, word, text)
        return text


def _short(game: dict[str, Any]) -> dict[str, Any]:
    """A game that is offered; its agents come and go."""
    return game | {"agents": game["agents"][:1], "levels": game["levels"][:1]}


@pytest.fixture(autouse=True)
def _same_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "new_secret", lambda: 64 * "5")
    monkeypatch.setattr(rematch, "new_secret", lambda: 64 * "6")
    monkeypatch.setattr(connection, "token_hex", lambda size: 2 * size * "7")


def test_the_owner(tmp_path: Path) -> None:
    talk = Talk()
    with visit(serve(tmp_path)) as client, connect(client) as page:
        ask, at_table = talk.ask, talk.at_table
        ask(page, "begin", game="gin", opponents=["beginner"], words="mine")
        assert ask(page, "seal")["kind"] == "sealed"
        given = {"opponents": ["beginner", "smallest"], "words": "abc", "training": True}
        ask(page, "begin", game="prsi:deals=2,players=3,first_starter=0", **given)
        talk.play(page)
        at_table(page, "play", action="fly")
        ask(page, "play", number=1, ply=99, action="draw")
        ask(page, "play", number=7, ply=0, action="draw")
        ask(page, "hint", number=1, ply=99)
        at_table(page, "hint")
        at_table(page, "hint", deal=1)
        at_table(page, "look", deal=1)
        ask(page, "look", number=1, ply=0, deal=1)
        ask(page, "look", number=1, ply=0, deal=2)
        at_table(page, "undo")
        at_table(page, "undo")
        at_table(page, "assist")
        at_table(page, "next")
        while talk.table["question"]:
            talk.play(page)
        at_table(page, "play", action="draw")
        at_table(page, "hint")
        at_table(page, "next")
        ask(page, "ticket", number=1)
        at_table(page, "leave")
        at_table(page, "leave")
        at_table(page, "next")
        at_table(page, "play", action="draw")
        for how in ("rematch", "same", "seats"):
            ask(page, "again", number=1, how=how)
        for opponent in ("casual", "smallest:x=1", "python:bot.py:Bot", "engine:/bin/rm x", "no"):
            ask(page, "check", game="pharaoh", opponent=opponent)
        ask(page, "check", game="chess", opponent="casual")
        ask(page, "links", number=1)
        ask(page, "delete", number=4)
        talk.hear(page)
        ask(page, "delete", number=4)
        ask(page, "open", number=4)
        ask(page, "fly")
    check_golden(TALKS / "owner.txt", str(talk))


def test_what_was_compiled_is_not_looked_over_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for each game and its players, however often they sit down."""
    done: list[str] = []
    own = SimpleNamespace(
        collect=lambda: done.append("collect"), freeze=lambda: done.append("freeze")
    )
    monkeypatch.setattr(tables, "gc", own)
    with visit(serve(tmp_path)) as client, connect(client) as page:
        for _ in range(2):
            page.begin("prsi", "smallest")
        assert done == ["collect", "freeze"]
        page.begin("prsi", "biggest")
    assert done == ["collect", "freeze"] * 2


def test_guests_and_another_language(tmp_path: Path) -> None:
    talk = Talk()
    with visit(serve(tmp_path)) as client, connect(client) as owner:
        given = {"opponents": ["smallest"], "people": 2}
        talk.ask(owner, "begin", game="pharaoh:players=3,first_starter=0", **given)
        links = talk.hear(owner)
        (invitation,) = links["invitations"]
        with joined(client, invitation["path"]) as guest:
            talk.ask(guest, "lobby")
            talk.ask(guest, "open", number=2)
            talk.ask(guest, "open", number=1)
            talk.at_table(guest, "play", action="draw")
            talk.ask(owner, "open", number=1)
            talk.play(owner)
            talk.hear(guest)
            talk.play(guest)
            talk.hear(owner)
            talk.at_table(guest, "leave")
        with connect(client, language="cs") as other:
            talk.ask(other, "open", number=1)
            talk.play(other)
            talk.at_table(other, "hint")
    check_golden(TALKS / "guests.txt", str(talk))


def test_the_lobby_and_statistics(tmp_path: Path) -> None:
    """Games that were won, lost, left, are in play, or are damaged."""
    talk = Talk()
    with visit(serve(tmp_path)) as client, connect(client) as page:
        for game, training in (("prsi:max_moves=9", False), ("pharaoh:max_moves=5", True)):
            page.heard.clear()
            table = page.begin(game, "smallest", training=training)
            while not table["is_over"]:
                table = page.go_on(table)
        for _ in range(3):
            table = page.begin("rummy", "beginner")
        page.ask("leave", number=table["number"], ply=table["ply"])
        store = Store(tmp_path)
        store._database.execute("UPDATE games SET players = '[' WHERE number = 3")
        store.close()
        page.heard.clear()
        talk.ask(page, "statistics")
        lobby = talk.ask(page, "lobby")
    with visit(serve(tmp_path)) as client, connect(client, language="cs") as page:
        czech = page.ask("lobby")
        talk.ask(page, "statistics")
    titles = [[game["title"] for game in each["games"]] for each in (lobby, czech)]
    assert titles[0] != titles[1]
    check_golden(TALKS / "lobby.txt", str(talk))
