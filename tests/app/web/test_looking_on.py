"""Hints and looking back: whoever plays never waits for them, and they tell nothing out of date."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from undercut.app import coach
from undercut.app.web.table import Table
from web_page import Page, connect, first_action, joined, serve, visit

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("same_cards")]
WAIT = 20.0  # seconds; nobody waits that long unless the test fails


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with visit(serve(tmp_path)) as client, connect(client) as connected:
        yield connected


class Slow:
    """A method that begins, and ends when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.begun, self.may_end = Event(), Event()
        method = getattr(owner, name)

        def wait(*arguments: Any) -> Any:
            self.begun.set()
            assert self.may_end.wait(WAIT)
            return method(*arguments)

        monkeypatch.setattr(owner, name, wait)


def here(table: dict[str, Any]) -> dict[str, Any]:
    return {"number": table["number"], "ply": table["ply"]}


def kinds(page: Page) -> list[str]:
    """What has come so far, and up to the answer to a question."""
    assert page.ask("check", game="gin", opponent="beginner")["kind"] == "checked"
    return [text.split('"')[3] for text in page.heard]


def test_who_plays_does_not_wait_for_a_hint_and_one_out_of_date_is_dropped(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = page.begin("gin", "beginner")
    advice = Slow(monkeypatch, coach, "advise")
    page.say("hint", **here(table))
    assert advice.begun.wait(WAIT)
    moved = page.play(table, first_action(table))
    assert moved["kind"] == "table"
    assert moved["ply"] > table["ply"]
    advice.may_end.set()
    hint = page.ask("hint", **here(moved))
    assert (hint["kind"], hint["ply"]) == ("hint", moved["ply"])
    assert kinds(page).count("hint") == 1, "hints come in order: the first would be here by now"
    assert page.ask("hint", **here(table))["why"] == "the table has changed since: look again"


def test_who_plays_does_not_wait_for_one_who_looks_back(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = page.begin("gin", "beginner")
    table = page.play(table, first_action(table))
    looking = Slow(monkeypatch, Table, "look_back")
    page.say("look", number=table["number"], ply=0, deal=1)
    assert looking.begun.wait(WAIT)
    assert page.play(table, first_action(table))["kind"] == "table"
    looking.may_end.set()
    assert page.answer()["table"]["ply"] == 0, "what was is the same, whatever came since"


def test_one_can_look_back_while_the_others_think(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = page.begin("gin", "beginner")
    thinking = Slow(monkeypatch, Table, "answer")
    page.say("play", **here(table), action=first_action(table))
    assert thinking.begun.wait(WAIT)
    past = page.ask("look", number=table["number"], ply=table["ply"], deal=1)
    assert (past["kind"], past["table"]["areas"]) == ("past", table["areas"])
    later = page.ask("look", number=table["number"], ply=table["ply"] + 1, deal=1)
    assert later["kind"] == "refused", "what nobody was shown yet is not there"
    thinking.may_end.set()
    assert page.answer()["kind"] == "table"


def test_after_a_move_is_taken_back_the_hint_before_it_is_dropped(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table may then have as many moves as before, and other cards on it."""
    table = page.begin("gin", "beginner", training=True)
    table = page.play(table, first_action(table))
    advice = Slow(monkeypatch, coach, "advise")
    page.say("hint", **here(table))
    assert advice.begun.wait(WAIT)
    back = page.ask("undo", **here(table))
    again = page.play(back, first_action(back))
    assert again["ply"] == table["ply"]
    advice.may_end.set()
    assert page.ask("hint", **here(again))["kind"] == "hint"
    assert kinds(page).count("hint") == 1


def test_the_tutor_answers_one_person_and_the_map_is_of_his_seat(page: Page) -> None:
    table = page.begin("gin", "beginner")
    action = first_action(table)
    judged = page.ask("judge", **here(table), action=action)
    assert (judged["kind"], judged["action"]) == ("judged", action)
    assert judged["error"] in ("", "inaccuracy", "mistake", "blunder")
    assert page.ask("judge", **here(table), action="knock Ks")["kind"] == "refused"
    (other,) = page.ask("belief", **here(table))["seats"]
    assert other["seat"] == 1
    assert sum(chance for _, chance in other["cards"]) == pytest.approx(10)
    several = page.begin("gin", people=2)
    assert page.answer()["kind"] == "links"
    refused = page.ask("judge", **here(several), action=first_action(several))
    assert "only if everybody at the table agrees" in refused["why"]


def test_the_coach_helps_several_people_only_if_all_agree(tmp_path: Path) -> None:
    refusal = "the coach helps only if everybody at the table agrees"
    with visit(serve(tmp_path)) as client, connect(client) as page:
        table = page.begin("gin", people=2)
        (seat,) = page.answer()["invitations"]
        with joined(client, seat["path"]) as guest:
            guest.ask("open", number=table["number"])
            for kind, more in (("hint", {}), ("belief", {}), ("judge", {"action": "pass"})):
                assert page.ask(kind, **here(table), **more)["why"] == refusal
            assert page.ask("agree", **here(table))["agreed"] == [0]
            assert guest.answer()["agreed"] == [0]
            assert page.ask("belief", **here(table))["why"] == refusal
            guest.say("agree", **here(table))
            assert guest.answer()["agreed"] == [0, 1]
            table = page.answer()
            assert (table["agreed"], table["is_coached"]) == ([0, 1], False)
            assert page.ask("belief", **here(table))["kind"] == "belief"
            page.say("leave", **here(table))
            assert page.answer()["is_coached"]
