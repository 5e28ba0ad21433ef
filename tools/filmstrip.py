"""A match of each game in a real browser, with motion: strips of pictures to look at, and whatever
was wrong in a frame.

    python tools/filmstrip.py build/strips gin rummy

It plays a match in the window of a laptop and of a phone (whose processor is slowed four times),
and writes a strip of pictures for every tenth move and for the end of each deal. A card of the
hand that is absent or double in a frame, two moves in one frame, or anything that jumps is printed.
"""

import argparse
import shutil
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from web_frames import WATCH
from web_page import serving
from web_table import DESK, PHONE, TABLE, play_first, sit_down, wait_for_turn

GAMES = ("gin", "rummy", "prsi", "pharaoh")
SIZES = {"laptop": DESK, "phone": PHONE}
SEED = 10**18
EVERY = 10  # moves between two strips
PICTURES, WIDTH, COLUMNS = 8, 320, 4
DEALS = 3
MOST = 300  # moves of a match


class Strip:
    """The pictures of a page, as the browser draws them."""

    def __init__(self, page: Page) -> None:
        self._pictures: list[bytes] = []
        self._is_on = True
        self._channel = page.context.new_cdp_session(page)
        self._channel.on("Page.screencastFrame", self._keep)
        self._channel.send("Page.startScreencast", {"format": "jpeg", "quality": 70})

    def _keep(self, frame: dict[str, Any]) -> None:
        if not self._is_on:
            return
        self._pictures.append(b64decode(frame["data"]))
        self._channel.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def write(self, path: Path) -> None:
        """Write some of the pictures since the last strip, one beside the other."""
        count = min(PICTURES, len(self._pictures))
        if not count:
            return
        step = max(1, len(self._pictures) - 1) / max(1, count - 1)
        chosen = [self._pictures[round(place * step)] for place in range(count)]
        self._pictures = []
        pictures = [Image.open(BytesIO(each)) for each in chosen]
        height = WIDTH * pictures[0].height // pictures[0].width
        rows = -(-count // COLUMNS)
        strip = Image.new("RGB", (COLUMNS * WIDTH, rows * height))
        for place, picture in enumerate(pictures):
            at = place % COLUMNS * WIDTH, place // COLUMNS * height
            strip.paste(picture.resize((WIDTH, height)), at)
        strip.save(path)

    def forget(self) -> None:
        """Drop the pictures since the last strip."""
        self._pictures = []

    def stop(self) -> None:
        """Keep no more pictures."""
        self._is_on = False
        self._channel.send("Page.stopScreencast")
        self._channel.detach()


def play(browser: Browser, link: str, game: str, name: str, size: ViewportSize, to: Path) -> bool:
    """Play some deals of a game; whether every frame was right."""
    page = sit_down(browser, link, game, speed="fast", size=size, moves=True)
    if name == "phone":
        channel = page.context.new_cdp_session(page)
        channel.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.evaluate(WATCH)
    strip = Strip(page)
    wait_for_turn(page)
    strip.write(to / f"{game}-{name}-deal.png")
    for move in range(MOST):
        strip.forget()
        play_first(page)
        wait_for_turn(page)
        is_over = bool(page.evaluate(f"{TABLE}.state.summary"))
        if is_over:
            page.wait_for_timeout(900)
        if is_over or move % EVERY == 0:
            strip.write(to / f"{game}-{name}-{move:03}.png")
        if is_over:
            deal, is_ended = page.evaluate(f"[{TABLE}.state.deal, {TABLE}.state.is_over]")
            if is_ended or deal == DEALS:
                break
            page.keyboard.press("n")
            page.wait_for_function(f"() => !{TABLE}.state.summary")
            wait_for_turn(page)
    watched = page.evaluate("window.watched")
    strip.stop()
    page.context.close()
    found = [*watched["wrong"], *watched["shifts"], *({*watched["steps"]} - {1})]
    counts = f"{watched['frames']} frames, {watched['flights']} with flights"
    print(f"{game} on a {name}: {counts}, {len(found)} wrong", *found[:5], sep="\n  ", flush=True)
    return not found


def main() -> None:
    parser = argparse.ArgumentParser(description="Film matches in a real browser.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", default=GAMES)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as games,
        serving(Path(games), SEED) as link,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        right = [
            play(browser, link, game, name, size, asked.folder)
            for game in asked.games
            for name, size in SIZES.items()
        ]
    sys.exit(not all(right))


if __name__ == "__main__":
    main()
