"""Work for a crew: many processes, here or on other machines, play a long series in pieces.

The numbers of its matches determine a piece, so every process plays the same one, and a lost piece
can be played again. A crew accepts calls and returns their results; this module divides the work.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from undercut.games.contract import Game
from undercut.lab.lineup import Line, sit_down
from undercut.play.agent import AnyAgent
from undercut.play.batch import Batch
from undercut.play.job import Progress

SHORTEST, LONGEST = 0.5, 4.0  # seconds for a piece, once their speed is known
AHEAD = 3  # pieces that are submitted, for each process
GROWTH = 100  # a piece is at most this many times as large as the largest before it

Result = TypeVar("Result", covariant=True)
Play = Callable[[Game, Sequence[AnyAgent], range], Result]


class Job(Protocol[Result]):
    """A submitted piece; a `concurrent.futures.Future` is one."""

    def result(self) -> Result:
        """Wait for the result."""

    def cancel(self) -> object: ...


class Crew(Protocol):
    """Processes that play pieces."""

    @property
    def size(self) -> int:
        """The number of processes."""

    @property
    def faults(self) -> dict[str, str]:
        """For each agent that forfeited a game there, the reason of its last forfeit."""

    def submit(self, line: Line, play: Play[Result], numbers: range, /) -> "Job[Played[Result]]":
        """Call `play_piece` with these arguments in one of the processes."""


class Setup(NamedTuple):
    """How matches are played, and the callbacks that follow them; results do not depend on it."""

    device: str = "cpu"
    workers: int | None = None  # threads of a CPU; all by default
    crew: Crew | None = None  # plays instead of this process
    progress: Progress | None = None  # receives the number of matches just played
    keep: Callable[[Batch], None] | None = None  # receives the matches with all their choices


HERE = Setup()


class Played(NamedTuple, Generic[Result]):
    result: Result
    seconds: float
    faults: dict[str, str]  # the last forfeit of each agent in this process


def play_piece(line: Line, play: Play[Result], numbers: range) -> Played[Result]:
    """Make the agents, or take the cached ones, and play: the work of each process."""
    game, agents = sit_down(line)
    began = time.perf_counter()
    result = play(game, agents, numbers)
    return Played(result, time.perf_counter() - began, faults_of(agents))


def faults_of(agents: Iterable[AnyAgent]) -> dict[str, str]:
    """For each agent that has forfeited a game, by name, the reason of its last forfeit."""
    found = {agent.name: getattr(agent, "faults", None) for agent in agents}
    return {name: faults[-1] for name, faults in found.items() if faults}


class Pace:
    """The speed of play, measured on the largest finished piece."""

    def __init__(self) -> None:
        self._tried = self._largest = 0
        self._speed = 0.0

    def heard(self, count: int, seconds: float) -> None:
        """Take the time of a finished piece into account."""
        if count >= self._largest:
            self._largest, self._speed = count, count / max(seconds, 1e-6)

    def next(self, left: int, crew: int) -> int:
        """The size of the next piece; 0: wait for the first results.

        Until a speed is known, each process gets one piece of size 1. Pieces become shorter
        towards the end, so that all processes finish at about the same time.
        """
        if not self._largest:
            self._tried += 1
            return int(self._tried <= crew)
        seconds = min(max(left / self._speed / (2 * crew), SHORTEST), LONGEST)
        return min(left, int(seconds * self._speed) + 1, GROWTH * self._largest)


@dataclass(frozen=True, eq=False)
class Work(Generic[Result]):
    """The matches that a line-up has to play, by number; works of equal speed share a pace."""

    line: Line
    play: Play[Result]  # it is pickled: a function of a module, or a partial one of it
    numbers: range
    pace: Pace = field(default_factory=Pace)
    most: int = sys.maxsize  # in a piece: the limit of a process's memory


class Piece(NamedTuple, Generic[Result]):
    work: Work[Result]
    numbers: range
    result: Result


def pieces(crew: Crew, works: Iterable[Work[Result]]) -> Iterator[Piece[Result]]:
    """Submit all works, one after another, and yield their finished pieces in order.

    Closing the generator cancels all submitted pieces.
    """
    left = _Left(works, crew.size)
    out: deque[tuple[Work[Result], range, Job[Played[Result]]]] = deque()
    try:
        while True:
            while len(out) < AHEAD * crew.size and (found := left.cut()) is not None:
                work, numbers = found
                out.append((work, numbers, crew.submit(work.line, work.play, numbers)))
            if not out:
                return
            work, numbers, job = out[0]
            played = job.result()
            out.popleft()
            work.pace.heard(len(numbers), played.seconds)
            crew.faults.update(played.faults)
            yield Piece(work, numbers, played.result)
    finally:
        for _, _, job in out:
            job.cancel()


class _Left(Generic[Result]):
    """The numbers that are still to be submitted."""

    def __init__(self, works: Iterable[Work[Result]], crew: int) -> None:
        self._works = (work for work in works if work.numbers)
        self._crew = crew
        self._begun: list[tuple[Work[Result], range]] = []

    def cut(self) -> tuple[Work[Result], range] | None:
        """The next piece of the first work whose pace allows one; None if there is none now.

        While the speed of a work is unknown, the next works begin too.
        """
        for place in range(self._crew):
            if place == len(self._begun):
                work = next(self._works, None)
                if work is None:
                    return None
                self._begun.append((work, work.numbers))
            work, numbers = self._begun[place]
            count = min(work.pace.next(len(numbers), self._crew), work.most)
            if count:
                rest = numbers[count:]
                self._begun[place : place + 1] = [(work, rest)] if rest else []
                return work, numbers[:count]
        return None
