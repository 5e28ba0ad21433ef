"""A person at a table in a real browser."""

from playwright.sync_api import Browser, Page, ViewportSize

from web_page import LIMIT, at_speed

DESK = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
TABLE = "document.querySelector('game-table')"


def sit_down(
    browser: Browser,
    link: str,
    game: str,
    players: int = 2,
    speed: str = "instant",
    size: ViewportSize = DESK,
    moves: bool = False,
) -> Page:
    """A page at a new game; `moves` is whether its person likes motion."""
    motion = "no-preference" if moves else "reduce"
    page = browser.new_context(viewport=size, reduced_motion=motion).new_page()
    page.add_init_script(at_speed(speed))
    page.goto(link)
    page.locator(f"input[name=game][value={game}]").check(force=True, timeout=LIMIT * 1000)
    if players > 2:
        page.locator(f"input[name=seats][value='{players}']").check(force=True)
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".baize", timeout=LIMIT * 1000)
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
