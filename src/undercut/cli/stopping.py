"""Ctrl-C in a training run: what was learned until then is kept."""

import signal
from types import FrameType
from typing import TYPE_CHECKING

from undercut.cli import screen

if TYPE_CHECKING:
    from pathlib import Path

_SAYS = "stopping after this round, and saving; Ctrl-C again stops at once"


class Stop:
    """Asks a run to stop at the first Ctrl-C; before it has learned anything it stops at once."""

    def __init__(self) -> None:
        self.is_asked = False
        self._has_begun = False

    def asked(self) -> bool:
        return self.is_asked

    def __enter__(self) -> "Stop":
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def begin(self) -> None:
        """From now on there is something to keep."""
        self._has_begun = True

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.is_asked or not self._has_begun:
            raise KeyboardInterrupt
        self.is_asked = True
        screen.show_line(_SAYS, err=True)


def leave(folder: "Path") -> None:
    """End the command of a stopped run, and say what is kept."""
    screen.echo(f"what was learned is kept in {folder}: the same command continues", err=True)
    raise KeyboardInterrupt
