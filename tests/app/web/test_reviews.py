"""The review of a game on its page: deals that are over, each more exact than before."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from undercut.app.web import insight, reviews
from web_page import Page, connect, serve, visit

pytestmark = pytest.mark.usefixtures("same_cards")
SMALL = (2, 8)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    for module in (reviews, insight):
        monkeypatch.setattr(module, "SAMPLES", SMALL)
    with visit(serve(tmp_path)) as client, connect(client) as connected:
        yield connected


def reviewed(page: Page, number: int) -> list[dict[str, Any]]:
    """All messages of a review."""
    found = [page.ask("review", number=number)]
    while found[-1]["done"] < found[-1]["of"]:
        found.append(page.answer())
    return found


def test_every_message_knows_more_and_the_numbers_are_those_of_the_record(page: Page) -> None:
    table = page.begin("pharaoh:deals=2", "beginner")
    refused = page.ask("review", number=table["number"])
    assert refused == {"kind": "refused", "why": "no deal is over yet: there is nothing to review"}
    while table["summary"] is None:
        table = page.go_on(table)
    first = reviewed(page, table["number"])
    assert [(each["kind"], each["samples"]) for each in first] == [("review", 2), ("review", 8)]
    table = page.go_on(table)  # the second deal
    assert len(reviewed(page, table["number"])[-1]["deals"]) == 1, "a deal in play is not shown"
    while not table["is_over"]:
        table = page.go_on(table)
    found = reviewed(page, table["number"])
    assert [len(each["deals"]) for each in found] == [1, 2, 2, 2]
    assert [each["samples"] for each in found] == [2, 2, 8, 8]
    done = [each["done"] for each in found]
    assert done == sorted(done)
    last, points = found[-1], [deal["points"] for deal in table["deals"]]
    lead = sum(mine - other for mine, other in points)
    for seat, side in enumerate(last["seats"]):
        name, result = side["parts"][-1]
        assert (name, result) == ("result", lead if seat == 0 else -lead)
    plies = sum(len(deal) - 1 for deal in last["deals"])
    assert plies == table["ply"]
    for error in last["errors"]:
        assert error["kind"] in ("inaccuracy", "mistake", "blunder")
        assert error["played"] != error["best"]


def test_words_are_those_of_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reviews, insight):
        monkeypatch.setattr(module, "SAMPLES", SMALL)
    with visit(serve(tmp_path)) as client, connect(client, language="cs") as page:
        table = page.begin("pharaoh", "beginner")
        while table["summary"] is None:
            table = page.go_on(table)
        last = reviewed(page, table["number"])[-1]
        names = {name for side in last["seats"] for name, _ in side["parts"]}
        assert "result" not in names
        assert "points" not in last["seats"][0]["story"]


def test_several_people_wait_for_the_end_of_the_match(page: Page) -> None:
    table = page.begin("pharaoh", people=2)
    assert page.answer()["kind"] == "links"
    why = "several people see the review when the match has ended"
    assert page.ask("review", number=table["number"]) == {"kind": "refused", "why": why}
    assert page.ask("leave", number=table["number"], ply=table["ply"])["is_left"]
    assert "no deal is over" in page.ask("review", number=table["number"])["why"]


def test_a_page_that_goes_away_ends_its_review(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reviews, insight):
        monkeypatch.setattr(module, "SAMPLES", (2,) * 500)
    table = page.begin("pharaoh", "beginner")
    while table["summary"] is None:
        table = page.go_on(table)
    begun = 0

    def review_deal(*given: Any) -> Any:
        nonlocal begun
        begun += 1
        return original(*given)

    original = reviews.Reviewer.review_deal
    monkeypatch.setattr(reviews.Reviewer, "review_deal", review_deal)
    page.say("review", number=table["number"])
    while page.ask("lobby")["kind"] != "lobby":
        pass
    time.sleep(0.3)  # the deal in progress
    done = begun
    time.sleep(0.5)
    assert 0 < begun == done < 500
