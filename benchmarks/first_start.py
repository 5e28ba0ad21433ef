"""How long the first card takes: a new server with an empty cache of kernels, for each game."""

import asyncio
import os
import signal
import tempfile
import time
from pathlib import Path
from random import Random

from measure import parser, report
from page_load import Page, Server

GAMES = {"gin": "skilled", "distilled": "skilled", "rummy": "skilled", "pharaoh": "skilled"}
MOVES = 3


async def _sit_down(link: str, game: str, moves: int) -> tuple[float, float]:
    """The seconds until a person may choose, and those of the slowest answer after that."""
    page = await Page.open(link, Random(1))
    await page.say("lobby")
    while (await page.hear())["kind"] != "lobby":
        pass
    started = time.perf_counter()
    await page.say("begin", game=game, opponents=[GAMES[game]])
    table = await page.table()
    first, slowest = time.perf_counter() - started, 0.0
    for _ in range(moves):
        started = time.perf_counter()
        await page.say(**page.step(table))
        table = await page.table()
        slowest = max(slowest, time.perf_counter() - started)
    await page.socket.close()
    return first, slowest


def main() -> None:
    """Start a server for each game, and begin as soon as the lobby is shown."""
    options = parser(__doc__)
    given = options.parse_args()
    values: dict[str, tuple[float, str]] = {}
    for game in GAMES:
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as data:
            os.environ["UNDERCUT_CACHE"] = cache
            started = time.perf_counter()
            server = Server(Path(data))
            values[f"{game}: from the command to the link"] = time.perf_counter() - started, "s"
            first, slowest = asyncio.run(_sit_down(server.link, game, MOVES))
            values[f"{game}: from the lobby to the first own move"] = first, "s"
            values[f"{game}: the slowest of {MOVES} answers"] = slowest, "s"
            server.process.send_signal(signal.SIGINT)
            server.process.communicate(timeout=60)
    report("First start, with an empty cache", values, given.json)


if __name__ == "__main__":
    main()
