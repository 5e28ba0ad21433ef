"""Kill -9 at random moments of games in the browser and at the terminal: is anything lost?

Half of the kills hit a server with pages that play, half a terminal game. After each the database
is checked, and what was acknowledged must be there. Then the games go on: with the same cards, the
same question, and the answers that agents had given.
"""

import asyncio
import os
import pty
import re
import select
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from rich.progress import track
from websockets.exceptions import WebSocketException

from measure import parser, report
from page_load import GAMES, Page, Server, begin
from undercut.app.store import FILE, Entry, Store

LIMIT = 120.0  # seconds, for a start that compiles
LONGEST = 1.5  # seconds from a start to a kill
PAGES = 2  # that play at a server
SOONER = 0.2  # the share of kills that may come before a table is shown
REFUSED = "name a suit too"  # what the terminal says to a choice that is not complete
SAME = ("number", "ply", "deal", "areas", "question", "told", "scores", "commitment")
"""What must be the same on a table that was not changed."""


class Loss(Exception):
    """Something was lost or damaged."""


class Browsers:
    """Pages at a server, one for each game, that remember what was acknowledged."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder, self._chance = folder, chance
        self._numbers: dict[int, int] = {}  # of the game that is played in each place
        self._tables: dict[int, dict[str, Any]] = {}  # the last one that each page was shown
        self._played: dict[int, list[str]] = {}  # actions of the person that were acknowledged
        self._sure: dict[int, bool] = {}  # whether nothing was sent since the last table
        self.moves = 0

    async def round(self) -> None:
        """Start a server, play on, kill it, and look at what is left."""
        server = Server(self.folder)
        try:
            places, shown = self._chance.sample(range(len(GAMES)), PAGES), asyncio.Event()
            playing = [
                asyncio.create_task(self._play(server.link, place, shown)) for place in places
            ]
            if self._chance.random() < SOONER:
                await asyncio.sleep(self._chance.uniform(0.0, 2 * LONGEST))
            else:
                await asyncio.wait(
                    [asyncio.create_task(shown.wait()), *playing], return_when="FIRST_COMPLETED"
                )
                await asyncio.sleep(self._chance.uniform(0.0, LONGEST))
        finally:
            server.kill()
        done = await asyncio.gather(*playing, return_exceptions=True)
        for failure in done:
            if failure is not None and not isinstance(failure, WebSocketException | OSError):
                raise Loss(repr(failure))
        check_folder(self.folder, self._played)

    async def _play(self, link: str, place: int, shown: asyncio.Event) -> None:
        page = await Page.open(link, self._chance)
        if place in self._numbers:
            await page.say("open", number=self._numbers[place])
            table = await page.table()
            self._compare(table)
        else:
            await page.say(**begin(place))
            table = await page.table()
        number = self._numbers[place] = int(table["number"])
        self._played.setdefault(number, [])
        shown.set()
        while not table["is_over"]:
            self._tables[number], self._sure[number] = table, True
            step = page.step(table)
            self._sure[number] = False
            await page.say(**step)
            message = await page.hear()
            if message["kind"] == "refused":
                raise Loss(message["why"])
            if step["kind"] == "play":
                self._played[number].append(step["action"])
                self.moves += 1
            table = message if message["kind"] == "table" else await page.table()
        del self._numbers[place], self._tables[number]
        await page.socket.wait_closed()  # until the server is gone

    def _compare(self, table: dict[str, Any]) -> None:
        """A table to which nothing was sent is as it was."""
        number = int(table["number"])
        before = self._tables[number]
        if self._sure[number] and any(table[name] != before[name] for name in SAME):
            raise Loss(f"game {number} is not as it was")
        if table["ply"] < before["ply"]:
            raise Loss(f"game {number} went back")


class Terminals:
    """A game at a terminal, which is killed and resumed."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder, self._chance = folder, chance
        self._seen: list[list[Entry]] = []  # of every game
        self.moves = 0

    def round(self) -> None:
        """Start the terminal, play on, kill it, and look at what is left."""
        words = ["--resume"] if self._in_play() else [self._chance.choice([*GAMES])]
        master, slave = pty.openpty()
        command = [sys.executable, "-m", "undercut", "play", *words, "--terminal"]
        game = subprocess.Popen(
            [*command, "--data", str(self.folder)], stdin=slave, stdout=slave, stderr=slave
        )
        os.close(slave)
        try:
            acknowledged = self._play(master)
        finally:
            game.kill()
            game.wait()
            os.close(master)
        self._check(acknowledged)

    def _play(self, master: int) -> int:
        """Answer every question with its first choice until the moment has come.

        How many choices were acknowledged: another question has followed, and no refusal.
        """
        shown, answered, until, chosen = "", 0, None, list[bool]()
        seen, deadline = 0, time.monotonic() + LIMIT
        while until is None or time.monotonic() < until:
            if time.monotonic() > deadline:
                raise Loss(f"the terminal says nothing: {shown[-300:]}")
            ready, _, _ = select.select([master], [], [], 0.02)
            if ready:
                try:
                    shown += os.read(master, 65536).decode(errors="replace")
                except OSError:  # the match is over
                    return sum(chosen) - shown.count(REFUSED)
            asked = len(re.findall(r"> $|> \S*\r?\n", shown))
            if shown.endswith("> ") and asked > answered:
                answered = asked
                until = until or time.monotonic() + self._chance.uniform(0.0, LONGEST)
                is_choice = shown.endswith("\n> ")
                is_refused = REFUSED in shown[seen:]
                seen = len(shown)
                os.write(master, b"1 leaves\n" if is_refused else b"1\n" if is_choice else b"\n")
                chosen.append(is_choice)
        return sum(chosen[:-1]) - shown.count(REFUSED)

    def _in_play(self) -> bool:
        store = Store(self.folder)
        found = any(each.state == "playing" for each in store.games())
        store.close()
        return found

    def _check(self, acknowledged: int) -> None:
        """What was there is there, and at least as much has come as was acknowledged."""
        check_folder(self.folder, {})
        store = Store(self.folder)
        numbers = sorted(each.number for each in store.games())
        kept = [store.entries(number) for number in numbers]
        store.close()
        for before, now in zip(self._seen, kept, strict=False):
            if now[: len(before)] != before:
                raise Loss("what was kept has changed")
        more = own_choices(kept) - own_choices(self._seen)
        if more < acknowledged:
            raise Loss(f"{acknowledged} choices were acknowledged, {more} are kept")
        self._seen = kept
        self.moves += acknowledged


def own_choices(games: list[list[Entry]]) -> int:
    """How many choices of the person are kept."""
    return sum(entry.seat == 0 and entry.kind == "play" for game in games for entry in game)


def check_folder(folder: Path, played: dict[int, list[str]]) -> None:
    """The database is whole, and every acknowledged action is in it."""
    with sqlite3.connect(folder / FILE) as database:
        found = database.execute("PRAGMA integrity_check").fetchone()
    database.close()
    if found != ("ok",):
        raise Loss(f"the database is damaged: {found}")
    store = Store(folder)
    for number, actions in played.items():
        mine = [
            each.text for each in store.entries(number) if each.kind == "play" and each.seat == 0
        ]
        if mine[: len(actions)] != actions:
            raise Loss(f"game {number}: an acknowledged action is lost")
        actions[:] = mine  # one more may have been kept before it could be acknowledged
    store.close()


def main() -> None:
    """Kill, and say what was lost."""
    words = parser(__doc__)
    words.add_argument("--kills", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    chance = Random(given.seed)
    with tempfile.TemporaryDirectory() as name:  # a loss ends it with an error
        browsers = Browsers(Path(name, "web"), chance)
        terminals = Terminals(Path(name, "terminal"), chance)
        for kill in track(range(given.kills), "killing"):
            if kill % 2:
                terminals.round()
            else:
                asyncio.run(browsers.round())
    values = {
        "kills": (float(given.kills), ""),
        "moves in the browser": (float(browsers.moves), ""),
        "moves at the terminal": (float(terminals.moves), ""),
        "acknowledged actions lost": (0.0, ""),
        "databases damaged": (0.0, ""),
    }
    report("Kill -9", values, given.json)


if __name__ == "__main__":
    main()
