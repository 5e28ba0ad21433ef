"""Twelve browsers that open tables of all games at once: a fresh server serves them all."""

from pathlib import Path

from playwright.sync_api import Browser, Page

from web_page import LIMIT, serving

GAMES = ["gin", "distilled", "rummy", "rummy-classic", "pharaoh", "prsi"]
BROWSERS = 12
BEGIN = """(game) => {
    const app = document.querySelector('undercut-app');
    app.ask({ detail: { kind: 'begin', game, opponents: ['random'], training: false, people: 1 } });
}"""


def test_twelve_browsers_open_tables_of_all_games_at_once(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as link:
        pages = [_visit(browser, link) for _ in range(BROWSERS)]
        for page in pages:
            page.wait_for_selector("game-lobby", timeout=LIMIT * 1000)
        for place, page in enumerate(pages):
            page.evaluate(BEGIN, GAMES[place % len(GAMES)])
        for page in pages:
            page.wait_for_selector(".baize", timeout=LIMIT * 1000)
        for page in pages:  # and all of them come back at once
            page.evaluate("location.reload()")
        for page in pages:
            page.wait_for_selector(".baize", timeout=LIMIT * 1000)
            page.context.close()


def _visit(browser: Browser, link: str) -> Page:
    """A page that is still being loaded."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(link, wait_until="commit")
    return page
