"""One move at a time in a real browser, and nothing that jumps, vanishes or is cut off."""

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

import web_table
from web_page import LIMIT, serving
from web_table import TABLE, play_first, wait_for_turn

pytestmark = pytest.mark.compiled
SEED = 10**18
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const { deal, ply, told, question } = document.querySelector('game-table').state;
    const last = window.seen.at(-1), at = performance.now();
    const turns = [...document.querySelectorAll('.turn b')].map((name) => name.textContent);
    if (last?.deal !== deal || last?.ply !== ply)
      window.seen.push({ deal, ply, told: told.length, asks: Boolean(question), at, turns });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Keeps each table that a frame has shown, with its time."""


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("motion"), SEED) as link:
        yield link


def sit_down(
    browser: Browser, link: str, game: str, players: int = 2, speed: str = "instant"
) -> Page:
    page = web_table.sit_down(browser, link, game, players, speed)
    wait_for_turn(page)
    return page


def seen(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.seen")
    return found


def drawn(page: Page) -> str:
    """The page as it is drawn, without the marks of the library that draws it."""
    found: str = page.evaluate("document.querySelector('undercut-app').outerHTML")
    return re.sub(r"\s+", " ", re.sub("<!--.*?-->", "", found))


def test_moves_are_shown_one_after_the_other(browser: Browser, link: str) -> None:
    """Four at the table: each click brings several moves, one's own forced ones too."""
    page = sit_down(browser, link, "pharaoh", 4, "fast")
    page.evaluate(WATCH)
    for _ in range(4):
        play_first(page)
        wait_for_turn(page)
    steps = [*pairwise(seen(page))]
    assert {after["ply"] - before["ply"] for before, after in steps} == {1}
    assert {after["told"] - before["told"] for before, after in steps} == {1}
    waited = [before["turns"] for before, _ in steps]
    assert {len(each) for each in waited} == {1}, "one seat glows"
    assert len({each[0] for each in waited}) > 2
    pauses = [after["at"] - before["at"] for before, after in steps if not before["asks"]]
    assert len(pauses) > 8
    assert 200 < median(pauses) < 400, "milliseconds that a move is shown"
    page.context.close()


@pytest.mark.parametrize("way", ["click", "key", "reload"])
def test_who_skips_sees_the_table_as_it_is_drawn_anew(
    browser: Browser, link: str, way: str
) -> None:
    page = sit_down(browser, link, "pharaoh", 4, speed="slow")
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
    page = sit_down(browser, link, "pharaoh", 4, speed="normal")
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


WATCH_PLACES = """() => {
  window.shifts = [];
  window.dimmed = 0;
  const named = ({ node }) => `${node?.nodeName}.${node?.className}`;
  const note = ({ value, sources }) => window.shifts.push([value, ...sources.map(named)]);
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
  observer.observe({ type: 'layout-shift' });
  const look = () => {
    const hand = document.querySelector('.hand');
    if (hand && getComputedStyle(hand).opacity !== '1') window.dimmed += 1;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Keeps whatever the browser says has jumped, and counts the frames with a dim hand."""
MARK = """document.querySelectorAll('.hand [data-card]').forEach((slot) => {
  slot.was = slot.dataset.card;
})"""
KEPT = """() => [...document.querySelectorAll('.hand [data-card]')]
  .filter((slot) => slot.was).map((slot) => [slot.was, slot.dataset.card])"""


@pytest.mark.parametrize("game", ["gin", "rummy", "prsi"])
def test_nothing_jumps_or_vanishes_in_a_deal(browser: Browser, link: str, game: str) -> None:
    """Cards that stay in the hand stay the same elements, and no picture is loaded again."""
    page, moves = sit_down(browser, link, game), 0
    pictures: list[str] = []
    page.on("request", lambda request: pictures.append(request.url))
    page.mouse.move(640, 790)
    page.evaluate(WATCH_PLACES)
    while moves < 40 and not page.evaluate(f"{TABLE}.state.summary"):
        before = set(hand(page))
        page.evaluate(MARK)
        if moves == 2:
            page.keyboard.press("h")
            expect(page.locator(".hint")).to_contain_text(
                " points on average", timeout=LIMIT * 1000
            )
        play_first(page)
        wait_for_turn(page)
        if page.locator(".hand").count():
            kept = page.evaluate(KEPT)
            assert {was for was, _ in kept} == before & set(hand(page))
            assert all(was == card for was, card in kept)
        moves += 1
    assert moves > 3
    assert page.evaluate("window.shifts") == []
    assert page.evaluate("window.dimmed") == 0
    assert pictures == []
    page.context.close()


def hand(page: Page) -> list[str]:
    return [str(each.get_attribute("data-card")) for each in page.locator(".hand .slot").all()]


HELD = """count => {
  const app = document.querySelector('undercut-app'), table = structuredClone(app.table);
  const cards = Object.keys(table.pack.names).slice(0, count);
  const suits = [...Map.groupBy(cards, (card) => card.at(-1)).values()];
  const hand = table.areas.find(({ kind }) => kind === 'hand'), [part] = hand.parts;
  hand.parts = suits.map((cards) => ({ ...part, cards }));
  table.orders = table.orders.map((order) => ({ ...order, groups: suits }));
  app.table = table;
}"""
"""Puts so many cards of the pack into the hand."""
HIDDEN = """() => [...document.querySelectorAll('.hand .slot')].filter((slot) => {
  const { left, top, right, bottom } = slot.getBoundingClientRect();
  const index = document.elementFromPoint(left + 9, top + 12), rank = slot.contains(index);
  return !rank || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).map((slot) => slot.dataset.card)"""
"""The cards that do not lie wholly in the window, or whose rank is covered."""
SCROLLS = """(() => {
  const { scrollHeight, clientHeight } = document.querySelector('.felt');
  return scrollHeight - clientHeight;
})()"""
SIZES = [(1024, 600), (1280, 800), (360, 640), (390, 844), (1366, 650)]
CARD_SIZES = ["small", "normal", "large"]
LARGEST = {"gin": 11, "rummy": 11, "prsi": 30}  # in prsi all but the upcard and the opponent's last


@pytest.mark.parametrize("game", LARGEST)
def test_every_hand_is_wholly_visible(browser: Browser, link: str, game: str) -> None:
    """Also the piles: nothing above the hand has to be scrolled."""
    page = sit_down(browser, link, game)
    for count in sorted({1, 5, 8, 10, 11, 17, 24, LARGEST[game]}):
        if count > LARGEST[game]:
            continue
        page.evaluate(HELD, count)
        expect(page.locator(".hand .slot")).to_have_count(count)
        for width, height in SIZES:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            page.evaluate(f"{TABLE}.panel = innerWidth > 900 ? 'moves' : ''")
            page.evaluate(f"{TABLE}.updateComplete")
            for size in CARD_SIZES:
                page.evaluate("size => { document.documentElement.dataset.cardSize = size; }", size)
                assert page.evaluate(HIDDEN) == [], (count, width, height, size)
                assert page.evaluate(SCROLLS) <= 0, (count, width, height, size)
    page.context.close()


def test_below_a_card_that_is_taken_lies_the_one_before(browser: Browser, link: str) -> None:
    """The pile is drawn empty only when it is."""
    page, top = sit_down(browser, link, "gin"), ".pile[data-zone=pile]"
    while len(below := page.evaluate(BELOW)) < 2:
        play_first(page)
        wait_for_turn(page)
    page.keyboard.press("t")
    wait_for_turn(page)
    expect(page.locator(f"{top} [data-lies='{below[-2]}']")).to_have_count(1)
    expect(page.locator(f"{top} .empty")).to_have_count(0)
    page.context.close()


BELOW = """(() => {
  const { state, choices } = document.querySelector('game-table');
  const mayTake = choices.some(({ action }) => action === 'take');
  return mayTake ? state.areas.flatMap(({ parts }) => parts.flatMap(({ below }) => below)) : [];
})()"""
"""The pile, if its top card may be taken."""


def test_one_card_more_changes_no_size_and_large_cards_are_larger(
    browser: Browser, link: str
) -> None:
    page = sit_down(browser, link, "prsi")
    box = "(({ width, height }) => [width, height])"
    hand, card = (
        f"{box}(document.querySelector('{each}').getBoundingClientRect())"
        for each in ("card-hand", ".hand .card")
    )
    sizes = []
    for count in (16, 17, 30):
        page.evaluate(HELD, count)
        expect(page.locator(".hand .slot")).to_have_count(count)
        sizes.append(page.evaluate(f"[...{hand}, ...{card}]"))
    assert sizes == sizes[:1] * 3
    for width, height in SIZES:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        widths = []
        for size in CARD_SIZES:
            page.evaluate("size => { document.documentElement.dataset.cardSize = size; }", size)
            widths.append(page.evaluate(card)[0])
        assert widths[0] < widths[1] < widths[2], (width, height)
    page.context.close()
