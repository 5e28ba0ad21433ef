"""The pictures of the docs that show a table: the page in motion, and the terminal.

    python tools/pictures.py

It plays a deal of Gin in a real browser, and writes docs/table.webp (its first turns and its end)
and docs/web-gin.png, a still picture for readers who want no motion. For docs/terminal.svg it plays
a few turns of Gin in the terminal. The cards are always the same.
"""

import asyncio
import re
import shutil
import sys
from base64 import b64decode
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.terminal.full_screen import FullScreen
from undercut.app.terminal.table import invite
from web_page import at_speed, serving
from web_table import TABLE, wait_for_turn

ROOT = Path(__file__).parents[1]
SEED = 10**18 + 1
WINDOW = ViewportSize(width=1000, height=740)
WIDTH = 660  # of the animation
BETWEEN = 0.08  # seconds between two of its frames, at least
QUALITY = 40
TURNS = 3  # that it shows from the beginning
PAUSE = 900  # milliseconds before the person moves
LAST = 2500  # milliseconds of the end
LIGHTEST = """(() => {
  const { choices, groups } = document.querySelector('game-table');
  const named = (verb) => choices.find(({ action }) => action.startsWith(verb));
  const worth = ({ cards: [card] }) => Math.min(10, 'A23456789TJQK'.indexOf(card[0]) + 1);
  const loose = choices.filter(({ cards: [card] }) => groups.at(-1).includes(card));
  const thrown = loose.filter(({ action }) => action.startsWith('discard'))
    .sort((one, other) => worth(other) - worth(one))[0];
  return (named('knock') ?? named('pass') ?? named('draw') ?? thrown ?? choices[0]).action;
})()"""
"""A person who draws, throws the highest card that is in no meld, and knocks at once."""
BEFORE = """localStorage['undercut.last'] = JSON.stringify(
  { game: 'gin', seats: 2, opponents: ['beginner'] })"""
"""The last choice in the lobby."""
PLAY = f"""action => {{
  const table = {TABLE};
  table.play(table.choices.find((choice) => choice.action === action), true);
}}"""


class Frame(NamedTuple):
    """A picture of the page, and when it was drawn, in seconds."""

    picture: bytes
    when: float


class Film:
    """The pictures of a page while it is on."""

    def __init__(self, page: Page) -> None:
        self.frames: list[Frame] = []
        self.is_on = True
        self._has_ended = False
        self._skipped = 0.0  # seconds that were not filmed
        self._last = 0.0
        self._channel = page.context.new_cdp_session(page)
        self._channel.on("Page.screencastFrame", self._keep)
        self._channel.send("Page.startScreencast", {"format": "png"})

    def _keep(self, frame: dict[str, Any]) -> None:
        if self._has_ended:
            return
        self._channel.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        when = float(frame["metadata"]["timestamp"])
        if not self.is_on:
            self._skipped += when - self._last
        elif not self.frames or when - self._skipped - self.frames[-1].when >= BETWEEN:
            self.frames.append(Frame(b64decode(frame["data"]), when - self._skipped))
        self._last = when

    def stop(self) -> None:
        """Keep no more pictures."""
        self._has_ended = True
        self._channel.send("Page.stopScreencast")
        self._channel.detach()

    def write(self, path: Path) -> None:
        """Write an animation that repeats after its last picture."""
        height = WIDTH * WINDOW["height"] // WINDOW["width"]
        opened = [Image.open(BytesIO(frame.picture)).convert("RGB") for frame in self.frames]
        pictures = [each.resize((WIDTH, height), Image.Resampling.LANCZOS) for each in opened]
        times = [frame.when for frame in self.frames]
        shown = [round(1000 * (after - when)) for when, after in pairwise(times)]
        first, *others = pictures
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=[*shown, LAST],
            loop=0,
            quality=QUALITY,
            method=6,
        )


def sit_down(browser: Browser, link: str) -> Page:
    """A page at a new game of Gin against a beginner, without the list of moves."""
    page = browser.new_context(viewport=WINDOW).new_page()
    page.add_init_script(f"{at_speed('normal')}; {BEFORE}")
    page.goto(link)
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".baize")
    page.evaluate(f"{TABLE}.panel = ''")
    wait_for_turn(page)
    page.wait_for_function(f"() => !{TABLE}.isMoving")
    return page


def film_table(page: Page, docs: Path) -> None:
    """Film the first turns of a deal and its end."""
    film = Film(page)
    turn = 0
    while not page.evaluate(f"{TABLE}.state.summary"):
        wait_for_turn(page)
        action = page.evaluate(LIGHTEST)
        turn += action == "draw"
        film.is_on = turn <= TURNS or not action.startswith(("draw", "discard", "pass"))
        page.wait_for_timeout(PAUSE if film.is_on else 0)
        if action.startswith("knock"):
            still = Image.open(BytesIO(page.screenshot())).convert("RGB")
            still.quantize(256).save(docs / "web-gin.png", optimize=True)
        page.evaluate(PLAY, action)
        wait_for_turn(page)
        page.wait_for_function(f"() => !{TABLE}.isMoving")
    page.wait_for_timeout(1500)
    film.stop()
    film.write(docs / "table.webp")


async def draw_terminal(path: Path) -> None:
    """Draw the terminal after two turns."""
    game, agents = invite("gin", ("skilled",), people=1)
    session = Session.at(Host(game, [None, *agents], SEED), 0)
    screen = FullScreen(session, False, 1, False, 100)

    async def settle() -> None:
        while not screen._is_waiting:
            await asyncio.sleep(0.01)
        await pilot.pause()

    async with screen.run_test(size=(100, 32)) as pilot:
        await settle()
        for _ in range(4):
            await pilot.press("1", "enter")
            await settle()
        drawn = screen.export_screenshot(title="undercut play --terminal")
        path.write_text(re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.S), encoding="utf-8")
        while screen.is_running:
            screen.action_leave()
            await asyncio.sleep(0.01)


def main() -> None:
    docs = ROOT / "docs"
    asyncio.run(draw_terminal(docs / "terminal.svg"))
    with (
        TemporaryDirectory() as games,
        serving(Path(games), SEED) as link,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        film_table(sit_down(browser, link), docs)
        browser.close()


if __name__ == "__main__":
    main()
