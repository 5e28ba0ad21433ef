"""Cards that fly: none is absent or double in any frame, and a click or key ends the flight."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, ViewportSize, expect

from web_frames import WATCH, check_frames
from web_page import serving
from web_table import DESK, PHONE, TABLE, play_first, sit_down, wait_for_turn

pytestmark = pytest.mark.compiled
SEED = 10**18
FLYING = "document.querySelectorAll('.flyer').length"


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("flights"), SEED) as link:
        yield link


@pytest.mark.parametrize(("game", "size"), [("gin", PHONE), ("rummy", DESK), ("prsi", PHONE)])
def test_every_card_of_a_hand_is_there_once_in_every_frame(
    browser: Browser, link: str, game: str, size: ViewportSize
) -> None:
    page = sit_down(browser, link, game, speed="fast", size=size, moves=True)
    page.evaluate(WATCH)
    wait_for_turn(page)
    for _ in range(8):
        if not page.evaluate(f"{TABLE}.state.summary"):
            play_first(page)
            wait_for_turn(page)
    check_frames(page)
    page.context.close()


@pytest.mark.parametrize(("speed", "moves"), [("instant", True), ("slow", False)])
def test_who_wants_no_motion_sees_none(
    browser: Browser, link: str, speed: str, moves: bool
) -> None:
    page = sit_down(browser, link, "gin", speed=speed, moves=moves)
    page.evaluate(WATCH)
    wait_for_turn(page)
    play_first(page)
    check_frames(page, moves=False)
    page.context.close()


@pytest.mark.parametrize("way", ["click", "key"])
def test_a_click_or_a_key_ends_a_flight(browser: Browser, link: str, way: str) -> None:
    page = sit_down(browser, link, "gin", speed="slow", moves=True)
    wait_for_turn(page)
    page.evaluate(f"{TABLE}.motion.finish()")
    page.evaluate(SLOWED)
    play_first(page)
    page.wait_for_function(f"() => {FLYING} > 0")
    if way == "click":
        page.mouse.click(5, 400)
    else:
        page.keyboard.press("Shift")
    assert page.evaluate(FLYING) == 0
    assert page.evaluate("document.querySelectorAll('[data-flying]').length") == 0
    page.context.close()


SLOWED = """() => {
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    return animate.call(this, frames, { ...timing, duration: 60000 });
  };
}"""
"""Flights that take a minute."""
COUNTED = """() => {
  window.counted = { drawn: 0, measured: 0 };
  new MutationObserver((list) => { counted.drawn += list.length; }).observe(
    document.body, { subtree: true, childList: true, characterData: true });
  for (const [owner, name] of [[Element.prototype, 'getBoundingClientRect'],
                               [Document.prototype, 'elementFromPoint']]) {
    const asked = owner[name];
    owner[name] = function (...given) { counted.measured += 1; return asked.apply(this, given); };
  }
}"""
"""Counts what is drawn anew, and what is measured."""


def test_nothing_is_drawn_or_measured_while_a_card_is_dragged(browser: Browser, link: str) -> None:
    """It only follows the pointer; where it is dropped, it waits for the answer."""
    page = sit_down(browser, link, "rummy", speed="fast", moves=True)
    wait_for_turn(page)
    page.keyboard.press("d")
    expect(page.locator(".hand .slot")).to_have_count(11)
    page.wait_for_function(f"() => {TABLE}.state.question && {FLYING} === 0")
    card = page.locator(".hand .slot").first
    box, pile = card.bounding_box(), page.locator(".pile[data-zone=pile] .slot").bounding_box()
    assert box is not None
    assert pile is not None
    page.mouse.move(box["x"] + 15, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 15, box["y"] + 20)
    expect(card).to_have_class("slot dragged")
    page.evaluate(COUNTED)
    channel = page.context.new_cdp_session(page)
    channel.send("Performance.enable")
    layouts = count_layouts(channel)
    page.mouse.move(pile["x"] + 40, pile["y"] + 60, steps=25)
    page.wait_for_function("() => document.querySelector('.pile.target')")
    assert count_layouts(channel) - layouts <= 2, "a layout for each step would be 25"
    assert page.evaluate("window.counted") == {"drawn": 0, "measured": 0}
    page.evaluate("document.querySelector('undercut-app').wire.send = () => true")
    page.mouse.up()
    moved = card.bounding_box()
    assert moved is not None
    assert abs(moved["x"] - box["x"] - pile["x"] - 40 + box["x"] + 15) < 2, (
        "it lies where it was dropped"
    )
    page.context.close()


def count_layouts(channel: CDPSession) -> int:
    """How often the browser has laid the page out."""
    metrics = channel.send("Performance.getMetrics")["metrics"]
    return next(int(each["value"]) for each in metrics if each["name"] == "LayoutCount")


def test_the_drawn_card_and_the_last_move_are_marked_and_sound_is_heard_if_chosen(
    browser: Browser, link: str
) -> None:
    page = sit_down(browser, link, "rummy", speed="fast", moves=True)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[-1]))
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    wait_for_turn(page)
    page.keyboard.press("d")
    expect(page.locator(".hand .slot.drawn")).to_have_count(1)
    assert page.locator(".bar button.main").count() == 0, "no unasked advice"
    play_first(page)
    wait_for_turn(page)
    expect(page.locator(".hand .slot.drawn")).to_have_count(0)
    expect(page.locator(".mover")).to_have_count(1)
    top = page.evaluate(f"{TABLE}.state.marks.moved.at(-1)")
    expect(page.locator(f".pile [data-lies='{top}'][data-moved]")).to_have_count(1)
    assert "sound.js" not in loaded
    page.locator("button.gear").click()
    page.locator("input[name=settings-sound][value=on]").check(force=True)
    page.keyboard.press("Escape")
    with page.expect_request("**/sound.js"):
        play_first(page)
    page.wait_for_function(SOUNDING)
    assert complaints == []
    page.context.close()


SOUNDING = "async () => Object.keys(await import('/sound.js')).includes('play')"
