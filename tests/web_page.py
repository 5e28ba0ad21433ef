"""A page of our own: messages go in, everything that comes is kept."""

import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.websockets import WebSocketDisconnect

from undercut.app.store import Store
from undercut.app.web.access import Gate
from undercut.app.web.connection import Limits
from undercut.app.web.keys import prove
from undercut.app.web.server import make_app
from undercut.play.agent import Random

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have a newer client than httpx
    from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession

Shut = (WebSocketDisconnect, WebSocketDenialResponse)  # what a refused connection raises
LIMIT = 300  # seconds, for a first start that compiles
HOST = "127.0.0.1:8000"
KEY = "sesame"
MANY = Limits(rate=1e6, burst=10**6)


def serve(folder: Path, *, pace: float = 0.0, limits: Limits = MANY) -> Gate:
    """The application, for games in a folder."""
    return make_app(Store(folder), (HOST,), KEY, pace=pace, limits=limits)


def visit(app: Gate) -> TestClient:
    """A browser."""
    return TestClient(app, base_url=f"http://{HOST}", follow_redirects=False)


class Page:
    """A page that is connected."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[str] = []  # every message, as it came

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send_text(msgspec.json.encode({"kind": kind, **fields}).decode())

    def hear(self) -> dict[str, Any]:
        self.heard.append(self.socket.receive_text())
        message: dict[str, Any] = msgspec.json.decode(self.heard[-1])
        return message

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """What is answered; that somebody thinks is no answer, nor are the rules of the table."""
        self.say(kind, **fields)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        while (message := self.hear())["kind"] in ("thinking", "preparing", "rules", "moves"):
            pass
        return message

    def begin(
        self, game: str, *opponents: str, training: bool = False, people: int = 1
    ) -> dict[str, Any]:
        asked = {"game": game, "opponents": opponents, "training": training, "people": people}
        return self.ask("begin", **asked)

    def play(self, table: dict[str, Any], action: str) -> dict[str, Any]:
        return self.ask("play", number=table["number"], ply=table["ply"], action=action)

    def go_on(self, table: dict[str, Any]) -> dict[str, Any]:
        """The first action that is offered, or the next deal."""
        return self.ask(**next_step(table))


def first_action(table: dict[str, Any]) -> str:
    """The first action that is offered."""
    choice = table["question"]["groups"][0]["choices"][0]
    while choice["more"]:
        choice = choice["more"][0]
    return str(choice["action"])


def any_action(table: dict[str, Any], chance: Random) -> str:
    """Any action that is offered."""
    choices = [each for group in table["question"]["groups"] for each in group["choices"]]
    choice = chance.choice(choices)
    while choice["more"]:
        choice = chance.choice(choice["more"])
    return str(choice["action"])


def next_step(table: dict[str, Any], chance: Random | None = None) -> dict[str, Any]:
    """The message of a page that plays the first action, or any, or asks for the next deal."""
    here = {"number": table["number"], "ply": table["ply"]}
    if table["question"] is None:
        return {"kind": "next", **here}
    action = first_action(table) if chance is None else any_action(table, chance)
    return {"kind": "play", **here, "action": action}


@contextmanager
def knock(
    client: TestClient, origin: str = f"http://{HOST}", place: str = "/", language: str = ""
) -> Iterator[Page]:
    """Connect a page, which proves no key."""
    address = f"ws://{HOST}{place}talk" + (f"?language={language}" if language else "")
    with client.websocket_connect(address, headers={"origin": origin}) as socket:
        yield Page(socket)


@contextmanager
def connect(
    client: TestClient,
    origin: str = f"http://{HOST}",
    place: str = "/",
    language: str = "",
    key: str = KEY,
) -> Iterator[Page]:
    """Connect a page that proves its key, by default the owner's, in English."""
    with knock(client, origin, place, language) as page:
        nonce = page.hear()["nonce"]
        page.say("prove", proof=prove(key, HOST, place, nonce))
        page.heard.clear()
        yield page


@contextmanager
def joined(client: TestClient, path: str) -> Iterator[Page]:
    """A guest who has followed the link to a seat."""
    place, _, key = client.get(path).headers["location"].partition("#key=")
    with connect(client, place=place, key=key) as page:
        yield page


def at_speed(speed: str) -> str:
    """A script for a browser whose person has chosen a speed of the moves."""
    return f"localStorage['undercut.settings'] ??= JSON.stringify({{ speed: '{speed}' }})"


FORESEEN = """
import sys
from functools import partial
from itertools import count
from pathlib import Path
from undercut.app.store import Store
from undercut.app.web import connection, server, tables
from undercut.app.web.address import hosts_of, link_to, listen
from undercut.app.web.keys import owner_key
seeds = count(int(sys.argv[2]))
tables.new_secret = lambda: next(seeds)
connection.new_secret = lambda: f"{next(seeds):064x}"
server.make_app = partial(server.make_app, pace=0.02)
folder = Path(sys.argv[1])
listening, key = listen("127.0.0.1", None, folder), owner_key(folder)
print("The table is set:", link_to(hosts_of("127.0.0.1", listening)[0], key), flush=True)
server.serve(Store(folder), listening, "127.0.0.1", key)
print("Your games are kept: undercut play goes on with them.")
"""
"""The same server in a hurry; the games it begins are those of a seed and of the next ones."""


def start_server(folder: Path, seed: int | None = None) -> tuple[subprocess.Popen[str], str]:
    """A server of its own, and the link that it prints."""
    command = ["-m", "undercut", "play", "--web", "--data", str(folder)]
    if seed is not None:
        command = ["-c", FORESEEN, str(folder), str(seed)]
    server = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found is not None
    return server, found[0]


def child_of(pid: int) -> int:
    """The server that `undercut play` has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    (server,) = [
        int(child)
        for child in children
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    return server


@contextmanager
def serving(folder: Path, seed: int | None = None) -> Iterator[str]:
    """A server of its own, until Ctrl-C: the link that it prints."""
    server, link = start_server(folder, seed)
    try:
        yield link
    finally:
        server.send_signal(signal.SIGINT)
        said, _ = server.communicate(timeout=LIMIT)
    assert server.returncode == 0, said
    assert said.endswith("Your games are kept: undercut play goes on with them.\n")
    assert "Traceback" not in said
    assert "has crashed" not in said
