"""How many connections an address may have, and how long one may take to say what it wants.

A stranger is a connection that has not shown a key. A browser opens several for the files of the page
before it can show one, and many browsers may begin at once. So strangers beyond a number are not
refused: they wait, unread, until others have gone.
"""

from asyncio import TimerHandle, Transport
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

CLOSING = 2.0  # seconds that a page has to take leave

Peer = tuple[str, int]  # an address and its port


@dataclass(frozen=True)
class Bounds:
    """What an address may have, and how long, in seconds, it may take."""

    connections: int = 256
    strangers: int = 32
    request: float = 10.0  # from the first to the last byte that says what is wanted
    answer: float = 120.0


@dataclass
class _Address:
    """The connections of one address."""

    known: set["HttpDoor"] = field(default_factory=set)
    strangers: set["HttpDoor"] = field(default_factory=set)
    waiting: dict["HttpDoor", None] = field(default_factory=dict)  # in the order of coming

    @property
    def count(self) -> int:
        return len(self.known) + len(self.strangers) + len(self.waiting)


class Doors:
    """All connections of a server, by address."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self._addresses: dict[str, _Address] = {}
        self._doors: dict[Peer, HttpDoor] = {}

    def http(self, **given: Any) -> "HttpDoor":
        """A connection, as the server makes it."""
        return HttpDoor(self, **given)

    def websocket(self, **given: Any) -> "WebSocketDoor":
        """What a connection becomes when it is to last."""
        return WebSocketDoor(self, **given)

    def enter(self, peer: Peer, door: "HttpDoor") -> None:
        """A connection is read now, or waits, or is one too many."""
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
        """A connection has shown a key."""
        door = self._doors.get(peer)
        if door is not None:
            with self._changed(peer[0]) as address:
                address.strangers.discard(door)
                address.known.add(door)

    def leave(self, peer: Peer | None) -> None:
        """A connection has gone."""
        door = self._doors.pop(peer, None) if peer else None
        if peer is not None and door is not None:
            with self._changed(peer[0]) as address:
                address.known.discard(door)
                address.strangers.discard(door)
                address.waiting.pop(door, None)

    def is_crowded(self, peer: Peer) -> bool:
        """Whether others of an address wait."""
        return bool(self._addresses[peer[0]].waiting)

    @contextmanager
    def _changed(self, host: str) -> Iterator[_Address]:
        """Let those in who find a place after a change."""
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
    """A connection that asks for a page, or that becomes a page's."""

    def __init__(self, doors: Doors, **given: Any) -> None:
        super().__init__(**given)
        self._doors = doors
        self._timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        assert self.client is not None, "it came over a network"
        self._doors.enter(self.client, self)

    def admit(self) -> None:
        """Begin to listen to it."""
        self._limit(self._doors.bounds.request)
        self.transport.resume_reading()

    def _limit(self, seconds: float | None) -> None:
        """Give it so long from now on, None for as long as it likes."""
        if self._timer is not None:
            self._timer.cancel()
        abort = self.transport.abort
        self._timer = None if seconds is None else self.loop.call_later(seconds, abort)

    def handle_events(self) -> None:
        """Take what has come; with a whole request, another time begins to run."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._limit(self._doors.bounds.answer)

    def on_response_complete(self) -> None:
        """Wait for another request, unless others wait for the place."""
        self._limit(self._doors.bounds.request)
        super().on_response_complete()
        if self.client is not None and self.is_idle and self._doors.is_crowded(self.client):
            self.dismiss()

    @property
    def is_idle(self) -> bool:
        """Whether it was answered, and has asked for nothing else."""
        is_answered = self.cycle is not None and self.cycle.response_complete
        return is_answered and self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def dismiss(self) -> None:
        """Close it as if it had been idle for long."""
        self.timeout_keep_alive_handler()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on the application sees to its time."""
        self._limit(None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        self._limit(None)
        super().connection_lost(exc)
        self._doors.leave(self.client)


class WebSocketDoor(WebSocketsSansIOProtocol):
    """A page that is connected."""

    def __init__(self, doors: Doors, **given: Any) -> None:
        super().__init__(**given)
        self._doors, self.close_timeout = doors, CLOSING

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        super().connection_lost(exc)
        self._doors.leave(self.client)
