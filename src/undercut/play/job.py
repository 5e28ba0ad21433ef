"""A job for a match loop: consecutive matches, and the arrays for their results."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from undercut.games.contract import Game
from undercut.kernels.records import Array, Columns
from undercut.play.agent import AnyAgent

Progress = Callable[[int], None]  # receives the number of matches just finished
AgentT = TypeVar("AgentT", bound=AnyAgent)


class Backend(NamedTuple):
    """The device and threads for a batch, and the listener for its progress."""

    device: str = "cpu"
    workers: int | None = None  # CPU threads; None: one for each core
    progress: Progress | None = None


HERE = Backend()


class Job(NamedTuple, Generic[AgentT]):
    """Consecutive matches, from number `first`, and a row for each in `results` and `traces`."""

    game: Game
    agents: Sequence[AgentT]
    series: Columns  # one record: play/series.py
    first: int
    results: Columns
    traces: Array
    progress: Progress | None = None

    def report(self, done: int) -> None:
        """Tell the listener how many matches were just finished."""
        if done and self.progress is not None:
            self.progress(done)
