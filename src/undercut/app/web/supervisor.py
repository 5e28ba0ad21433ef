"""The parent process of the server: when the server crashes, it starts another one.

The parent holds the listening socket, so the port stays and new connections wait. Key and games are
in the folder, so open pages reconnect. When the parent ends, in whatever way, the server sees the
end of the pipe between them and ends too.
"""

import multiprocessing
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple

from undercut.app.data_folder import make_folder
from undercut.app.web.address import hosts_of, is_loopback, link_to, listen
from undercut.app.web.keys import owner_key
from undercut.app.web.open_browser import opened
from undercut.text.errors import OptionsError, UndercutError

if TYPE_CHECKING:
    import uvicorn

    from undercut.app.store import Store

WARNING = (
    "Warning: other machines can reach this table, and what travels is not encrypted. Use it only"
    " in a network whose people you trust, and give each link to one person."
)
MOST_CRASHES, WITHIN = 5, 60.0  # this many crashes in this many seconds end the restarts
FAREWELL = 5.0  # seconds for a server to end
CRASHED = 1  # the exit code

SPAWN = multiprocessing.get_context("spawn")  # the same on every system, and safe with threads

Begin = Callable[["Store"], int | None]
Tell = Callable[[str], None]
Handler = Callable[[int, FrameType | None], object] | int | None


@dataclass(frozen=True)
class Task:
    """The arguments of a server; `begin` opens the first game and returns its number."""

    listening: socket.socket
    folder: Path
    host: str
    key: str
    begin: Begin | None


class Ready(NamedTuple):
    """A server is ready."""

    begun: int | None  # the number of the first game
    invitations: list[str]  # the paths of its guests' links


class Refusal(NamedTuple):
    """A server cannot start with these arguments."""

    why: str


def supervise(
    folder: Path,
    host: str,
    port: int | None,
    is_new_key: bool,
    begin: Begin,
    opens: bool,
    tell: Tell,
) -> int:
    """Keep a server running until Ctrl-C, and return the exit code; `opens` opens a browser."""
    try:
        make_folder(folder)
        key = owner_key(folder, is_new_key)
    except OSError as error:
        raise OptionsError(f"cannot use the games in {str(folder)!r}: {error}") from None
    with listen(host, port, folder) as listening, ExitStack() as until_the_end, Stop() as stop:
        task = Task(listening, folder, host, key, begin)
        try:
            return Supervisor(task, opens, tell, stop, until_the_end).run()
        except KeyboardInterrupt:
            tell("The table is closed. Your games are kept: undercut play goes on with them.")
            return 0


class Supervisor:
    """Starts a server, and another one after each crash."""

    def __init__(
        self, task: Task, opens: bool, tell: Tell, stop: "Stop", until_the_end: ExitStack
    ) -> None:
        self._task, self._opens, self._tell = task, opens, tell
        self._stop, self._until_the_end = stop, until_the_end

    def run(self) -> int:
        """Restart crashed servers; return the exit code after too many crashes."""
        crashes: deque[float] = deque(maxlen=MOST_CRASHES)
        while True:
            how = self._run_server()
            crashes.append(time.monotonic())
            if len(crashes) == MOST_CRASHES and crashes[-1] - crashes[0] < WITHIN:
                self._tell(f"The server has crashed {MOST_CRASHES} times ({how}): it is given up.")
                return CRASHED
            self._tell(f"The server has crashed ({how}) and is started again: open pages go on.")

    def _run_server(self) -> str:
        """Start a server and wait for its end; return how it ended."""
        mine, its = multiprocessing.Pipe()
        server = SPAWN.Process(target=run_server, args=(self._task, its), daemon=True)
        try:
            with mine, suppress(EOFError):  # EOFError: the server ended before it was ready
                with self._stop.ignored():
                    server.start()
                its.close()
                with self._stop.allowed():
                    answer = mine.recv()
                self._welcome(answer)
                with self._stop.allowed():
                    while server.is_alive():
                        server.join(1.0)  # on some systems a signal does not end a wait
        finally:
            server.join(FAREWELL)
            if server.is_alive():
                server.kill()
                server.join()
        return _describe(server.exitcode)

    def _welcome(self, answer: Ready | Refusal) -> None:
        """Print the links to the table when the first server is ready."""
        if isinstance(answer, Refusal):
            raise OptionsError(answer.why)
        if self._task.begin is None:
            return
        host, tell = hosts_of(self._task.host, self._task.listening)[0], self._tell
        self._task = replace(self._task, begin=None)
        link = link_to(host, self._task.key, answer.begun)
        tell(f"The table is set: {link}")
        for place, path in enumerate(answer.invitations, 2):
            tell(f"For person {place}: http://{host}{path}")
        if not is_loopback(self._task.host):
            tell(WARNING)
        tell("Ctrl-C ends it; every game is kept, and goes on where it stood.")
        if self._opens:
            port = self._task.listening.getsockname()[1]
            file = self._task.folder / f"open-{port}.html"
            self._until_the_end.enter_context(opened(file, link))


def _describe(code: int | None) -> str:
    """How a process ended.

    >>> _describe(-9), _describe(3)
    ('signal 9', 'exit code 3')
    """
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def run_server(task: Task, pipe: Connection) -> None:
    """Serve in a child process until the parent closes the pipe or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # some systems do not inherit it
    running: list[uvicorn.Server] = []

    def watch() -> None:
        with suppress(EOFError, OSError):
            pipe.recv()
        if running:
            running[0].should_exit = True
            time.sleep(FAREWELL)
        os._exit(0)  # every acknowledged choice is on the disk

    Thread(target=watch, daemon=True).start()
    from undercut.app.store import Store
    from undercut.app.web.guest_seats import Seats
    from undercut.app.web.server import serve

    try:
        store = Store(task.folder)
        begun = None if task.begin is None else task.begin(store)
        invitations = [] if begun is None else Seats(store).invitations(begun)
    except (UndercutError, OSError) as error:
        pipe.send(Refusal(str(error)))
        return

    def start(server: "uvicorn.Server") -> None:
        running.append(server)
        pipe.send(Ready(begun, [path for _, path in invitations]))

    serve(store, task.listening, task.host, task.key, start)


class Stop:
    """Ctrl-C and other stop signals; they wait while a server starts or ends."""

    _NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # some systems lack the last

    def __init__(self) -> None:
        self._is_allowed = self._is_asked = False
        self._before: dict[int, Handler] = {}

    def __enter__(self) -> "Stop":
        for number in (getattr(signal, name) for name in self._NAMES if hasattr(signal, name)):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *raised: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._is_asked = True
        if self._is_allowed:
            raise KeyboardInterrupt

    @contextmanager
    def ignored(self) -> Iterator[None]:
        """Ignore Ctrl-C, so that a process started here inherits that."""
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Raise KeyboardInterrupt for a signal, also for an earlier one."""
        self._is_allowed = True
        try:
            if self._is_asked:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_allowed = False
