"""The web table: a server on this machine alone, for the person who has started it."""

import gc
import socket
from collections.abc import Callable
from importlib import resources

import anyio.to_thread
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from undercut.app.store import Store
from undercut.app.stored_games import StoreError
from undercut.app.web.access import GUEST, Gate
from undercut.app.web.address import hosts_of
from undercut.app.web.connection import Connection, House, Limits
from undercut.app.web.connection_limits import Doors
from undercut.app.web.download_tickets import Tickets
from undercut.app.web.guest_seats import Seats
from undercut.app.web.page_translations import texts_of, words_for
from undercut.app.web.protocol import LONGEST
from undercut.app.web.tables import PACE, Tables
from undercut.text.errors import UndercutError
from undercut.text.translation import ENGLISH, LANGUAGES

PING = 20.0  # seconds after which a page that does not answer is dropped
RECORD = "application/jsonl"
JSON = "application/json"
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
    "key.js": "text/javascript",
    "lobby.js": "text/javascript",
    "lookback.js": "text/javascript",
    "named.js": "text/javascript",
    "pile.js": "text/javascript",
    "preparing.js": "text/javascript",
    "settings.js": "text/javascript",
    "sha256.js": "text/javascript",
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
    key: str,
    *,
    pace: float = PACE,
    limits: Limits | None = None,
    doors: Doors | None = None,
) -> Gate:
    """The application, for a server that a browser knows by these hosts; `key` is the owner's."""
    tables, tickets = Tables(store, pace), Tickets()
    house = House(tables, Seats(store), tickets, doors or Doors(), key, limits or Limits())

    async def talk(websocket: WebSocket) -> None:
        await Connection(websocket, house, websocket.scope.get(GUEST)).run()

    async def send_record(request: Request) -> Response:
        ticket = request.query_params.get("ticket", "")
        number = tickets.take(ticket, request.path_params["number"])
        if number is None:
            return PlainTextResponse("Download records from the page of the table.\n", 403)
        try:
            text = await anyio.to_thread.run_sync(tables.record, number)
        except StoreError:
            return PlainTextResponse("There is no such game.\n", 404)
        except UndercutError as error:
            return PlainTextResponse(f"{error}\n", 409)
        name = f'attachment; filename="undercut-{number}.jsonl"'
        return Response(text, media_type=RECORD, headers={"content-disposition": name})

    routes: list[BaseRoute] = [WebSocketRoute("/talk", talk)]
    routes += [Route("/records/{number}", send_record)]
    routes += [Route(_path(name), _sender(_read(name), kind)) for name, kind in STATIC.items()]
    routes += [Route(f"/{name}", _sender(words, JSON)) for name, words in _words().items()]
    return Gate(Starlette(routes=routes), hosts)


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
    listening: socket.socket,
    host: str,
    key: str,
    start: Callable[[uvicorn.Server], None] = lambda server: None,
) -> None:
    """Serve until Ctrl-C; `start` is called when connections are about to be accepted."""
    doors = Doors()
    app = make_app(store, hosts_of(host, listening), key, doors=doors)
    gc.set_threshold(*COLLECTIONS)
    server = uvicorn.Server(_configuration(app, doors))
    start(server)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
        store.close()


def _configuration(app: Gate, doors: Doors) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="off",
        http=doors.http,  # type: ignore[arg-type]
        ws=doors.websocket,  # type: ignore[arg-type]
        ws_max_size=LONGEST,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=FAREWELL,
    )
