"""Puzzles from a person's own errors, by the messages of a page."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from undercut.app import coach
from undercut.app.web import insight, practice, reviews
from undercut.play.agent import Random
from web_page import Page, any_action, connect, joined, serve, visit

pytestmark = pytest.mark.usefixtures("same_cards")
SMALL = (2, 16)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    for module in (reviews, insight, practice):
        monkeypatch.setattr(module, "SAMPLES", SMALL)
    monkeypatch.setattr(coach, "TUTORED", SMALL[-1])
    with visit(serve(tmp_path)) as client, connect(client) as connected:
        yield connected


def played(page: Page, seed: int = 1) -> dict[str, Any]:
    """A finished match in which the person chooses by chance, and errs."""
    chance = Random.from_seed(seed)
    table = page.begin("prsi:deals=2,max_moves=50", "beginner")
    while not table["is_over"]:
        if table["question"] is None:
            table = page.ask("next", number=table["number"], ply=table["ply"])
        else:
            table = page.play(table, any_action(table, chance))
    return table


def reviewed(page: Page, number: int) -> dict[str, Any]:
    found = page.ask("review", number=number)
    while found["done"] < found["of"]:
        found = page.answer()
    return found


def choices(table: dict[str, Any]) -> list[str]:
    every = [each for group in table["question"]["groups"] for each in group["choices"]]
    return [each["action"] for choice in every for each in choice["more"] or [choice]]


def test_own_errors_are_puzzles_and_a_better_move_solves_them(page: Page) -> None:
    table = played(page)
    assert page.ask("practice")["count"] == 0
    own = [each for each in reviewed(page, table["number"])["errors"] if each["seat"] == 0]
    assert own, "chance errs"
    shown = page.ask("practice")
    assert (shown["due"], shown["count"], shown["unreviewed"]) == (len(own), len(own), 0)
    puzzle = shown["puzzle"]
    (error,) = [each for each in own if each["ply"] == puzzle["table"]["ply"]]
    assert (puzzle["played"], puzzle["kind"]) == (error["played"], error["kind"])
    here = {"number": table["number"], "ply": error["ply"]}
    answers = {
        action: page.ask("try", action=action, **here) for action in choices(puzzle["table"])
    }
    right = [action for action, answer in answers.items() if answer["is_right"]]
    assert 0 < len(right) < len(answers)
    for answer in answers.values():
        assert answer["kind"] == "tried"
        assert bool(answer["better"]) == answer["is_right"]
        assert answer["told"].endswith("Try again.") != answer["is_right"]
    page.ask("try", action=right[0], **here)
    after = page.ask("practice")
    assert (after["due"], after["count"]) == (len(own) - 1, len(own))
    early = page.ask("practice", early=True, skip=len(own) - 1)
    assert early["puzzle"]["table"]["ply"] == error["ply"], "the one that is not due comes last"


def test_the_solution_is_that_of_the_review_and_puts_the_puzzle_off(page: Page) -> None:
    number = played(page)["number"]
    own = {each["ply"]: each for each in reviewed(page, number)["errors"] if each["seat"] == 0}
    before = page.ask("practice")
    ply = before["puzzle"]["table"]["ply"]
    solution = page.ask("reveal", number=number, ply=ply)
    assert not solution["is_right"]
    assert solution["better"] == own[ply]["best"]
    assert solution["why"] == f"{own[ply]['verdict']}. {own[ply]['why']}"
    assert solution["themes"] == own[ply]["themes"]
    after = page.ask("practice")
    assert after["due"] == before["due"] - 1
    assert after["puzzle"] is None or after["puzzle"]["table"]["ply"] != ply


def test_themes_choose_puzzles(page: Page) -> None:
    number = played(page)["number"]
    own = [each for each in reviewed(page, number)["errors"] if each["seat"] == 0]
    for theme in page.ask("practice")["themes"]:
        with_it = [each for each in own if theme["words"] in each["themes"]]
        assert theme["count"] == len(with_it) > 0
        shown = page.ask("practice", theme=theme["name"])
        assert shown["count"] == len(with_it)
        assert shown["puzzle"]["table"]["ply"] in {each["ply"] for each in with_it}
    assert page.ask("practice", theme="none")["puzzle"] is None
    assert page.ask("practice", number=number + 1)["count"] == 0


def test_games_that_were_not_reviewed_are_reviewed_one_after_the_other(page: Page) -> None:
    for seed in (1, 2):
        played(page, seed)
    assert page.ask("practice")["unreviewed"] == 2
    page.say("collect")
    told = [page.answer() for _ in range(3)]
    assert told == [{"kind": "collecting", "done": done, "of": 2} for done in range(3)]
    shown = page.ask("practice")
    assert shown["unreviewed"] == 0
    assert shown["count"] > 0
    assert page.ask("collect") == {"kind": "collecting", "done": 0, "of": 0}


def test_what_is_no_puzzle_is_refused_and_guests_have_none(page: Page, tmp_path: Path) -> None:
    table = page.begin("prsi", "beginner")
    gone = {"kind": "refused", "why": "this puzzle no longer exists"}
    for kind, more in (("try", {"action": "draw"}), ("reveal", {})):
        assert page.ask(kind, number=table["number"], ply=0, **more) == gone
    both = page.begin("prsi", people=2)
    (seat,) = page.answer()["invitations"]
    with visit(serve(tmp_path)) as client, joined(client, seat["path"]) as guest:
        guest.ask("open", number=both["number"])
        assert "only the person who set the table" in guest.ask("practice")["why"]


def test_a_page_that_closes_ends_its_reviews(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "SAMPLES", (2,))
    began = 0

    def review_deal(self: Any, deal: Any, step: Any) -> None:
        nonlocal began
        began += 1
        for _ in range(2000):  # a minute
            step()
            time.sleep(0.03)

    monkeypatch.setattr(practice.Reviewer, "review_deal", review_deal)
    with visit(serve(tmp_path)) as client:
        with connect(client) as page:
            played(page)
            assert page.ask("collect")["kind"] == "collecting"
            while not began:
                time.sleep(0.01)
            start = time.monotonic()
        with connect(client) as other:
            assert other.ask("practice")["unreviewed"] == 1
        assert time.monotonic() - start < 20
