"""One move at a time in a real browser, and nothing that jumps, vanishes or is cut off."""

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from web_page import LIMIT, at_speed, serving

pytestmark = pytest.mark.compiled
DESK = ViewportSize(width=1280, height=800)
SEED = 10**18
TABLE = "document.querySelector('game-table')"
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const { deal, ply, told, question } = document.querySelector('game-table').state;
    const last = window.seen.at(-1), at = performance.now();
    if (last?.deal !== deal || last?.ply !== ply)
      window.seen.push({ deal, ply, told: told.length, asks: Boolean(question), at });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Keeps each table that a frame has shown, with its time."""


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("motion"), SEED) as link:
        yield link


def sit_down(browser: Browser, link: str, game: str, players: int = 2, speed: str = "fast") -> Page:
    page = browser.new_context(viewport=DESK, reduced_motion="reduce").new_page()
    page.add_init_script(at_speed(speed))
    page.goto(link)
    page.get_by_role("radio", name=re.compile(f"^{game}")).check(force=True, timeout=LIMIT * 1000)
    if players > 2:
        page.locator(f"input[name=seats][value='{players}']").check(force=True)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(".baize", timeout=LIMIT * 1000)
    wait_for_turn(page)
    return page


def wait_for_turn(page: Page, limit: float = 30000) -> None:
    page.wait_for_selector(".baize:not(.busy)")
    ready = f"() => {TABLE}.state.question || {TABLE}.state.summary"
    page.wait_for_function(ready, timeout=limit)


def play_first(page: Page) -> None:
    """The first choice; the answer may still be shown."""
    ply = page.evaluate(f"{TABLE}.state.ply")
    first = f"{TABLE}.choices[0].more[0] ?? {TABLE}.choices[0]"
    page.evaluate(f"() => {TABLE}.play({first}, true)")
    page.wait_for_function(f"n => {TABLE}.state.ply !== n || {TABLE}.state.summary", arg=ply)


def seen(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.seen")
    return found


def drawn(page: Page) -> str:
    """The page as it is drawn, without the marks of the library that draws it."""
    found: str = page.evaluate("document.querySelector('undercut-app').outerHTML")
    return re.sub(r"\s+", " ", re.sub("<!--.*?-->", "", found))


def test_moves_are_shown_one_after_the_other(browser: Browser, link: str) -> None:
    """Four at the table: each click brings several moves, one's own forced ones too."""
    page = sit_down(browser, link, "Pharaoh", 4)
    page.evaluate(WATCH)
    for _ in range(4):
        play_first(page)
        wait_for_turn(page)
    steps = [*pairwise(seen(page))]
    assert {after["ply"] - before["ply"] for before, after in steps} == {1}
    assert {after["told"] - before["told"] for before, after in steps} == {1}
    pauses = [after["at"] - before["at"] for before, after in steps if not before["asks"]]
    assert len(pauses) > 8
    assert 200 < median(pauses) < 400, "milliseconds that a move is shown"
    page.context.close()


@pytest.mark.parametrize("way", ["click", "key", "reload"])
def test_who_skips_sees_the_table_as_it_is_drawn_anew(
    browser: Browser, link: str, way: str
) -> None:
    page = sit_down(browser, link, "Pharaoh", 4, speed="slow")
    for _ in range(3):
        play_first(page)
        ply = page.evaluate(f"{TABLE}.state.ply")
        assert not page.evaluate(f"{TABLE}.state.question"), "the moves are still shown"
        if way == "click":
            page.locator(".pile").first.click()
        elif way == "key":
            page.keyboard.press("d")
        else:
            page.reload()
            page.wait_for_selector(".baize")
        wait_for_turn(page, 1000)
        assert page.evaluate(f"{TABLE}.state.ply") > ply
        skipped = drawn(page)
        page.reload()
        page.wait_for_selector(".baize:not(.busy)")
        assert drawn(page) == skipped
        assert page.evaluate(f"{TABLE}.state.question"), "the click or key has played nothing"
    page.context.close()


def test_the_speed_is_a_setting_that_is_kept(browser: Browser, link: str) -> None:
    page = sit_down(browser, link, "Pharaoh", 4, speed="normal")
    page.locator("button.gear").click()
    page.locator("input[name=settings-speed][value=instant]").check(force=True)
    page.keyboard.press("Escape")
    page.evaluate(WATCH)
    play_first(page)
    assert page.evaluate(f"{TABLE}.state.question || {TABLE}.state.summary")
    assert len(seen(page)) == 2
    page.reload()
    page.locator("button.gear").click()
    expect(page.locator("input[name=settings-speed][value=instant]")).to_be_checked()
    page.context.close()
