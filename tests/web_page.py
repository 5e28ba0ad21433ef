"""A page of our own: messages go in, everything that comes is kept."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.websockets import WebSocketDisconnect

from undercut.app.store import Store
from undercut.app.web.connection import Limits
from undercut.app.web.gate import Gate
from undercut.app.web.server import make_app

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have a newer client than httpx
    from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession

Shut = (WebSocketDisconnect, WebSocketDenialResponse)  # what a refused connection raises
HOST = "127.0.0.1:8000"
SECRET = "sesame"
MANY = Limits(rate=1e6, burst=10**6)


def serve(folder: Path, *, pace: float = 0.0, limits: Limits = MANY) -> Gate:
    """The application, for games in a folder."""
    return make_app(Store(folder), (HOST,), secret=SECRET, pace=pace, limits=limits)


def visit(app: Gate, *, let_in: bool = True) -> TestClient:
    """A browser that has the secret, or has not."""
    cookies = {app.cookie: SECRET} if let_in else {}
    return TestClient(app, base_url=f"http://{HOST}", cookies=cookies, follow_redirects=False)


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
        """What is answered; that somebody thinks is no answer."""
        self.say(kind, **fields)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        while (message := self.hear())["kind"] == "thinking":
            pass
        return message

    def begin(self, game: str, *opponents: str, training: bool = False) -> dict[str, Any]:
        return self.ask("begin", game=game, opponents=opponents, training=training)

    def play(self, table: dict[str, Any], action: str) -> dict[str, Any]:
        return self.ask("play", number=table["number"], ply=table["ply"], action=action)

    def go_on(self, table: dict[str, Any]) -> dict[str, Any]:
        """The first action that is offered, or the next deal."""
        if table["question"] is None:
            return self.ask("next", number=table["number"], ply=table["ply"])
        return self.play(table, first_action(table))


def first_action(table: dict[str, Any]) -> str:
    """The first action that is offered."""
    choice = table["question"]["groups"][0]["choices"][0]
    while choice["more"]:
        choice = choice["more"][0]
    return str(choice["action"])


@contextmanager
def connect(client: TestClient, origin: str = f"http://{HOST}") -> Iterator[Page]:
    """Connect a page."""
    with client.websocket_connect(f"ws://{HOST}/talk", headers={"origin": origin}) as socket:
        yield Page(socket)
