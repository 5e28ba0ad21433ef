"""Matches played by messages: they end, are kept, are seen by all who watch, and tell no secret."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect

from undercut.app.host import Host
from undercut.app.store import Store
from undercut.app.web.connection import Limits
from undercut.app.web.tables import Tables
from undercut.games.families import parse_game
from undercut.games.table.melding.description import why_not_thrown
from undercut.text.errors import AgentError, UndercutError
from undercut.text.translation import LANGUAGES, speaking
from web_page import Page, connect, first_action, serve, visit

GAMES = {
    "gin:target=20": ["beginner"],
    "distilled:target=20": ["casual"],
    "rummy:target=20": ["beginner"],
    "pharaoh:deals=6": ["beginner"],
    "prsi:deals=2,players=4": ["beginner", "casual", "beginner"],
}
every_game = pytest.mark.parametrize("game", GAMES)
pytestmark = pytest.mark.usefixtures("same_cards")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with visit(serve(tmp_path)) as client, connect(client) as connected:
        yield connected


def play_until_refused(page: Page, table: dict[str, Any]) -> dict[str, Any]:
    """The refusal that comes at last, also behind a table that nobody has a choice at."""
    seen = [table]
    while seen[-1]["kind"] != "refused":
        table = seen[-1]
        seen.append(page.go_on(table))
        if seen[-1]["kind"] == "table" and seen[-1]["question"] is None:
            seen.append(page.answer())
    return seen[-1]


def entries(folder: Path) -> list[Any]:
    store = Store(folder)
    found = [store.entries(each.number) for each in store.games()]
    store.close()
    return found


@every_game
def test_a_match_is_played_to_its_end(page: Page, game: str) -> None:
    table = page.begin(game, *GAMES[game])
    assert table["kind"] == "table"
    messages = 0
    while not table["is_over"]:
        table = page.go_on(table)
        messages += 1
        assert table["kind"] == "table", table
        assert messages < 5000
    assert table["summary"]["sentences"]
    assert "win" in table["verdict"]
    listed = page.ask("lobby")["kept"][0]
    assert (listed["state"], listed["scores"]) == ("over", table["scores"])


@every_game
def test_a_match_goes_on_where_it_stood(tmp_path: Path, game: str) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        table = page.begin(game, *GAMES[game])
        for _ in range(7):
            table = page.go_on(table)
    with visit(serve(tmp_path)) as client, connect(client) as page:
        assert page.ask("lobby")["kept"][0]["number"] == table["number"]
        again = page.ask("open", number=table["number"])
        if again["deal"] == table["deal"]:  # a deal that only agents have begun is begun again
            assert again == table
        assert page.go_on(again)["kind"] == "table"


def test_all_who_watch_see_what_happens(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as one, connect(client) as other:
        table = one.begin("gin", "beginner")
        assert other.ask("open", number=table["number"]) == table
        for _ in range(6):
            table = one.go_on(table)
            assert other.answer() == table
        stale = other.play(table | {"ply": table["ply"] - 1}, first_action(table))
        assert stale["kind"] == "refused"
        table = other.go_on(table)
        assert one.answer() == table
        assert other.ask("delete", number=table["number"])["kind"] == "gone"
        assert other.answer()["kept"] == []
        assert one.answer() == {"kind": "gone", "number": table["number"]}


def test_two_games_are_played_at_once(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as one, connect(client) as other:
        tables = [one.begin("gin", "beginner"), other.begin("rummy", "casual")]
        for _ in range(15):
            for page, table in zip((one, other), tables, strict=True):
                if table["question"]:
                    page.say(
                        "play", number=table["number"], ply=table["ply"], action=first_action(table)
                    )
                else:
                    page.say("next", number=table["number"], ply=table["ply"])
            tables = [page.answer() for page in (one, other)]
            assert [table["kind"] for table in tables] == ["table", "table"]


def test_what_comes_after_a_choice_does_not_tell_who_was_asked(page: Page) -> None:
    """An agent that had no alternative looks like one that chose: all moves come at once."""
    table = page.begin("pharaoh:players=3", "beginner", "beginner")
    while not table["is_over"]:
        page.say("play", number=table["number"], ply=table["ply"], action=first_action(table))
        kinds = [page.hear()["kind"]]
        while (table := page.hear())["kind"] != "table":
            kinds.append(table["kind"])
        assert kinds in (["thinking"], ["thinking", "moves"])


@pytest.mark.parametrize("game", ["gin:target=40", "rummy:target=40", "pharaoh:players=4,deals=2"])
def test_all_moves_since_the_last_table_come_with_the_next_one(page: Page, game: str) -> None:
    """Each as the seat would see it looking back; what a deal over or an undo repeats does not."""
    others = ["beginner"] * (parse_game(game).seats - 1)
    table, count = page.begin(game, *others, training=True), 0
    page.heard.clear()
    while not table["is_over"]:
        before, table = table, page.go_on(table)
        messages = [json.loads(text) for text in page.heard]
        page.heard.clear()
        moves = next((each["moves"] for each in messages if each["kind"] == "moves"), [])
        plies = range(before["ply"] + (before["deal"] == table["deal"]), table["ply"])
        assert [move["ply"] for move in moves] == [*plies]
        for move in moves[:: max(1, len(moves) // 3)]:
            where = {"number": table["number"], "ply": move["ply"], "deal": move["deal"]}
            past = page.ask("look", **where)["table"]
            last, told = move.pop("last"), move.pop("told")
            assert move == {name: past[name] for name in move}
            assert [*table["told"][: told - 1], last][:told] == past["told"]
            count += 1
        page.heard.clear()
        if count % 40 == 7 and table["can_undo"]:
            page.say("undo", number=table["number"], ply=table["ply"])
            table = page.answer()
            assert "moves" not in [json.loads(text)["kind"] for text in page.heard]
            table = page.go_on(table)
            page.heard.clear()
    assert count > 20


def test_the_others_take_a_moment(tmp_path: Path) -> None:
    with visit(serve(tmp_path, pace=0.3)) as client, connect(client) as page:
        table = page.begin("gin:first_starter=0", "beginner")
        waits = []
        for _ in range(6):
            start, before = time.monotonic(), len(table["told"])
            table = page.go_on(table)
            others = [each for each in table["told"][before:] if not each.startswith("You")]
            waits.append((bool(others), time.monotonic() - start))
    assert all(wait >= 0.3 for others, wait in waits if others)
    assert any(others for others, _ in waits)


def test_the_lobby_offers_every_game_and_tells_no_seed(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        table = page.begin("gin:target=50", "beginner")
        lobby = page.ask("lobby")
        store = Store(tmp_path)
        assert str(store.games()[0].seed) not in page.heard[-1]
        store.close()
    names = [each["name"] for each in lobby["games"]]
    assert {"gin", "distilled", "rummy", "pharaoh", "prsi"} <= {*names}
    gin = lobby["games"][0]
    rules = {rule["name"]: rule for group in gin["house"] for rule in group["rules"]}
    assert rules["knock"]["words"] == "Players may knock"
    assert rules["first_starter"]["choices"][0] == [-1, "chance decides"]
    assert [level["stars"] for level in gin["levels"]] == [1, 2, 3, 3.5, 4, 4.5, 5]
    assert gin["levels"][0]["win_rate"] < gin["levels"][-2]["win_rate"]
    assert lobby["kept"][0]["number"] == table["number"]
    assert lobby["kept"][0]["players"] == ["Player 1", "Nina"]
    assert lobby["kept"][0]["faces"] == ["", "nina"]


def test_training_hints_and_leaving(page: Page) -> None:
    table = page.begin("gin:first_starter=0", "beginner", training=True)
    here = {"number": table["number"], "ply": table["ply"]}
    assert not table["can_undo"]
    hint = page.ask("hint", **here)
    assert hint["text"].endswith(" % of matches won")
    assert hint["position"].startswith("gin")
    later = page.go_on(table)
    assert later["can_undo"]
    back = page.ask("undo", number=later["number"], ply=later["ply"])
    assert back == {**table, "is_coached": True}, "the hint stays noted"
    left = page.ask("leave", **here)
    assert (left["is_left"], left["question"]) == (True, None)
    assert page.ask("leave", **here)["kind"] == "refused"
    assert page.ask("hint", **here)["why"] == "there is nothing to choose now"


def test_what_is_proposed_is_done(page: Page) -> None:
    for _ in range(20):
        table = page.begin("gin:knock_limit=60,target=500", "beginner")
        for _ in range(60):
            if table["question"] and table["question"]["shortcut"]:
                table = page.ask("assist", number=table["number"], ply=table["ply"])
                assert table["summary"] or not table["question"]["shortcut"]
                return
            refused = page.ask("assist", number=table["number"], ply=table["ply"])
            assert refused["kind"] == "refused"
            table = page.go_on(table)
    pytest.fail("nobody knocked")


def test_rules_and_pack_are_told_once_before_the_table(page: Page) -> None:
    table = page.begin("rummy:first_starter=0", "beginner")
    for _ in range(8):
        table = page.go_on(table)
    assert page.ask("look", number=table["number"], ply=0, deal=1)["kind"] == "past"
    messages = [msgspec.json.decode(each) for each in page.heard]
    kinds = [each["kind"] for each in messages]
    assert kinds.count("rules") == 1
    assert kinds.index("rules") < kinds.index("table")
    (rules,) = [each for each in messages if each["kind"] == "rules"]
    assert (rules["number"], rules["pack"]["name"]) == (table["number"], "french")
    assert rules["aim"]
    assert rules["rules"]
    others = [text for text, kind in zip(page.heard, kinds, strict=True) if kind != "rules"]
    assert not [text for text in others if '"pack":' in text or '"rules":' in text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_has_the_reason_of_the_game(tmp_path: Path, language: str) -> None:
    """As the terminal says it, in the language of the page; nothing else is sent."""
    with visit(serve(tmp_path)) as client, connect(client, language=language) as page:
        table = page.begin("gin:first_starter=0", "beginner")
        upcard = table["areas"][0]["parts"][0]["cards"][0]
        refused = page.play(page.play(table, "take"), f"discard {upcard}")
        with speaking(language):
            assert refused == {"kind": "refused", "why": why_not_thrown(upcard, (upcard,))}
        page.say("lobby")
        assert page.hear()["kind"] == "lobby"


BAD = {
    "nothing": "",
    "not JSON": "{",
    "a list": "[]",
    "null": "null",
    "no kind": "{}",
    "an unknown kind": '{"kind": "seed"}',
    "a message of the server": '{"kind": "table"}',
    "a missing field": '{"kind": "open"}',
    "a field too many": '{"kind": "lobby", "seed": 1}',
    "a wrong type": '{"kind": "open", "number": "1"}',
    "a negative number": '{"kind": "open", "number": -1}',
    "a huge number": '{"kind": "open", "number": 99999999999999999999999}',
    "a deep one": "[" * 2000,
    "half a character": '{"kind": "\\ud800"}',
    "a long action": msgspec.json.encode(
        {"kind": "play", "number": 1, "ply": 0, "action": "x" * 300}
    ).decode(),
    "no such game": '{"kind": "open", "number": 77}',
    "nothing to delete": '{"kind": "delete", "number": 77}',
    "a game that is not open": '{"kind": "play", "number": 77, "ply": 0, "action": "draw"}',
    "a game to go on with": '{"kind": "next", "number": 1, "ply": 0}',
    "nothing to take back": '{"kind": "undo", "number": 1, "ply": 0}',
    "an illegal action": '{"kind": "play", "number": 1, "ply": 0, "action": "discard Ks"}',
    "no action": '{"kind": "play", "number": 1, "ply": 0, "action": ""}',
    "a number of a choice": '{"kind": "play", "number": 1, "ply": 0, "action": "1"}',
    "a stale message": '{"kind": "play", "number": 1, "ply": 9, "action": "take"}',
    "a stale leave": '{"kind": "leave", "number": 1, "ply": 1}',
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_bad_message_is_refused_and_changes_nothing(tmp_path: Path, text: str) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        table = page.begin("gin:first_starter=0", "beginner")
        assert (table["number"], table["ply"]) == (1, 0)
        before = entries(tmp_path)
        page.socket.send_text(text)
        refused = page.hear()
        assert refused["kind"] == "refused"
        assert "\n" not in refused["why"]
        assert "Traceback" not in refused["why"]
        again = page.ask("open", number=1)
        assert again == table
        assert entries(tmp_path) == before


def test_binary_and_huge_messages_are_refused(tmp_path: Path) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        page.socket.send_bytes(b'{"kind": "lobby"}')
        assert page.hear() == {"kind": "refused", "why": "only text is understood"}
        page.socket.send_text(" " * 5000)
        with pytest.raises(WebSocketDisconnect) as closed:
            page.hear()
        assert closed.value.code == 1009


def test_a_page_that_asks_too_much_is_refused(tmp_path: Path) -> None:
    limits = Limits(rate=1e-6, burst=3)
    with visit(serve(tmp_path, limits=limits)) as client, connect(client) as page:
        kinds = [page.ask("lobby")["kind"] for _ in range(5)]
    assert kinds == ["lobby"] * 3 + ["refused"] * 2


OPPONENTS = [
    ("gin", ["python:bots/mine.py:Brave"], "cannot play on this page"),
    ("gin", ["python:os:system"], "cannot play on this page"),
    ("gin", ["engine:touch owned"], "cannot play on this page"),
    ("gin", ["engine[seconds=1]:touch owned"], "cannot play on this page"),
    ("gin", ["blueprint:model=/etc/passwd"], "'model' of blueprint cannot be set"),
    ("rummy", ["blueprint:model=x.safetensors"], "'model' of blueprint cannot be set"),
    ("pharaoh", ["blueprint:model=x.safetensors"], "'model' of blueprint cannot be set"),
    ("gin", ["nobody"], "unknown opponent 'nobody'"),
    ("gin", ["beginner:temperature=1"], "unknown opponent 'beginner'"),
    ("gin", ["thrifty:link=1000000"], "link=1000000: must be from"),
    ("gin", ["thrifty:settings=/etc/passwd"], "cannot be set|unknown settings"),
    ("gin", ["you"], "unknown opponent 'you'"),
    ("gin", [], "0 opponents"),
    ("gin", ["simple", "simple"], "2 opponents"),
    ("gin:target=0", ["simple"], "target=0: must be from"),
    ("gin:colour=1", ["simple"], "unknown option 'colour'"),
    ("chess", ["simple"], "unknown game 'chess'"),
    ("pharaoh:players=9", ["simple"] * 7, "players=9"),
]


@pytest.mark.parametrize(("game", "opponents", "why"), OPPONENTS)
def test_a_page_can_only_name_what_the_catalog_has(
    tmp_path: Path, game: str, opponents: list[str], why: str
) -> None:
    with visit(serve(tmp_path)) as client, connect(client) as page:
        refused = page.begin(game, *opponents)
        assert refused["kind"] == "refused"
        assert re.search(why, refused["why"])
        assert page.ask("lobby")["kept"] == []
        if len(opponents) == 1:
            checked = page.ask("check", game=game, opponent=opponents[0])
            assert re.search(why, checked["why"])


def test_an_agent_of_the_catalog_with_settings_may_sit_down(page: Page) -> None:
    assert page.ask("check", game="gin", opponent="thrifty:link=2")["why"] == ""
    assert page.begin("gin", "thrifty:link=2")["names"] == ["You", "Thrifty"]


def test_a_game_that_went_on_elsewhere_is_shown_as_it_stands(tmp_path: Path) -> None:
    with (
        visit(serve(tmp_path)) as here,
        visit(serve(tmp_path)) as there,
        connect(here) as one,
        connect(there) as other,
    ):
        table = one.begin("gin:first_starter=0", "beginner")
        assert other.ask("open", number=1) == table
        later = one.go_on(table)
        assert other.go_on(table) == later
        assert "went on elsewhere" in other.answer()["why"]


def test_a_failure_of_the_server_is_not_described_to_a_page(
    page: Page, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*arguments: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(Tables, "watch", fail)
    refused = page.ask("open", number=1)
    assert refused["kind"] == "refused"
    assert "secret" not in page.heard[-1]
    assert "secret" in caplog.text


def test_an_agent_that_fails_can_be_asked_again(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = page.begin("gin:first_starter=0", "beginner")

    def fail(host: Host) -> None:
        raise UndercutError("lost my glasses")

    with monkeypatch.context() as patched:
        patched.setattr(Host, "answer", fail)
        refused = play_until_refused(page, table)
    assert "lost my glasses" in str(refused)
    assert page.ask("open", number=1)["question"] is not None


def test_the_words_of_an_agent_that_fails_are_not_for_a_page(
    page: Page, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = page.begin("gin:first_starter=0", "beginner")

    def fail(*arguments: object) -> int:
        raise AgentError("beginner answered 9, which is not legal: hidden words")

    monkeypatch.setattr("undercut.app.host.ask", fail)
    refused = play_until_refused(page, table)
    assert "an opponent could not answer" in str(refused)
    assert "hidden words" not in str(page.heard)
    assert "hidden words" in caplog.text
