"""Connections that say nothing are closed, and nobody takes all places."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from undercut.app.store import Store
from undercut.app.web import connection, server
from undercut.app.web.address import hosts_of, listen
from undercut.app.web.connection import Allowance, Limits
from undercut.app.web.connection_limits import Bounds, Doors
from undercut.app.web.keys import prove
from web_page import KEY, LIMIT

pytestmark = pytest.mark.compiled
SOON, NEVER = 0.2, 1000.0  # seconds


class House:
    """A server with doors of its own."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self.doors, self._store = Doors(bounds), Store(folder)
        self._listening = listen("127.0.0.1", 0, folder)
        self.hosts = hosts_of("127.0.0.1", self._listening)
        app = server.make_app(self._store, self.hosts, KEY, doors=self.doors)
        configuration = server._configuration(app, self.doors)
        configuration.timeout_keep_alive = NEVER  # what is idle goes only to make room
        self._server = uvicorn.Server(configuration)
        self._thread = Thread(target=self._server.run, args=([self._listening],))
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()
        self._listening.close()
        self._store.close()

    def call(self, text: str = "") -> socket.socket:
        """A connection that has said something."""
        made = socket.create_connection(self._listening.getsockname(), timeout=LIMIT)
        made.sendall(text.encode())
        return made

    @property
    def request(self) -> str:
        return f"GET /theme.js HTTP/1.1\r\nHost: {self.hosts[0]}\r\n\r\n"

    @property
    def open(self) -> set[Any]:
        """The connections that the server itself knows."""
        return self._server.server_state.connections

    def count(self) -> list[int]:
        """How many are known, strangers, and waiting."""
        found = self.doors._addresses.get("127.0.0.1")
        return (
            [len(each) for each in (found.known, found.strangers, found.waiting)] if found else []
        )

    def wait_for(self, wanted: list[int]) -> None:
        wait_until(lambda: self.count() == wanted)


@contextmanager
def house(folder: Path, **bounds: float) -> Iterator[House]:
    made = House(folder, Bounds(**bounds))  # type: ignore[arg-type]
    try:
        yield made
    finally:
        made.close()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_closed(call: socket.socket) -> bool:
    """Whether the other side has closed it, after whatever it still sends."""
    with suppress(ConnectionResetError):
        while call.recv(65536):
            pass
    return True


def is_closed_while_it_sends(call: socket.socket) -> bool:
    """Whether a connection that goes on sending, a little at a time, is closed all the same."""
    with suppress(OSError):
        for _ in range(1000):
            call.sendall(b"x")
            time.sleep(SOON / 10)
        return False
    return True


def is_answered(call: socket.socket) -> bool:
    return call.recv(65536).startswith(b"HTTP/1.1 200")


def test_what_an_address_may_have() -> None:
    assert Bounds() == Bounds(connections=256, strangers=32, request=10.0, answer=120.0)
    assert connection.PATIENCE == 10.0


def test_a_connection_that_was_never_let_in_may_go() -> None:
    doors = Doors(Bounds())
    doors.leave(("127.0.0.1", 1))
    doors.leave(None)
    assert doors._addresses == {}


def test_a_request_that_is_never_complete_is_closed(tmp_path: Path) -> None:
    with house(tmp_path, request=SOON) as table, ExitStack() as calls:
        for begun in ("", "GET / HT", table.request[:-2]):
            assert is_closed(calls.enter_context(table.call(begun)))
        slow = calls.enter_context(table.call("GET / HTTP/1.1\r\nx: "))
        assert is_closed_while_it_sends(slow)
        body = table.request[:-2] + "Content-Length: 100000\r\n\r\n"
        slow = calls.enter_context(table.call(body))
        assert is_answered(slow)
        assert is_closed_while_it_sends(slow)
        table.wait_for([])


def test_a_page_that_shows_no_key_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", SOON)
    asked = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    asked += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    with house(tmp_path, request=NEVER) as table:
        lines = [
            "GET /talk HTTP/1.1",
            f"Host: {table.hosts[0]}",
            f"Origin: http://{table.hosts[0]}",
        ]
        with table.call("\r\n".join([*lines, *asked, "", ""])) as page:
            table.wait_for([0, 1, 0])
            assert is_closed(page)  # although it does not answer the farewell
        table.wait_for([])


def test_strangers_wait_for_a_place(tmp_path: Path) -> None:
    with house(tmp_path, strangers=2, request=NEVER) as table, ExitStack() as calls:
        silent = [calls.enter_context(table.call("GET ")) for _ in range(2)]
        waiting = [calls.enter_context(table.call(table.request)) for _ in range(2)]
        table.wait_for([0, 2, 2])
        silent[0].close()
        assert [is_answered(each) for each in waiting] == [True, True]
        assert is_closed(waiting[0]), "what is idle makes room for others"
        table.wait_for([0, 2, 0])
        wait_until(lambda: len(table.open) == 2)
        more = calls.enter_context(table.call(table.request))
        assert is_answered(more)
        assert is_closed(waiting[1]), "also when it was idle before"


def test_pages_that_have_shown_their_key_take_no_place(tmp_path: Path) -> None:
    with house(tmp_path, strangers=1, request=NEVER) as table, ExitStack() as calls:
        host = table.hosts[0]
        for count in range(1, 4):
            page = calls.enter_context(
                connect(f"ws://{host}/talk", origin=f"http://{host}")  # type: ignore[arg-type]
            )
            proof = prove(KEY, host, "/", json.loads(page.recv())["nonce"])
            page.send(json.dumps({"kind": "prove", "proof": proof}))
            table.wait_for([count, 0, 0])
        assert is_answered(calls.enter_context(table.call(table.request)))
        page.close()
        table.wait_for([2, 1, 0])


def test_connections_beyond_all_bounds_are_closed_at_once(tmp_path: Path) -> None:
    with house(tmp_path, connections=3, strangers=1, request=NEVER) as table, ExitStack() as calls:
        silent = [calls.enter_context(table.call("GET ")) for _ in range(3)]
        table.wait_for([0, 1, 2])
        assert is_closed(calls.enter_context(table.call(table.request)))
        assert table.count() == [0, 1, 2]
        for each in silent:
            each.close()
        table.wait_for([])
        assert table.doors._doors == {}


def test_a_page_may_send_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    allowance = Allowance(Limits(rate=2.0, burst=3))

    def taken() -> int:
        return [allowance.take() for _ in range(5)].count(True)

    assert taken() == 3
    found = []
    for seconds in (0.25, 0.25, 1.0, 100.0):
        now[0] += seconds
        found.append(taken())
    assert found == [0, 1, 2, 3]


def test_the_time_begins_anew_with_every_answer(tmp_path: Path) -> None:
    """Three requests of one connection, which together take longer than one may."""
    with house(tmp_path, request=2.0, answer=NEVER) as made, made.call() as call:
        client = HTTPConnection("127.0.0.1")
        client.sock = call
        for pause in (0.0, 1.2, 1.2):
            time.sleep(pause)
            client.request("GET", "/theme.js", headers={"Host": made.hosts[0]})
            answer = client.getresponse()
            assert (answer.status, len(answer.read()) > 0) == (200, True)
        assert client.sock is call, "the same connection"
