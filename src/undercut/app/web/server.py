"""The web table: a server on this machine alone, for the person who has started it."""

import gc
import socket
import webbrowser
from collections.abc import Callable
from importlib import resources
from threading import Timer

import anyio.to_thread
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from undercut.app.store import Store
from undercut.app.web.connection import Connection, Limits
from undercut.app.web.gate import GUEST, Gate
from undercut.app.web.protocol import LONGEST
from undercut.app.web.seats import Seats
from undercut.app.web.spoken import texts_of, words_for
from undercut.app.web.tables import PACE, Tables
from undercut.core.errors import OptionsError, UndercutError
from undercut.core.words import ENGLISH, LANGUAGES

LOOPBACK = "127.0.0.1"
WARNING = (
    "Warning: other machines can reach this table, and what travels is not encrypted. Use it only in"
    " a network whose people you trust, and give each link to one person."
)
PING = 20.0  # seconds after which a page that does not answer is dropped
RECORD = "application/jsonl"
JSON = "application/json"
MOST = 2**53 - 1  # a number of a game that there will never be
COLLECTIONS = (700, 10, 1000)  # as Python has them, but it looks at everything once an hour
FAREWELL = 2  # seconds that pages have to go when the server stops
STATIC = {
    "index.html": "text/html",
    "style.css": "text/css",
    "theme.js": "text/javascript",
    "app.js": "text/javascript",
    "byhand.js": "text/javascript",
    "cards.js": "text/javascript",
    "drag.js": "text/javascript",
    "fair.js": "text/javascript",
    "guests.js": "text/javascript",
    "lobby.js": "text/javascript",
    "lookback.js": "text/javascript",
    "named.js": "text/javascript",
    "pile.js": "text/javascript",
    "preparing.js": "text/javascript",
    "settings.js": "text/javascript",
    "statistics.js": "text/javascript",
    "table.js": "text/javascript",
    "tabledrag.js": "text/javascript",
    "wire.js": "text/javascript",
    "words.js": "text/javascript",
    "lit.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "cards/cards.css": "text/css",
    "cards/french.svg": "image/svg+xml",
    "cards/german.svg": "image/svg+xml",
}
"""Everything that is ever sent of a file, read when the server starts."""


def make_app(
    store: Store,
    hosts: tuple[str, ...],
    *,
    secret: str | None = None,
    pace: float = PACE,
    limits: Limits | None = None,
) -> Gate:
    """The application, for a server that a browser knows by these hosts."""
    tables, seats, allowed = Tables(store, pace), Seats(store), limits or Limits()

    async def talk(websocket: WebSocket) -> None:
        await Connection(websocket, tables, seats, allowed, websocket.scope.get(GUEST)).run()

    async def send_record(request: Request) -> Response:
        number, guest = min(request.path_params["number"], MOST), request.scope.get(GUEST)
        if guest is not None and guest.number != number:
            return PlainTextResponse("This is not your game.\n", 404)
        try:
            text = await anyio.to_thread.run_sync(tables.record, number)
        except UndercutError as error:
            return PlainTextResponse(f"{error}\n", 404)
        name = f'attachment; filename="undercut-{number}.jsonl"'
        return Response(text, media_type=RECORD, headers={"content-disposition": name})

    routes: list[BaseRoute] = [WebSocketRoute("/talk", talk)]
    routes += [Route("/records/{number:int}", send_record)]
    routes += [Route(_path(name), _sender(_read(name), kind)) for name, kind in STATIC.items()]
    routes += [Route(f"/{name}", _sender(words, JSON)) for name, words in _words().items()]
    return Gate(Starlette(routes=routes), hosts, seats, secret)


def _path(name: str) -> str:
    return "/" if name == "index.html" else f"/{name}"


def _read(name: str) -> bytes:
    return resources.files(__package__).joinpath("static", name).read_bytes()


def _words() -> dict[str, bytes]:
    """What the page is sent to speak another language than English."""
    scripts = [_read(name).decode() for name in STATIC if name.endswith(".js")]
    texts = [text for script in scripts for text in texts_of(script)]
    others = [language for language in LANGUAGES if language != ENGLISH]
    return {
        f"words/{language}.json": msgspec.json.encode(words_for(language, texts))
        for language in others
    }


def _sender(content: bytes, kind: str) -> Callable[[Request], Response]:
    async def send(request: Request) -> Response:
        return Response(content, media_type=kind)

    return send  # type: ignore[return-value]


def serve(
    store: Store,
    port: int,
    begun: int | None,
    opens: bool,
    tell: Callable[[str], None],
    host: str = LOOPBACK,
) -> None:
    """Serve until Ctrl-C; `begun` is a game to open at once, `opens` whether to open a browser."""
    listening = listen(host, port)
    port = listening.getsockname()[1]
    app = make_app(store, tuple(f"{name}:{port}" for name in names_of(host)))
    link = app.link + (f"#{begun}" if begun is not None else "")
    tell(f"The table is set: {link}")
    for place, invitation in enumerate(app.links(begun) if begun is not None else [], 2):
        tell(f"For person {place}: {invitation}")
    if not is_loopback(host):
        tell(WARNING)
    tell("Ctrl-C ends it; every game is kept, and goes on where it stood.")
    if opens:
        opening = Timer(0.3, webbrowser.open, (link,))  # when the server listens
        opening.daemon = True
        opening.start()
    gc.set_threshold(*COLLECTIONS)
    server = uvicorn.Server(_configuration(app))
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
        store.close()
    tell("The table is closed. Your games are kept: undercut play goes on with them.")


def listen(host: str, port: int) -> socket.socket:
    """A socket where browsers find the server; an error that says what is wrong."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        raise OptionsError(f"cannot serve at {host!r}, port {port}: {error}") from None


def is_loopback(host: str) -> bool:
    """Whether an address is for this machine alone.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "10.0.0.7")]
    [True, True, True, False, False]
    """
    return host in ("localhost", "::1") or host.startswith("127.")


def names_of(host: str) -> list[str]:
    """What a browser may call a server at this address; the first one stands in links.

    >>> names_of("127.0.0.1")
    ['127.0.0.1', 'localhost']
    """
    if is_loopback(host):
        return [_in_link(host), *(["localhost"] if host != "localhost" else [])]
    if host not in ("0.0.0.0", "::"):
        return [_in_link(host)]
    name = socket.gethostname()
    return [_own_address(), name, f"{name}.local", LOOPBACK, "localhost"]


def _in_link(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """By which address other machines know this one; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def _configuration(app: Gate) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=LONGEST,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=FAREWELL,
    )
