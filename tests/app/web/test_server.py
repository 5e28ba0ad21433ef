"""The server as it runs: bounded messages, no compression, and Ctrl-C."""

from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from web_page import serving


def knock(link: str, **headers: str) -> ClientConnection:
    """A connection as a page makes it; with other headers, as others would."""
    parts = urlsplit(link)
    cookie = f"undercut-{parts.port}={parse_qs(parts.query)['key'][0]}"
    given = {"cookie": cookie, "origin": f"http://{parts.netloc}", **headers}
    return connect(
        f"ws://{parts.netloc}/talk",
        additional_headers={"Cookie": given["cookie"]},
        origin=given["origin"],  # type: ignore[arg-type]
    )


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
        for headers in ({"cookie": "undercut=1"}, {"origin": "http://evil.example"}):
            with pytest.raises(InvalidStatus) as refused, knock(link, **headers):
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
