"""The review and the coach in a real browser: one click each, also for screen readers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.games.families import parse_game
from undercut.play.agent import Random
from undercut.players.catalog import parse_agent
from web_page import LIMIT, at_speed, serving
from web_table import DESK, PHONE, TABLE

pytestmark = pytest.mark.compiled
WAIT = LIMIT * 1000
CAUGHT = """() => {
  const { wire } = document.querySelector('undercut-app'), send = wire.send.bind(wire);
  const keep = (message) => Boolean(window.judged = message);
  wire.send = (message) => message.kind === 'judge' ? keep(message) : send(message);
}"""
"""Keeps the question to the tutor; the test answers it."""


def keep_game(folder: Path, spec: str, moves: int, leaves: bool = False) -> int:
    """A stored game in which chance has played for the person, at most to the end of a deal."""
    store, game = Store(folder), parse_game(spec)
    stored = store.begin(game, ["you", "beginner"], 5, training=False)
    kept = Kept(store, stored)
    session = Session.beside(kept.host, 0)
    session.go_on()
    agent, random = parse_agent("random", game), Random.from_seed(1)
    for _ in range(moves):
        if not session.is_deal_over:
            view = session.view()
            action = agent.act(view.record, view.actions, random)  # type: ignore[union-attr]
            session.play(game.notation.format_action(action))
    if leaves:
        session.leave()
    kept.note()
    store.close()
    return stored.number


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("reviews")
    assert [keep_game(folder, "prsi:max_moves=50", moves) for moves in (500, 2)] == [1, 2]
    assert keep_game(folder, "gin", 500, leaves=True) == 3
    with serving(folder, 1) as link:
        yield link


def at_table(browser: Browser, link: str, number: int, size: object = DESK) -> Page:
    page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
    page.add_init_script(at_speed("instant"))
    page.goto(link)
    page.wait_for_selector(".lobby", timeout=WAIT)
    page.evaluate(f"location.hash = '#{number}'")
    page.wait_for_selector(".baize:not(.busy)", timeout=WAIT)
    return page


def assert_accessible(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    serious = [each["id"] for each in found if each["impact"] in ("serious", "critical")]
    assert not serious, found


def test_one_click_from_a_lost_deal_to_its_errors_and_back_to_the_move(
    browser: Browser, link: str
) -> None:
    page = at_table(browser, link, 1)
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".review .story")).to_contain_text("Your errors".lower(), timeout=WAIT)
    page.wait_for_selector(".review progress", state="detached", timeout=WAIT)
    assert_accessible(page)
    page.get_by_label("Everybody's errors").check()
    errors = page.locator(".errors li")
    assert errors.count() > 0, "random play errs"
    page.get_by_label("Hide the better moves").check()
    assert page.get_by_text("Better:").count() == 0
    page.get_by_role("button", name="What would have been better?").first.click()
    expect(page.get_by_text("Better:")).to_have_count(1)
    errors.first.get_by_role("button", name="Look at it").click()
    page.wait_for_selector("look-back", timeout=WAIT)
    page.go_back()
    expect(page.locator(".review .story")).to_be_visible()
    page.get_by_role("button", name="‹ Table").click()
    page.wait_for_selector(".baize")


def test_the_coach_lists_moves_and_maps_cards_on_a_phone(browser: Browser, link: str) -> None:
    page = at_table(browser, link, 2, PHONE)
    page.get_by_role("button", name="Coach").click()
    page.get_by_role("button", name="What is each move worth?").click()
    page.wait_for_selector(".advised li", timeout=WAIT)
    choices = page.evaluate(
        f"{TABLE}.choices.flatMap((each) => each.more.length ? each.more : [each]).length"
    )
    expect(page.locator(".advised li")).to_have_count(choices)
    page.get_by_role("button", name="Where are the cards?").click()
    expect(page.locator(".belief tbody tr")).to_have_count(8)
    assert_accessible(page)
    page.context.close()


def test_the_tutor_asks_once_before_an_error_and_plays_what_one_insists_on(
    browser: Browser, link: str
) -> None:
    page = at_table(browser, link, 2)
    chosen = "{ speed: 'instant', tutor: 'everything' }"
    page.evaluate(f"localStorage['undercut.settings'] = JSON.stringify({chosen})")
    page.reload()
    page.wait_for_selector(".baize:not(.busy)", timeout=WAIT)
    ply = page.evaluate(f"{TABLE}.state.ply")
    page.evaluate(CAUGHT)
    page.evaluate(f"{TABLE}.play({TABLE}.choices[0].more[0] ?? {TABLE}.choices[0])")
    action = page.evaluate("window.judged.action")
    page.evaluate(f"{TABLE}.judged({{ ply: {ply}, action: '{action}', error: 'mistake' }})")
    dialog = page.get_by_role("alertdialog", name="Are you sure?")
    expect(dialog).to_contain_text("There is a better move.")
    dialog.get_by_role("button", name="Yes").click()
    page.wait_for_function(f"n => {TABLE}.state.ply > n", arg=ply)
    page.context.close()


def test_a_mistake_is_mended_by_keyboard_and_its_puzzle_comes_back_another_day(
    browser: Browser, link: str
) -> None:
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
    page.add_init_script(at_speed("instant"))
    page.goto(link)
    page.wait_for_selector(".lobby", timeout=WAIT)
    page.evaluate("location.hash = '#1/review'")
    page.wait_for_selector(".review progress", state="attached", timeout=WAIT)
    page.wait_for_selector(".review progress", state="detached", timeout=WAIT)
    page.get_by_role("button", name="Learn from your mistakes").click()
    expect(page.locator(".practice .first")).to_contain_text("due")
    assert_accessible(page)
    due = page.evaluate("document.querySelector('my-practice').state.due")
    page.get_by_role("button", name="Solve puzzles").press("Enter")
    expect(page.locator(".puzzle")).to_contain_text("Find a better move.")
    assert_accessible(page)
    ply = page.evaluate(f"{TABLE}.state.ply")
    assert page.get_by_text("Better:").count() == 0
    page.keyboard.press("x")
    expect(page.locator(".puzzle")).to_contain_text("Better:", timeout=WAIT)
    expect(page.locator(".choices button")).to_have_count(0)
    assert_accessible(page)
    page.keyboard.press("n")
    if due > 1:
        page.wait_for_function(f"ply => {TABLE}.state.ply !== ply", arg=ply)
        page.get_by_role("button", name="To the puzzles").click()
    expect(page.locator(".practice .first")).to_contain_text(
        f"{due - 1} of {due}" if due > 1 else "Nothing is due until"
    )
    page.context.close()


def test_another_move_is_played_out_from_a_look_back(browser: Browser, link: str) -> None:
    page = at_table(browser, link, 1, PHONE)
    page.evaluate("location.hash = '#1/1/0'")
    page.wait_for_selector("look-back", timeout=WAIT)
    chosen = page.get_by_label("What if …")
    while not chosen.count():
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(200)
    chosen.select_option(index=1)
    summary = page.get_by_text("How it would have gone on")
    expect(summary).to_be_visible(timeout=WAIT)
    assert page.locator(".what-if b").inner_text().startswith("You ")
    summary.click()
    expect(page.locator(".what-if li").first).to_be_visible()
    assert_accessible(page)
    page.context.close()


def test_a_hidden_card_is_guessed_by_keyboard(browser: Browser, link: str) -> None:
    page = at_table(browser, link, 2, PHONE)
    page.evaluate("location.hash = '#practice'")
    page.get_by_role("button", name="Guess the cards").press("Enter")
    sheet = page.locator(".reading")
    expect(sheet).to_contain_text("Which of these cards does", timeout=WAIT)
    expect(sheet.locator(".guesses button")).to_have_count(5)
    assert page.locator(".choices button").count() == 0, "nobody plays on"
    assert_accessible(page)
    box = sheet.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    cards = page.evaluate("document.querySelector('reading-sheet').reading.cards")
    page.keyboard.press("3")
    expect(sheet.locator(".told")).to_be_visible(timeout=WAIT)
    guessed = page.evaluate("document.querySelector('reading-sheet').guessed")
    assert guessed["card"] == cards[2]
    is_right = guessed["held"] == cards[2]
    expect(sheet.locator(".told")).to_contain_text("Right" if is_right else "No")
    expect(sheet.locator(".guess")).to_have_count(5)
    expect(sheet.locator(".guess.held")).to_contain_text("%")
    expect(sheet).to_contain_text(f"Right: you {int(is_right)} of 1, the coach")
    assert_accessible(page)
    page.keyboard.press("n")
    expect(sheet.locator(".guesses button")).to_have_count(5)
    expect(sheet.locator(".told")).to_have_count(0)
    sheet.locator(".guesses button").first.click()
    expect(sheet).to_contain_text("of 2, the coach")
    page.get_by_role("button", name="To the puzzles").click()
    expect(page.locator(".practice")).to_be_visible()
    page.context.close()
