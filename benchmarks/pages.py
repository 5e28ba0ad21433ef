"""A server of its own, and pages that play at it over real connections."""

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect

GAMES: dict[str, list[str]] = {
    "gin": ["skilled"],
    "rummy": ["skilled"],
    "pharaoh:players=4": ["skilled", "regular", "casual"],
    "distilled": ["regular"],
    "prsi:players=3": ["skilled", "regular"],
}
"""What is played, and against whom."""


class Server:
    """`undercut play --web` in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "undercut", "play", "--web", "--data", str(folder), *words]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+", said)
        if found is None:
            sys.exit(f"the server does not start: {said}")
        self.link = found[0]

    @property
    def memory(self) -> float:
        """Its memory, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    @property
    def processor_time(self) -> float:
        """Seconds of processor time that it has used."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        fields = words.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Page:
    """A page that is connected."""

    def __init__(self, socket: ClientConnection, chance: Random) -> None:
        self.socket, self._chance = socket, chance

    @classmethod
    async def open(cls, link: str, chance: Random) -> "Page":
        """A page that has followed the link."""
        parts = urlsplit(link)
        cookie = f"undercut-{parts.port}={parse_qs(parts.query)['key'][0]}"
        socket = await connect(
            f"ws://{parts.netloc}/talk",
            additional_headers={"Cookie": cookie},
            origin=f"http://{parts.netloc}",  # type: ignore[arg-type]
            compression=None,
            max_size=None,
        )
        return cls(socket, chance)

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send(msgspec.json.encode({"kind": kind, **fields}).decode())

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = msgspec.json.decode(await self.socket.recv())
        return message

    async def table(self) -> dict[str, Any]:
        """The next table; what else is said before is passed over."""
        while (message := await self.hear())["kind"] != "table":
            if message["kind"] == "refused":
                raise RuntimeError(message["why"])
        return message

    def step(self, table: dict[str, Any]) -> dict[str, Any]:
        """A message that goes on: any action that is offered, or the next deal."""
        here = {"number": table["number"], "ply": table["ply"]}
        if table["question"] is None:
            return {"kind": "next", **here}
        offered = [each for group in table["question"]["groups"] for each in group["choices"]]
        choice = self._chance.choice(offered)
        while choice["more"]:
            choice = self._chance.choice(choice["more"])
        return {"kind": "play", **here, "action": choice["action"]}


def begin(place: int) -> dict[str, Any]:
    """The message that begins one of the games, by turns."""
    game = [*GAMES][place % len(GAMES)]
    return {"kind": "begin", "game": game, "opponents": GAMES[game]}
