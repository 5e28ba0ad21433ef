"""A person at a real browser: the lobby, cards that are dragged, and what is after a match."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from undercut.app.session import Session
from undercut.app.store import Kept, Store
from undercut.games.families import parse_game
from web_page import LIMIT, at_speed, serving

SOON = 30  # seconds, for whatever needs nothing compiled

DESK = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=360, height=740)
SEED = 10**18


def visit(browser: Browser, link: str, size: ViewportSize) -> tuple[Page, list[str]]:
    """A page in the lobby, and a list of all that it complains about."""
    page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
    page.add_init_script(at_speed("instant"))
    page.set_default_timeout(SOON * 1000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda each: complaints.append(each.text) if each.type == "error" else None)
    page.goto(link)
    expect(page.get_by_role("heading", name="A new game")).to_be_visible(timeout=LIMIT * 1000)
    assert "key=" not in page.url
    return page, complaints


def sit_down(page: Page, game: str = "Gin Rummy", level: str = "beginner") -> None:
    page.get_by_role("radio", name=re.compile(f"^{game}")).check(force=True)
    page.locator(f"input[value={level}]").check(force=True)
    page.get_by_label("Points that win the match").fill("500")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".baize", timeout=LIMIT * 1000)


def ply(page: Page) -> int:
    found: int = page.evaluate("document.querySelector('game-table').state.ply")
    return found


def wait_for_table(page: Page) -> None:
    page.wait_for_selector(".baize:not(.busy)")
    table = "document.querySelector('game-table').state"
    page.wait_for_function(f"() => {table}.question || {table}.summary")


def told(page: Page) -> list[str]:
    """What was done in the deal on the table, also when it is over."""
    found: list[str] = page.evaluate("document.querySelector('game-table').state.told")
    return found


def drag(page: Page, start: str, end: str, across: int = 0) -> None:
    """From one element to the middle of another, or beside that."""
    begun, ended = (page.locator(each).first.bounding_box() for each in (start, end))
    assert begun is not None
    assert ended is not None
    page.mouse.move(begun["x"] + 12, begun["y"] + 25)
    page.mouse.down()
    x, y = ended["x"] + ended["width"] / 2 + across, ended["y"] + ended["height"] / 2
    page.mouse.move(x, y, steps=5)
    page.mouse.up()


def hand(page: Page) -> list[str]:
    return [str(each.get_attribute("data-card")) for each in page.locator(".hand .slot").all()]


def test_the_lobby_the_hand_and_looking_back(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, SEED) as link:
        page, complaints = visit(browser, link, DESK)
        set_the_lobby(page)
        sit_down(page, "Rummy", "beginner")
        wait_for_table(page)
        drag_cards(page)
        look_back(page)
        play_again(page)
        assert complaints == []
        page.context.close()


def set_the_lobby(page: Page) -> None:
    expect(page.locator("input[value=skilled]")).to_be_checked()
    page.get_by_text("More: house rules").click()
    page.get_by_text("Opponents by name").click()
    field = page.locator("named-opponents input")
    field.fill("nobody")
    field.press("Tab")
    expect(page.locator(".about.wrong")).to_contain_text("unknown opponent 'nobody'")
    field.fill("")
    field.press("Tab")
    page.get_by_text("Words of your own").click()
    expect(page.locator("own-words code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    page.get_by_label("Your words").fill("a black cat")
    page.get_by_role("button", name="Settings").click()
    page.locator("input[name=settings-theme][value=dark]").check(force=True)
    page.locator("input[name=settings-colours][value=two]").check(force=True)
    page.keyboard.press("Escape")
    chosen = page.evaluate("({...document.documentElement.dataset})")
    looks = {"theme": "dark", "cardTheme": "light", "cardColours": "two", "cardSize": "normal"}
    assert chosen == looks


def drag_cards(page: Page) -> None:
    """Put the last card first, and on by keyboard; draw, throw; what is not allowed goes back."""
    cards = hand(page)
    drag(page, f".hand [data-card='{cards[-1]}']", ".hand .slot", across=-25)
    assert hand(page) == [cards[-1], *cards[:-1]]
    page.locator(f".hand [data-card='{cards[-1]}']").focus()
    page.keyboard.press("Shift+ArrowRight")
    cards = [cards[0], cards[-1], *cards[1:-1]]
    assert hand(page) == cards
    drag(page, f".hand [data-card='{cards[0]}']", ".pile[data-zone=pile]")
    assert hand(page) == cards, "before a draw nothing can be thrown"
    drag(page, ".pile[data-zone=stock] [data-drag]", ".hand")
    expect(page.locator(".hand .slot")).to_have_count(len(cards) + 1)
    assert hand(page)[:-1] == cards, "what was put in order stays so"
    drag(page, f".hand [data-card='{cards[0]}']", ".pile[data-zone=pile]")
    expect(page.locator(f".hand [data-card='{cards[0]}']")).to_have_count(0)
    wait_for_table(page)
    assert hand(page)[: len(cards) - 1] == cards[1:]
    page.locator(".look-through").click()
    expect(page.locator("dialog[open] card-view").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def look_back(page: Page) -> None:
    last, moves = ply(page), told(page)
    page.get_by_role("button", name="Look back").click()
    expect(page.locator("look-back")).to_be_visible()
    page.wait_for_function("() => document.querySelector('game-table').state.ply === 0")
    page.keyboard.press("End")
    page.wait_for_function("n => document.querySelector('game-table').state.ply === n", arg=last)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "n => document.querySelector('game-table').state.ply === n", arg=last - 1
    )
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('game-table').state.ply === 0")
    assert told(page) == []
    page.get_by_role("slider").fill("1")
    page.wait_for_function("() => document.querySelector('game-table').state.ply === 1")
    assert page.url.endswith("#1/1/1"), "each ply has a link"
    page.reload()
    expect(page.locator("look-back")).to_be_visible()
    page.wait_for_function("() => document.querySelector('game-table').state.ply === 1")
    page.keyboard.press("Escape")
    expect(page.locator("look-back")).to_have_count(0)
    assert (ply(page), told(page)) == (last, moves)
    assert page.url.endswith("#1")


def play_again(page: Page) -> None:
    expect(page.get_by_role("button", name="Same deal again")).to_have_count(0)
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("button", name="Points").click()
    page.get_by_role("button", name="Check it").last.click()
    expect(page.locator(".side")).to_contain_text("They agree.")
    pledge = page.evaluate("document.querySelector('game-table').state.pledge")
    command = f"undercut verify {pledge['seed']} {pledge['salt']} {pledge['seal']}"
    expect(page.locator(".side")).to_contain_text(f"Seal opened: {command}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to a file").click()
    assert download.value.suggested_filename == "undercut-1.jsonl"
    page.get_by_role("button", name="Change seats").click()
    expect(page.locator(".rail")).to_contain_text("training")
    assert page.evaluate("document.querySelector('game-table').state.seat") == 1
    page.get_by_role("button", name="To the lobby").click()
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    expect(page.locator("main")).to_contain_text("1 game was left before its end")


def test_a_page_speaks_as_its_browser_or_as_it_is_told(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as link:
        page = browser.new_context(locale="cs-CZ", viewport=PHONE).new_page()
        page.set_default_timeout(SOON * 1000)
        page.goto(link)
        expect(page.get_by_role("heading", name="Nová hra")).to_be_visible(timeout=LIMIT * 1000)
        expect(page.locator("html")).to_have_attribute("lang", "cs")
        expect(page.get_by_text("2–8 hráčů").first).to_be_visible()
        page.locator("button.gear").click()
        page.locator("input[name=settings-language][value=sk]").click()
        expect(page.get_by_role("button", name="Hrať")).to_be_visible()
        page.reload()
        expect(page.get_by_role("button", name="Hrať")).to_be_visible()
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        page.context.close()


def knocked_on(folder: Path) -> int:
    """A stored game in which the opponent has knocked, and a card can be laid off."""
    store, game = Store(folder), parse_game("gin")
    for seed in range(200):
        stored = store.begin(game, ["you", "beginner"], seed)
        session = Session.at(Kept(store, stored).host, 0)
        while session.choices() and not session.choices()[0].startswith(("meld", "lay")):
            session.play(session.choices()[0])
        if any(choice.startswith("lay ") for choice in session.choices()):
            store.close()
            return stored.number
    pytest.fail("beginner never knocked so that something could be laid off")


def hint_is_awaited(page: Page) -> None:
    """A page that has asked for a hint says so, until it comes."""
    page.evaluate(
        "() => { const { wire } = document.querySelector('undercut-app'); wire.send = () => true; }"
    )
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_contain_text("The adviser is thinking")
    page.evaluate("() => { delete document.querySelector('undercut-app').wire.send; }")
    page.keyboard.press("h")
    limit = LIMIT * 1000  # the evaluator may compile first
    expect(page.locator(".hint")).to_contain_text(" points on average", timeout=limit)


def test_a_click_that_gives_points_away_is_asked_about_and_one_key_lays_down_the_best(
    browser: Browser, tmp_path: Path
) -> None:
    number = knocked_on(tmp_path)
    with serving(tmp_path) as link:
        page, complaints = visit(browser, link, DESK)
        page.evaluate(f"location.hash = '#{number}'")
        page.wait_for_selector(".bar button", timeout=LIMIT * 1000)
        before, doubt = ply(page), page.get_by_role("alertdialog", name="Are you sure?")
        hint_is_awaited(page)
        first = page.locator(".bar button").first
        expect(first).to_contain_text("lay down the best way")
        page.locator("[data-action=done]").click()
        expect(doubt).to_contain_text("points more deadwood than you need")
        expect(doubt.get_by_role("button", name="Choose again")).to_be_focused()
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        expect(doubt).to_have_count(0)
        assert ply(page) == before, "nothing has been played"
        least = int(re.findall(r"\d+", first.inner_text())[-1])
        page.keyboard.press("a")
        page.wait_for_selector(".after")
        shown = page.evaluate("document.querySelector('game-table').state.summary.areas")
        mine = next(area for area in shown if area["seat"] == 0)
        assert mine["note"] == f"deadwood {least}"
        expect(page.locator(".over .told")).to_contain_text(" − ")
        expect(page.locator(".lying [data-role=meld][data-tag]")).not_to_have_count(0)
        expect(page.locator(".lying [data-role=added]")).not_to_have_count(0)
        expect(page.locator(f".hand [data-role=loose][data-tag='deadwood {least}']")).to_have_count(
            1 if least else 0
        )
        page.get_by_role("button", name="Points").click()
        (deal,) = page.evaluate("document.querySelector('game-table').state.deals")
        command = f"undercut verify {deal['seed']} {deal['salt']} {deal['commitment']}"
        expect(page.locator(".side")).to_contain_text(f"Seal opened: {command}")
        assert complaints == []
        page.context.close()
