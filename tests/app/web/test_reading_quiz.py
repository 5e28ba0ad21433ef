"""The reading quiz by the messages of a page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from undercut.play.agent import Random
from web_page import Page, any_action, connect, joined, serve, visit

pytestmark = pytest.mark.usefixtures("same_cards")
GONE = {"kind": "refused", "why": "this question no longer exists"}
EMPTY = {"asked": 0, "right": 0, "likeliest": 0}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with visit(serve(tmp_path)) as client, connect(client) as connected:
        yield connected


def played(page: Page) -> dict[str, Any]:
    """A finished match in which the person chooses by chance."""
    chance, table = Random.from_seed(1), page.begin("prsi:deals=2", "beginner")
    while not table["is_over"]:
        assert page.ask("quiz") == {"kind": "quiz", "score": EMPTY, "reading": None}
        if table["question"] is None:
            table = page.ask("next", number=table["number"], ply=table["ply"])
        else:
            table = page.play(table, any_action(table, chance))
    return table


def answer_to(page: Page, reading: dict[str, Any], card: str) -> dict[str, Any]:
    table = reading["table"]
    here = {"number": table["number"], "ply": table["ply"], "seat": reading["seat"]}
    return page.ask("guess", card=card, **here)


def test_a_question_is_answered_once_and_the_answer_shows_the_hand(page: Page) -> None:
    over = played(page)
    shown = page.ask("quiz")
    reading = shown["reading"]
    assert shown["score"] == EMPTY
    assert reading["table"]["question"] is None, "nobody plays on"
    assert not reading["table"]["is_over"]
    assert reading["table"]["number"] == over["number"]
    assert page.ask("quiz") == shown, "it stays until it is answered"
    assert answer_to(page, reading, "?") == {
        "kind": "refused",
        "why": "choose one of the cards of the question",
    }
    elsewhere = {**reading, "seat": reading["table"]["seat"]}
    assert answer_to(page, elsewhere, reading["cards"][0]) == GONE
    assert page.ask("quiz")["score"] == EMPTY
    found = answer_to(page, reading, reading["cards"][0])
    assert {*found["hand"]} & {*reading["cards"]} == {found["held"]}
    is_right = found["card"] == found["held"]
    best = reading["cards"][found["chances"].index(max(found["chances"]))]
    assert found["score"] == {
        "asked": 1,
        "right": int(is_right),
        "likeliest": int(best == found["held"]),
    }
    assert answer_to(page, reading, reading["cards"][0]) == GONE
    after = page.ask("quiz")
    assert after["score"] == found["score"]
    assert after["reading"] != reading


def test_guests_have_no_quiz(page: Page, tmp_path: Path) -> None:
    both = page.begin("prsi", people=2)
    (seat,) = page.answer()["invitations"]
    with visit(serve(tmp_path)) as client, joined(client, seat["path"]) as guest:
        guest.ask("open", number=both["number"])
        assert "only the person who set the table" in guest.ask("quiz")["why"]
