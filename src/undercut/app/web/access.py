"""The gate of the server: it admits only requests for this host, from its own pages.

The files of the page hold no secret and are the same for everybody. Data of games needs a
connection that proves its key (`connection.py`), or a ticket from such a connection. A guest's page
has the same files under the path of the seat.
"""

import re
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from undercut.app.web.guest_seats import JOIN, Guest, guest_named

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
GUEST = "undercut.guest"  # the key of the guest in a scope
_SEAT = re.compile(r"/seat/(\d{1,15})-(\d{1,2})/(.*)", re.ASCII)
NO_SEAT = "Open the whole link that you were sent: it has the key to your seat.\n"


class Gate:
    """Refuses foreign hosts and origins."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        """`hosts` are the names of this server in a browser, with the port."""
        self._app, self._hosts = app, hosts
        self._origins = [f"http://{host}" for host in hosts]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        answer = self._answer(scope)
        if answer is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(scope, receive, _with_headers(send))

    def _answer(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("This is not the name of this server.\n", 403)
        origin = headers.get("origin")
        if origin not in self._origins and (origin or scope["type"] == "websocket"):
            return PlainTextResponse("Other pages may not ask this server.\n", 403)
        if scope["path"] == JOIN:
            return _join(parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0])
        seat = _SEAT.fullmatch(scope["path"])
        if seat is not None:
            path = f"/{seat[3]}"
            guest = Guest(int(seat[1]), int(seat[2]))
            scope.update({"path": path, "raw_path": path.encode(), GUEST: guest})
        return None


def _join(key: str) -> Response:
    """Redirect a guest: the key moves into the fragment of the URL, which browsers do not send."""
    guest = guest_named(key)
    if guest is None:
        return PlainTextResponse(NO_SEAT, 403)
    return RedirectResponse(f"{guest.place}#key={key}", 303)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending
