"""Lobby, settings and statistics in a real browser: what a newcomer and a regular see."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

import faces
from undercut.app.store import Store
from undercut.app.stored_games import OVER, DealKept
from undercut.games.characters import CHARACTERS, GUESTS, ROBOT
from undercut.games.families import parse_game
from web_page import LIMIT, at_speed, serving

pytestmark = pytest.mark.compiled
SEED = 10**18
SIZES = [(1280, 720), (390, 844), (360, 640)]


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("lobby")
    keep_some_games(folder)
    with serving(folder, SEED) as link:
        yield link


def keep_some_games(folder: Path) -> None:
    """Three games that are over, and one in play."""
    store, gin = Store(folder), parse_game("gin")
    for points in ((30, 0), (20, 0), (0, 40)):
        stored = store.begin(gin, ["you", "skilled"], 5)
        outcome = "knock" if points[0] else "undercut"
        store.note(stored.number, OVER, points, [DealKept(outcome, points)])
    store.begin(parse_game("prsi:players=4"), ["you", "expert", "expert", "casual"], 6)
    store.close()


def visit(browser: Browser, link: str, width: int, height: int) -> Page:
    size = ViewportSize(width=width, height=height)
    page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
    page.add_init_script(at_speed("instant"))
    page.goto(link)
    expect(page.get_by_role("heading", name="A new game")).to_be_visible(timeout=LIMIT * 1000)
    return page


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_continue_and_play_are_seen_without_scrolling(
    browser: Browser, link: str, width: int, height: int
) -> None:
    page = visit(browser, link, width, height)
    for each in (page.locator(".continue .go"), page.get_by_role("button", name="Play")):
        box = each.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
    expect(page.locator(".continue")).to_contain_text("Prší · Irma, Emil, Hugo")
    expect(page.locator(".play")).to_contain_text("Gin Rummy against Viktor")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for tile in page.locator(".tile").all():
        assert len(tile.locator("small").inner_text()) > 20, "every game has a sentence"
    assert "%" not in page.locator(".levels").inner_text()
    if width < 500:
        page.locator("input[name=level][value=grandmaster]").scroll_into_view_if_needed()
        expect(page.get_by_role("button", name="Play")).to_be_in_viewport()
    page.context.close()


def test_house_rules_are_switches_and_words(browser: Browser, link: str) -> None:
    page = visit(browser, link, 1280, 720)
    page.get_by_text("More: house rules").click()
    page.locator("house-rules summary").click()
    rules = page.locator("house-rules")
    expect(rules).to_contain_text("Usual: chance decides.")
    assert "-1" not in rules.inner_text()
    page.get_by_label("Players may knock").uncheck()
    expect(page.get_by_label("Gin ends the deal by itself")).to_be_checked()
    expect(page.locator(".play")).to_contain_text("house rules")
    spec = "document.querySelector('game-lobby').spec"
    assert page.evaluate(spec) == "gin:knock=0,automatic_gin=1"
    page.get_by_role("button", name="Back to the usual rules").click()
    assert page.evaluate(spec) == "gin"
    page.get_by_label("Who begins the first deal").select_option("you")
    assert page.evaluate(spec) == "gin:first_starter=0"
    page.context.close()


def test_the_last_choice_is_chosen_again_and_the_opponent_has_a_name(
    browser: Browser, link: str
) -> None:
    page = visit(browser, link, 1280, 720)
    page.locator("input[name=level][value=expert]").check(force=True)
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".baize", timeout=LIMIT * 1000)
    expect(page.locator(".player b")).to_have_text("Irma")
    for use in page.locator(".face use").all():
        name = str(use.get_attribute("href"))
        expect(page.locator(f"symbol{name}")).to_have_count(1)
    page.get_by_role("button", name="To the lobby").click()
    expect(page.locator("input[name=level][value=expert]")).to_be_checked()
    page.reload()
    expect(page.locator(".play")).to_contain_text("Gin Rummy against Irma")
    page.context.close()


def test_a_name_a_face_and_other_indices_are_kept(browser: Browser, link: str) -> None:
    page = visit(browser, link, 1280, 720)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Your name").fill("Eva")
    page.get_by_role("radio", name="owl").check(force=True)
    page.locator("input[name=settings-size][value=large]").check(force=True)
    page.locator("input[name=settings-letters][value=czech]").check(force=True)  # it loads again
    page.wait_for_selector(".play")
    expect(page.locator("html")).to_have_attribute("data-card-size", "large")
    page.locator("input[name=game][value=prsi]").check(force=True)
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".hand .slot", timeout=LIMIT * 1000)
    assert page.evaluate("document.querySelector('game-table').state.faces[0]") == "owl"
    over = "#german-OH use[href='#german-letter-Sv']"
    expect(page.locator(over)).to_have_count(1)
    expect(page.locator("#german-letter-Sv")).to_have_count(1)
    page.context.close()


def test_statistics_tell_a_story_first(browser: Browser, link: str) -> None:
    page = visit(browser, link, 390, 844)
    page.get_by_role("link", name="Statistics").click()
    story = page.locator(".story")
    expect(story).to_contain_text("You won 2 of 3 games.")
    expect(story).to_contain_text("Best streak: 2 games in a row.")
    expect(story).to_contain_text("Your knocks win 67 % of the time.")
    expect(page.locator("table")).to_have_count(0)
    page.get_by_label("All numbers, with intervals").check()
    expect(page.locator("table")).to_contain_text("95 % interval")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


def test_every_character_has_a_picture() -> None:
    drawn = {*faces.PEOPLE, *faces.ANIMALS, ROBOT}
    assert drawn >= {each.face for each in (*CHARACTERS.values(), *GUESTS)}
    assert faces.FILE.read_text("utf-8") == faces.sprite()
