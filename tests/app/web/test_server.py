"""The server as it runs: bounded messages, no compression, and Ctrl-C."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from undercut.app.web.keys import prove
from undercut.cli import main
from web_page import serving


@contextmanager
def knock(link: str, origin: str = "") -> Iterator[ClientConnection]:
    """A connection as a page makes it, or another one."""
    parts = urlsplit(link)
    with connect(
        f"ws://{parts.netloc}/talk",
        origin=origin or f"http://{parts.netloc}",  # type: ignore[arg-type]
    ) as page:
        nonce = json.loads(page.recv())["nonce"]
        proof = prove(parts.fragment.rpartition("key=")[2], parts.netloc, "/", nonce)
        page.send(json.dumps({"kind": "prove", "proof": proof}))
        yield page


def test_messages_are_bounded_and_compression_is_off(tmp_path: Path) -> None:
    with serving(tmp_path) as link:
        with knock(link) as page:
            assert page.protocol.extensions == []
            page.send("{}")
            assert "refused" in str(page.recv())
            page.send(" " * 5000)
            with pytest.raises(ConnectionClosed) as closed:
                page.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        with pytest.raises(InvalidStatus) as refused, knock(link, "http://evil.example"):
            pass
        assert refused.value.response.status_code == 403


def test_a_page_that_is_open_does_not_keep_the_server(tmp_path: Path) -> None:
    with ExitStack() as pages:
        with serving(tmp_path) as link:
            page = pages.enter_context(knock(link))
            page.send('{"kind": "lobby"}')
            assert "lobby" in str(page.recv())
        with pytest.raises(ConnectionClosed):
            page.recv()


HURRIED = """
import sys
from pathlib import Path
from undercut.app.store import Store
from undercut.app.web import server
from undercut.app.web.address import hosts_of, link_to, listen
from undercut.app.web.keys import owner_key
server.PING = 0.2
folder = Path(sys.argv[1])
listening, key = listen("127.0.0.1", 0, folder), owner_key(folder)
print(link_to(hosts_of("127.0.0.1", listening)[0], key), flush=True)
server.serve(Store(folder), listening, "127.0.0.1", key)
"""


def test_a_page_that_is_no_longer_there_is_dropped(tmp_path: Path) -> None:
    """A connection that nobody closed, but where nobody answers."""
    command = [sys.executable, "-c", HURRIED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        parts = urlsplit(server.stdout.readline().split()[-1])
        lines = [
            "GET /talk HTTP/1.1",
            f"Host: {parts.netloc}",
            f"Origin: http://{parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        with socket.create_connection((parts.hostname, parts.port or 0), timeout=20) as silent:
            silent.sendall("\r\n".join([*lines, "", ""]).encode())
            received = b""
            while chunk := silent.recv(4096):
                received += chunk
        assert received.startswith(b"HTTP/1.1 101")
        server.send_signal(signal.SIGINT)


def test_other_machines_are_let_in_with_a_warning_and_guests_get_links(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "undercut", "play", "gin", "--web", "--people", "2"]
    command += ["--host", "0.0.0.0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = [server.stdout.readline() for _ in range(3)]
        server.kill()
    assert said[0].startswith("The table is set: http://")
    assert "/join?key=1-1-" in said[1]
    assert said[2].startswith("Warning: other machines can reach this table")


@pytest.mark.parametrize("arguments", [["--host", "192.0.2.1"], ["--host", "no such host"]])
def test_an_address_that_is_not_ours_gets_one_line(tmp_path: Path, arguments: list[str]) -> None:
    done = CliRunner().invoke(main, ["play", "--web", "--data", str(tmp_path), *arguments])
    assert done.exit_code == 2
    assert "cannot serve at" in done.stderr
    assert done.stderr.count("\n") == 1
