"""Who is let in: only pages of this server, opened by a link with a secret.

The owner's link opens everything. The link of a guest opens one seat of one game: its cookie is for
the paths of that seat alone, so that one browser can have several seats.
"""

import hmac
import re
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from undercut.app.web.seats import JOIN, Seats

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
GUEST = "undercut.guest"  # where an application finds whose seat a page has
_SEAT = re.compile(r"/seat/(\d{1,15}-\d{1,2})/(.*)")
CLOSED = "Open the link that `undercut play` has printed: it has the key to this table.\n"
NO_SEAT = "Open the whole link that you were sent: it has the key to your seat.\n"


class Gate:
    """Refuses foreign hosts and origins, and whoever does not have the secret."""

    def __init__(
        self, app: ASGIApp, hosts: tuple[str, ...], seats: Seats, secret: str | None = None
    ) -> None:
        """`hosts` are what this server is called in a browser, with the port."""
        self._app, self._hosts, self._seats = app, hosts, seats
        self.secret = secret or secrets.token_urlsafe(32)
        self.cookie = f"undercut-{hosts[0].rpartition(':')[2]}"  # cookies are shared by all ports

    @property
    def link(self) -> str:
        """What opens the lobby."""
        return f"http://{self._hosts[0]}/?key={self.secret}"

    def links(self, number: int) -> list[str]:
        """What the guests of a game are sent."""
        guests = self._seats.guests(number)
        return [f"http://{self._hosts[0]}{self._seats.path(guest)}" for guest in guests]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("This is not the name of this server.\n", 403)
        origin = headers.get("origin")
        is_socket = scope["type"] == "websocket"
        if origin not in [f"http://{host}" for host in self._hosts] and (origin or is_socket):
            return PlainTextResponse("Other pages may not ask this server.\n", 403)
        if scope["path"] == "/" and b"key=" in scope["query_string"] and not is_socket:
            return self._enter(_key(scope))
        if scope["path"] == JOIN and not is_socket:
            return self._join(_key(scope))
        seat = _SEAT.fullmatch(scope["path"])
        if seat is not None:
            key = _cookies(headers).get(f"{self.cookie}-{seat[1]}", "")
            return self._sit(scope, seat[1], seat[2], key)
        if not self._is_secret(_cookies(headers).get(self.cookie, "")):
            return PlainTextResponse(CLOSED, 403)
        return None

    def _enter(self, key: str) -> Response:
        """The owner's link: its key becomes a cookie, and leaves the address."""
        if not self._is_secret(key):
            return PlainTextResponse(CLOSED, 403)
        entered = RedirectResponse("/", 303)
        entered.set_cookie(self.cookie, self.secret, httponly=True, samesite="strict")
        return entered

    def _join(self, key: str) -> Response:
        """A guest's link; his browser may follow it from a page where it was sent to him."""
        guest = self._seats.find(key)
        if guest is None:
            return PlainTextResponse(NO_SEAT, 403)
        entered = RedirectResponse(guest.place, 303)
        cookie = f"{self.cookie}-{guest.named}"
        entered.set_cookie(cookie, key, path=guest.place, httponly=True, samesite="lax")
        return entered

    def _sit(self, scope: Scope, named: str, rest: str, key: str) -> Response | None:
        """Let a guest's page have what the owner's has, under the path of the seat."""
        guest = self._seats.find(key)
        if guest is None or guest.named != named:
            return PlainTextResponse(NO_SEAT, 403)
        scope.update({"path": f"/{rest}", "raw_path": f"/{rest}".encode(), GUEST: guest})
        return None

    def _is_secret(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(errors="replace"), self.secret.encode())


def _key(scope: Scope) -> str:
    return parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {name: each.value for name, each in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending
