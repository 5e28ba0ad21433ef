"""Pages that open tables at once at a server that has just started: does it ever die?

Every start is a new server. Half of the pages begin games of all kinds, the others come back to
games that are there. A cold start begins with an empty cache of kernels, which are compiled while
the pages wait; a warm one finds them. A server that dies, restarts or complains is a failure.
"""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from rich.progress import track

from measure import parser, report
from page_load import Page, Server, begin

LIMIT = 600.0  # seconds, for a start that compiles
STEPS = 2  # that each page plays


async def _open(link: str, place: int, number: int | None, chance: Random) -> int:
    """Begin a game or come back to one, and play on; its number."""
    page = await Page.open(link, chance)
    if number is None:
        await page.say(**begin(place))
    else:
        await page.say("open", number=number)
    table = await page.table()
    for _ in range(STEPS):
        if table["is_over"]:
            break
        await page.say(**page.step(table))
        table = await page.table()
    await page.socket.close()
    return int(table["number"])


async def _start(folder: Path, numbers: list[int], pages: int, chance: Random) -> list[int]:
    """One server, and all its pages at the same time; the numbers of their games."""
    server = Server(folder)
    known = [*numbers[-(pages // 2) :], *[None] * pages][:pages]
    opening = [_open(server.link, place, each, chance) for place, each in enumerate(known)]
    found = await asyncio.wait_for(asyncio.gather(*opening), LIMIT)
    server.process.send_signal(signal.SIGINT)
    said, _ = server.process.communicate(timeout=60)
    extra = [
        line for line in said.splitlines() if not line.startswith(("Ctrl-C ", "The table is "))
    ]
    if server.process.returncode != 0 or extra:
        sys.exit(f"a server ended with {server.process.returncode}: {said}")
    return found


def main() -> None:
    """Start servers, and print how many were started and how long a start took."""
    options = parser(__doc__)
    options.add_argument("--seed", type=int, default=1, help="chance of the pages")
    options.add_argument("--cold", type=int, default=20, help="starts with an empty cache")
    options.add_argument("--warm", type=int, default=180, help="starts with a warm cache")
    options.add_argument("--pages", type=int, default=12, help="that open tables at once")
    given = options.parse_args()
    chance, took = Random(given.seed), {"cold": 0.0, "warm": 0.0}
    with tempfile.TemporaryDirectory() as name:
        data, cache = Path(name, "data"), Path(name, "cache")
        os.environ["UNDERCUT_CACHE"] = str(cache)
        numbers: list[int] = []
        starts = ["cold"] * given.cold + ["warm"] * given.warm
        for kind in track(starts, "starts", transient=True):
            if kind == "cold":
                shutil.rmtree(cache, ignore_errors=True)
            begun = time.perf_counter()
            numbers = asyncio.run(_start(data, numbers, given.pages, chance))
            took[kind] += time.perf_counter() - begun
    values = {
        f"{kind} starts, {given.pages} pages each": (float(starts.count(kind)), "") for kind in took
    }
    values |= {f"a {kind} start": (took[kind] / max(1, starts.count(kind)), "s") for kind in took}
    report("Pages that open tables at once", values | {"servers that died": (0.0, "")}, given.json)


if __name__ == "__main__":
    main()
