"""The web table: a server for the person who started it."""

import gc
import socket
from collections.abc import Callable
from functools import partial
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
from undercut.app.web.connection_limits import Doors, HttpDoor, WebSocketDoor
from undercut.app.web.download_tickets import Tickets
from undercut.app.web.first_moves import FirstMoves
from undercut.app.web.guest_seats import Seats
from undercut.app.web.page_translations import texts_of, words_for
from undercut.app.web.protocol import LONGEST
from undercut.app.web.tables import PACE, Tables
from undercut.kernels.jit import COMPILED
from undercut.text.errors import UndercutError
from undercut.text.translation import ENGLISH, LANGUAGES

FILES = resources.files(__package__) / "static"
PING = 20.0  # seconds after which a page that does not answer is dropped
RECORD = "application/jsonl"
JSON = "application/json"
COLLECTIONS = (700, 10, 1000)  # Python's defaults, but full collections are rare
FAREWELL = 2  # seconds for pages to close when the server stops
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
STATIC = {
    f"{folder}{name}": KINDS[kind]
    for folder in ("", "cards/")
    for name in sorted(file.name for file in (FILES / folder).iterdir())
    if (kind := name.rpartition(".")[2]) in KINDS
}
"""The only files that the server sends; it reads them when it starts."""


def make_app(
    store: Store,
    hosts: tuple[str, ...],
    key: str,
    *,
    pace: float = PACE,
    limits: Limits | None = None,
    doors: Doors | None = None,
    sits_down_at_once: bool = False,
) -> Gate:
    """The application of a server with these hosts; `key` is the owner's.

    With `sits_down_at_once` nobody waits for the compiler: another process plays the first moves.
    """
    tables, tickets = Tables(store, pace), Tickets()
    first_moves = FirstMoves(tables) if sits_down_at_once and COMPILED else None
    house = House(
        tables, Seats(store), tickets, doors or Doors(), key, limits or Limits(), first_moves
    )

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
    return (FILES / name).read_bytes()


def _words() -> dict[str, bytes]:
    """The translations of the page, as files by language."""
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
    """Serve until Ctrl-C; call `start` just before accepting connections."""
    doors = Doors()
    app = make_app(store, hosts_of(host, listening), key, doors=doors, sits_down_at_once=True)
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
        http=partial(HttpDoor, doors),  # type: ignore[arg-type]
        ws=partial(WebSocketDoor, doors),  # type: ignore[arg-type]
        ws_max_size=LONGEST,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=FAREWELL,
    )
