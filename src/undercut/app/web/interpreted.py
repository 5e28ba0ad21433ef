"""A process that plays the first moves of one table while the server compiles its kernels.

Compilation is off here, so the first card is on the table at once. The process keeps the log in the
same store as the server, reads the messages of pages from its input and writes the answers to its
output. It ends when its input does, after the messages that it has read.
"""

import os
import sys
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from undercut.app.company import Person
from undercut.app.store import Store
from undercut.app.web import protocol
from undercut.app.web.table_requests import carry_out, refusing
from undercut.app.web.tables import Tables
from undercut.text.translation import speaking


class _Page:
    """A page that is connected to the server."""

    def __init__(self, number: int, language: str) -> None:
        self._number, self.language = number, language
        self.person = Person()

    def tell(self, message: protocol.Told) -> None:
        """Write an answer; the progress of compilation is the server's to tell."""
        if not isinstance(message, protocol.Preparing):
            _write(protocol.PassedBack(self._number, message))  # type: ignore[arg-type]


def _write(message: protocol.PassedBack) -> None:
    _answers.write(protocol.format_passed(message))
    _answers.flush()


async def serve(folder: Path, pace: float) -> None:
    """Carry out the messages of the input until it ends."""
    tables, pages = Tables(Store(folder), pace), dict[int, _Page]()

    async def do(message: protocol.PassedOn) -> None:
        page = pages.setdefault(message.watcher, _Page(message.watcher, message.language))
        if message.asked is None:
            tables.forget(pages.pop(message.watcher))
            return
        page.person = message.person
        with speaking(message.language), refusing(page.tell):
            await carry_out(tables, message.asked, page, message.seat)

    read = partial(anyio.to_thread.run_sync, sys.stdin.buffer.readline)
    async with anyio.create_task_group() as group:
        while line := await read():
            group.start_soon(do, protocol.parse_passed_on(line))


if __name__ == "__main__":
    _answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what an agent prints is no answer
    anyio.run(serve, Path(sys.argv[1]), float(sys.argv[2]))
    os._exit(0)  # an agent that still thinks in a thread is not waited for
