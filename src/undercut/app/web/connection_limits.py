"""Limits of connections: their number for each address, and the time of a request.

A stranger is a connection that has not proved a key. A browser opens several for the files of the
page before it can prove one, and many browsers may start at once. So the server does not refuse
strangers beyond the limit: it reads them only when others have gone.
"""

from asyncio import TimerHandle, Transport
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

CLOSING = 2.0  # seconds for the closing handshake of a page

Peer = tuple[str, int]  # an address and its port


@dataclass(frozen=True)
class Bounds:
    """The connections of an address, and its time limits in seconds."""

    connections: int = 256
    strangers: int = 32
    request: float = 10.0  # from the first to the last byte of a request
    answer: float = 120.0


@dataclass
class _Address:
    """The connections of one address."""

    known: set["HttpDoor"] = field(default_factory=set)
    strangers: set["HttpDoor"] = field(default_factory=set)
    waiting: dict["HttpDoor", None] = field(default_factory=dict)  # in the order of arrival

    @property
    def count(self) -> int:
        return len(self.known) + len(self.strangers) + len(self.waiting)


class Doors:
    """All connections of a server, by address."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self._addresses: dict[str, _Address] = {}
        self._doors: dict[Peer, HttpDoor] = {}

    def enter(self, peer: Peer, door: "HttpDoor") -> None:
        """Admit a new connection, let it wait, or abort it."""
        address = self._addresses.setdefault(peer[0], _Address())
        if address.count >= self.bounds.connections:
            door.transport.abort()
            return
        self._doors[peer] = door
        address.waiting[door] = None
        door.transport.pause_reading()
        with self._changed(peer[0]):
            if len(address.strangers) >= self.bounds.strangers:
                idle = next((each for each in address.strangers if each.is_idle), None)
                if idle is not None:
                    idle.dismiss()

    def prove(self, peer: Peer) -> None:
        """Register that a connection has proved a key."""
        door = self._doors.get(peer)
        if door is not None:
            with self._changed(peer[0]) as address:
                address.strangers.discard(door)
                address.known.add(door)

    def leave(self, peer: Peer | None) -> None:
        """Remove a closed connection."""
        door = self._doors.pop(peer, None) if peer else None
        if peer is not None and door is not None:
            with self._changed(peer[0]) as address:
                address.known.discard(door)
                address.strangers.discard(door)
                address.waiting.pop(door, None)

    def is_crowded(self, peer: Peer) -> bool:
        return bool(self._addresses[peer[0]].waiting)

    @contextmanager
    def _changed(self, host: str) -> Iterator[_Address]:
        """Change an address, then admit waiting connections for which there is room."""
        address = self._addresses[host]
        yield address
        while address.waiting and len(address.strangers) < self.bounds.strangers:
            door = next(iter(address.waiting))
            del address.waiting[door]
            address.strangers.add(door)
            door.admit()
        if not address.count:
            del self._addresses[host]


class HttpDoor(H11Protocol):
    """An HTTP connection, which may become a WebSocket."""

    def __init__(self, doors: Doors, **given: Any) -> None:
        super().__init__(**given)
        self._doors = doors
        self._timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Enter the limits of the address."""
        super().connection_made(transport)
        assert self.client is not None, "it came over a network"
        self._doors.enter(self.client, self)

    def admit(self) -> None:
        """Start to read from it."""
        self._limit(self._doors.bounds.request)
        self.transport.resume_reading()

    def _limit(self, seconds: float | None) -> None:
        """Abort the connection after this time; None for no limit."""
        if self._timer is not None:
            self._timer.cancel()
        abort = self.transport.abort
        self._timer = None if seconds is None else self.loop.call_later(seconds, abort)

    def handle_events(self) -> None:
        """Handle received data; a complete request starts the time limit of its answer."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._limit(self._doors.bounds.answer)

    def on_response_complete(self) -> None:
        """Wait for another request, unless other connections wait for the place."""
        self._limit(self._doors.bounds.request)
        super().on_response_complete()
        if self.client is not None and self.is_idle and self._doors.is_crowded(self.client):
            self.dismiss()

    @property
    def is_idle(self) -> bool:
        """Whether its request is answered and no other has come."""
        is_answered = self.cycle is not None and self.cycle.response_complete
        return is_answered and self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def dismiss(self) -> None:
        """Close it like one that was idle for long."""
        self.timeout_keep_alive_handler()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """End the time limits: the application has its own."""
        self._limit(None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the limits of the address."""
        self._limit(None)
        super().connection_lost(exc)
        self._doors.leave(self.client)


class WebSocketDoor(WebSocketsSansIOProtocol):
    """The WebSocket of a page."""

    def __init__(self, doors: Doors, **given: Any) -> None:
        super().__init__(**given)
        self._doors, self.close_timeout = doors, CLOSING

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the limits of the address."""
        super().connection_lost(exc)
        self._doors.leave(self.client)
