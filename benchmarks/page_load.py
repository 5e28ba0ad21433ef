"""A server of its own, and pages that play at it over real connections."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from undercut.app.web.keys import prove

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
            start_new_session=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+", said)
        if found is None:
            sys.exit(f"the server does not start: {said}")
        self.link, self._server = found[0], self._find()

    def _find(self) -> int:
        """The process of the server itself, which the command has started."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        commands = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
        return next(child for child, command in commands.items() if b"spawn_main" in command)

    @property
    def memory(self) -> float:
        """Its memory, in MB."""
        status = Path(f"/proc/{self._server}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    @property
    def processor_time(self) -> float:
        """Seconds of processor time that it has used."""
        words = Path(f"/proc/{self._server}/stat").read_text(encoding="ascii")
        fields = words.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """As a power cut would: all of it at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Page:
    """A page that is connected."""

    def __init__(self, socket: ClientConnection, chance: Random) -> None:
        self.socket, self._chance = socket, chance

    @classmethod
    async def open(cls, link: str, chance: Random, address: str = "127.0.0.1") -> "Page":
        """A page that has followed the link, from an address of this machine."""
        parts = urlsplit(link)
        socket = await connect(
            f"ws://{parts.netloc}/talk",
            origin=f"http://{parts.netloc}",  # type: ignore[arg-type]
            compression=None,
            max_size=None,
            local_addr=(address, 0),
        )
        page = cls(socket, chance)
        key = parts.fragment.rpartition("key=")[2]
        nonce = (await page.hear())["nonce"]
        await page.say("prove", proof=prove(key, parts.netloc, "/", nonce))
        return page

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
