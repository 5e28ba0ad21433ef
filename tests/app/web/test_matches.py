"""Matches at a real browser, by mouse, by keyboard alone, and on a phone.

In the middle of each the page is loaded again, and of one the server is killed. Every kind of
screen is checked for barriers, in light and in dark.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from web_page import LIMIT, at_speed, start_server

pytestmark = pytest.mark.compiled
SEED = 10**18
SOON = 30  # seconds, for whatever needs nothing compiled
MOVES = 400  # more than any of these matches has
DESK, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=360, height=740)
TABLE = "document.querySelector('game-table')"


class Case(NamedTuple):
    """A match, and how it is played."""

    title: str
    length: tuple[str, str]  # the field that says how long it is, and what is put there
    players: int = 2
    way: str = "mouse"
    size: ViewportSize = DESK
    moves: int = MOVES  # how far it is played


SHORT, ONE_DEAL = ("Points that win the match", "10"), ("Deals in a match", "1")
GAMES = {
    "gin": Case("Gin Rummy", SHORT),
    "distilled": Case("Distilled Gin", SHORT, way="keyboard"),
    "rummy": Case("Rummy", SHORT, size=PHONE),
    "rummy-classic": Case("Classic Rummy", SHORT, way="keyboard"),
    "pharaoh": Case("Pharaoh", ONE_DEAL, 4, way="keyboard"),
    "prsi": Case("Prší", ONE_DEAL, 3, size=PHONE),
}
"""UNDERCUT_EVERY_WAY=1 plays each to its end in every way, which takes minutes."""

VARIANTS = {"distilled", "rummy-classic", "prsi"}  # the same tables with other rules
CASES = {name: game for name, game in GAMES.items() if name not in VARIANTS}
CASES["rummy"] = CASES["rummy"]._replace(moves=12)  # its matches are long
if os.environ.get("UNDERCUT_EVERY_WAY"):
    for name, game in GAMES.items():
        for way, size in (("mouse", DESK), ("keyboard", DESK), ("mouse", PHONE)):
            CASES[f"{name}-{way}-{size['width']}"] = game._replace(way=way, size=size)
KILLED, LOBBY = CASES["gin"], (CASES["gin"], CASES["rummy"])  # where more is tried


class Servers:
    """A server that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.start(SEED)

    def start(self, seed: int) -> None:
        self._process, self.link = start_server(self._folder, seed)

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    servers = Servers(tmp_path_factory.mktemp("matches"))
    yield servers
    servers.kill()


def visit(browser: Browser, link: str, size: ViewportSize) -> Page:
    page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
    page.add_init_script(at_speed("instant"))
    page.set_default_timeout(SOON * 1000)
    page.on("pageerror", lambda error: pytest.fail(f"the page fails: {error}"))
    page.goto(link)
    expect(page.get_by_role("heading", name="A new game")).to_be_visible(timeout=LIMIT * 1000)
    return page


def sit_down(page: Page, case: Case) -> None:
    page.locator("label.tile", has=page.locator(f"b:text-is('{case.title}')")).click()
    if case.players > 2:
        page.locator(f"input[name=seats][value='{case.players}']").check(force=True)
    page.get_by_label(case.length[0]).fill(case.length[1])
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".baize", timeout=LIMIT * 1000)
    wait_for_turn(page)


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(f"{TABLE}.state")
    return found


def wait_for_turn(page: Page) -> None:
    page.wait_for_selector(".baize:not(.busy)")
    page.wait_for_function(f"() => {TABLE}.state.question || {TABLE}.state.summary")


def favourite(table: dict[str, Any]) -> dict[str, Any]:
    """What ends a match soon: a knock, a meld, a card; to draw only where nothing else is."""
    offered = [each for group in table["question"]["groups"] for each in group["choices"]]
    words = ["knock", "meld", "lay", "play", "discard", "take", "draw"]

    def place(choice: dict[str, Any]) -> int:
        return next((at for at, word in enumerate(words) if choice["action"].startswith(word)), 99)

    chosen: dict[str, Any] = min(offered, key=place)
    return chosen


def by_mouse(page: Page, choice: dict[str, Any]) -> None:
    button = f".bar [data-action='{choice['action']}']"
    held = [card for card in choice["cards"] if page.locator(f".hand [data-card='{card}']").count()]
    if not page.locator(button).count() and not held:
        page.locator(".pile .slot[aria-disabled=false]").first.click()
        return
    if not page.locator(button).count():
        for card in held:
            page.locator(f".hand [data-card='{card}']").click(position={"x": 8, "y": 30})
    page.locator(button).first.click()


def by_keyboard(page: Page, choice: dict[str, Any]) -> None:
    if choice["key"] and not choice["cards"]:
        page.keyboard.press(choice["key"])
        return
    button = f".bar [data-action='{choice['action']}']"
    held = [card for card in choice["cards"] if page.locator(f".hand [data-card='{card}']").count()]
    if not page.locator(button).count():
        for card in held:
            walk_to(page, f".hand [data-card='{card}']")
            page.keyboard.press("Enter")
    target = button if page.locator(button).count() else ".pile .slot[aria-disabled=false]"
    walk_to(page, target)
    page.keyboard.press("Enter")


def walk_to(page: Page, selector: str) -> None:
    """With the arrows alone: down to the row, then along it."""
    rows = "document.activeElement.closest('.centre, .hand, .bar')"
    for _ in range(4):
        row = f"{rows}?.contains(document.querySelector(`{selector}`))"
        if page.evaluate(row):
            break
        page.keyboard.press("ArrowDown")
    for _ in range(30):
        if page.evaluate(f"document.activeElement === document.querySelector(`{selector}`)"):
            return
        page.keyboard.press("ArrowRight")
    pytest.fail(f"the arrows do not lead to {selector}")


WAYS: dict[str, Callable[[Page, dict[str, Any]], None]] = {
    "mouse": by_mouse,
    "keyboard": by_keyboard,
}


def make_move(page: Page, way: str) -> None:
    """Whatever is next: a choice, what it still asks for, or the next deal."""
    table = state(page)
    if table["summary"]:
        if way == "keyboard":
            page.keyboard.press("n")
        else:
            page.locator(".next").click()
        page.wait_for_function(f"() => !{TABLE}.state.summary")
    else:
        WAYS[way](page, favourite(table))
        if page.evaluate(f"{TABLE}.asking !== null"):
            more = page.evaluate(f"{TABLE}.asking.more[0].action")
            WAYS[way](page, {"action": more, "cards": [], "key": ""})
        page.wait_for_function(
            f"n => {TABLE}.state.ply !== n || {TABLE}.state.is_over", arg=table["ply"]
        )
    wait_for_turn(page)


def assert_no_barriers(page: Page) -> None:
    """Nothing serious, in light and in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not serious, [(each["id"], each["nodes"][0]["html"][:200]) for each in serious]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


def assert_fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_match(browser: Browser, servers: Servers, case: Case) -> None:
    page = visit(browser, servers.link, case.size)
    if case in LOBBY:
        assert_no_barriers(page)
    sit_down(page, case)
    assert_fits(page)
    assert_no_barriers(page)
    for move in range(case.moves):
        table = state(page)
        if table["is_over"]:
            break
        if move == 2:
            page.reload()
            wait_for_turn(page)
            assert state(page) == table
        if move == 4 and case is KILLED:
            start_again(servers, page)
            assert state(page) == table
        if move == 3 and case.way == "keyboard":
            page.keyboard.press("?")
            expect(page.locator(".side")).to_contain_text("Help")
        make_move(page, case.way)
    assert_fits(page)
    if case.moves == MOVES:
        expect(page.locator(".over h2")).to_contain_text(re.compile("the match|share the win"))
        assert_no_barriers(page)
    page.context.close()


def start_again(servers: Servers, page: Page) -> None:
    """Kill the server; the page says so, and goes on by itself when the next one has started."""
    link = servers.link
    servers.kill()
    expect(page.locator(".lost")).to_be_visible()
    servers.start(SEED + 100)
    assert servers.link == link, "the key and the port are kept with the games"
    expect(page.locator(".lost")).to_have_count(0, timeout=LIMIT * 1000)
    wait_for_turn(page)


def test_two_people_in_two_browsers(browser: Browser, servers: Servers) -> None:
    owner = visit(browser, servers.link, DESK)
    owner.get_by_text("More: house rules").click()
    owner.locator("input[name=people][value='2']").check(force=True)
    owner.get_by_role("button", name="Play").click()
    link = owner.locator("guest-links input").input_value(timeout=LIMIT * 1000)
    assert_no_barriers(owner)
    owner.get_by_role("button", name="To the table").click()
    guest = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    guest.add_init_script(at_speed("instant"))
    guest.set_default_timeout(SOON * 1000)
    guest.goto(link)
    guest.wait_for_selector(".baize")
    assert "key=" not in guest.url
    expect(guest.get_by_role("button", name="To the lobby")).to_have_count(0)
    pages = {0: owner, 1: guest}
    for _ in range(6):
        table = state(owner)
        mover, waits = pages[table["on_turn"]], pages[1 - table["on_turn"]]
        expect(waits.locator(".awaited")).to_be_visible()
        by_mouse(mover, favourite(state(mover)))
        for page in pages.values():  # the one who waits sees it without doing anything
            page.wait_for_function(f"n => {TABLE}.state.ply !== n", arg=table["ply"])
    assert_no_barriers(guest)
    for page in pages.values():
        page.context.close()
