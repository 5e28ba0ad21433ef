"""Many tables at one server: how soon a move is acknowledged, and what the server needs.

Every page is a real connection. Pages that play choose any action that is offered, after a while of
thinking. A move is acknowledged when the server says that it is kept: `thinking`, or the table. It
is answered when the table comes, for which agents take their time. Others have a table open and do
nothing.
"""

import asyncio
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

from rich.progress import Progress
from websockets.exceptions import ConnectionClosed

from measure import parser, report
from page_load import GAMES, Page, Server, begin

RAMP = 20  # pages that are opened at the same time
PAGES = 200  # of one address: a server lets in no more than 256


class Play:
    """All pages, and what they have seen."""

    def __init__(self, server: Server, seed: int, think: float) -> None:
        self.server, self.think = server, think
        self.chance = Random(seed)
        self.acknowledged: list[float] = []
        self.answered: list[float] = []
        self.numbers = count()
        self._pages: list[Page] = []
        self._playing: list[asyncio.Task[None]] = []
        self._gate = asyncio.Semaphore(RAMP)

    async def sit_down(self, plays: bool) -> None:
        """Open a page and begin a game."""
        place = next(self.numbers)
        async with self._gate:
            address = f"127.0.0.{1 + place // PAGES}"
            page = await Page.open(self.server.link, Random(self.chance.random()), address)
            self._pages.append(page)
            await page.say(**begin(place))
            table = await page.table()
        if plays:
            self._playing.append(asyncio.create_task(self._play(page, place, table)))

    async def _play(self, page: Page, place: int, table: dict[str, object]) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(0.0, 2 * self.think))
            if table["is_over"]:
                await page.say(**begin(place))
                table = await page.table()
                continue
            start = time.perf_counter()
            await page.say(**page.step(table))
            message = await page.hear()
            self.acknowledged.append(time.perf_counter() - start)
            while message["kind"] != "table":
                if message["kind"] == "refused":
                    raise RuntimeError(message["why"])
                message = await page.hear()
            self.answered.append(time.perf_counter() - start)
            table = message

    def check(self) -> None:
        """Nobody has failed."""
        for task in self._playing:
            if task.done():
                task.result()

    async def close(self) -> None:
        """All pages go."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for page in self._pages:
            with suppress(ConnectionClosed):
                await page.socket.close()


def percentile(times: list[float], share: float) -> float:
    """The time in ms below which this share of them lies."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


async def measure(server: Server, games: int, idle: int, seconds: float, play: Play) -> list[float]:
    """Let all sit down, then play; the memory of the server, at regular times."""
    with Progress() as progress:
        seated = progress.add_task("sitting down", total=games + idle)
        for group in range(0, games + idle, RAMP):
            places = range(group, min(group + RAMP, games + idle))
            await asyncio.gather(*(play.sit_down(place >= idle) for place in places))
            progress.update(seated, completed=places.stop)
        await asyncio.sleep(2.0)
        play.acknowledged.clear()
        play.answered.clear()
        playing, memory = progress.add_task("playing", total=seconds), [server.memory]
        start = time.monotonic()
        while time.monotonic() < start + seconds:
            await asyncio.sleep(min(5.0, seconds))
            play.check()
            memory.append(server.memory)
            progress.update(playing, completed=time.monotonic() - start)
    return memory


async def run(
    games: int, idle: int, seconds: float, seed: int, think: float
) -> dict[str, tuple[float, str]]:
    """Start a server and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            play = Play(server, seed, think)
            for _ in GAMES:  # compiled before anybody waits
                await play.sit_down(plays=False)
            used, start = server.processor_time, time.monotonic()
            memory = await measure(server, games, idle, seconds, play)
            used, took = server.processor_time - used, time.monotonic() - start
            await play.close()
        finally:
            server.kill()
    times = play.acknowledged
    return {
        "moves": (len(times), ""),
        "moves a second": (len(times) / seconds, ""),
        "acknowledged, half of them within": (percentile(times, 0.5), "ms"),
        "acknowledged, 99 % within": (percentile(times, 0.99), "ms"),
        "acknowledged, the slowest": (1000 * max(times), "ms"),
        "answered, half of them within": (percentile(play.answered, 0.5), "ms"),
        "answered, 99 % within": (percentile(play.answered, 0.99), "ms"),
        "processor used, of one core": (100 * used / took, "%"),
        "memory when all had sat down": (memory[0], "MB"),
        "memory in the middle": (memory[len(memory) // 2], "MB"),
        "memory at the end": (memory[-1], "MB"),
    }


def main() -> None:
    """Measure and print."""
    words = parser(__doc__)
    words.add_argument("--games", type=int, default=200, help="tables that are played at")
    words.add_argument("--idle", type=int, default=1000, help="tables that are open besides")
    words.add_argument("--seconds", type=float, default=120.0, help="how long they play")
    words.add_argument(
        "--think", type=float, default=2.0, help="seconds a person thinks, on average"
    )
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    values = asyncio.run(run(given.games, given.idle, given.seconds, given.seed, given.think))
    title = f"{given.games} tables in play, {given.idle} idle, {given.think} s a move"
    report(title, values, given.json)


if __name__ == "__main__":
    main()
