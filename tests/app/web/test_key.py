"""The key in a real browser: it leaves the address, is kept for it, and never travels."""

import hashlib
import hmac
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from undercut.app.web.keys import owner_key
from web_page import LIMIT, serving

SOON = 30_000  # ms
TEXTS = ["", "abc", "a" * 55, "a" * 56, "a" * 64, "ěšč " * 50, "x" * 1000]


def visit(context: BrowserContext, link: str) -> tuple[Page, list[str]]:
    """A page, and the addresses of all that it asks for."""
    page, asked = context.new_page(), list[str]()
    page.set_default_timeout(SOON)
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.goto(link)
    return page, asked


def wait_for_lobby(page: Page) -> None:
    expect(page.get_by_role("heading", name="A new game")).to_be_visible(timeout=LIMIT * 1000)


def test_a_key_opens_the_table_and_stays_in_the_browser(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as link:
        start, key = link.split("#key=")
        context = browser.new_context()
        stranger, _ = visit(context, start)
        shut = stranger.get_by_text("Open the link that undercut play has printed")
        expect(shut).to_be_visible(timeout=LIMIT * 1000)
        page, asked = visit(context, f"{start}#statistics&key={key}")
        expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
        assert page.url == f"{start}#statistics"
        assert any(url.startswith("ws") for url in asked)
        assert [url for url in asked if key in url.partition("#")[0]] == []
        wait_for_lobby(stranger)  # another page of this browser has got the key
        page.goto(start)
        page.reload()
        wait_for_lobby(page)
        page.evaluate("location.hash = '#key=wrong'")
        expect(page.get_by_text("Open the link that undercut play has printed")).to_be_visible()
        page.evaluate("key => { location.hash = `#key=${key}`; }", key)
        wait_for_lobby(page)
        assert page.url == start
        assert key == owner_key(tmp_path)
        compare_digests(page)
        context.close()


def compare_digests(page: Page) -> None:
    """What the page computes by itself is what Python computes."""
    digests = "texts.map((text) => [sha256(text), hmac(text, 'key' + text)])"
    load = "const { sha256, hmac } = await import('./sha256.js')"
    script = f"async (texts) => {{ {load}; return {digests}; }}"
    assert page.evaluate(script, TEXTS) == [
        [
            hashlib.sha256(text.encode()).hexdigest(),
            hmac.new(text.encode(), f"key{text}".encode(), "sha256").hexdigest(),
        ]
        for text in TEXTS
    ]
