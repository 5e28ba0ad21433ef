"""Work for a crew: a long series in pieces that many processes play, here or on other machines.

What is played follows from numbers alone, so a piece is the same whoever plays it, and a piece that
is lost can be played again. A crew is whatever takes calls and gives back what they return; here is
how work is divided among it.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypedDict, TypeVar

from undercut.games.contract import Game
from undercut.lab.lineup import Line, sit_down
from undercut.play.agent import AnyAgent

SHORTEST, LONGEST = (
    0.5,
    4.0,
)  # seconds that a piece takes, once it is known how fast they are played
AHEAD = 3  # pieces that are given out, for each that is played at once
GROWTH = 100  # a piece is at most this many times as large as the largest before it

Result = TypeVar("Result", covariant=True)
Play = Callable[[Game, Sequence[AnyAgent], range], Result]


class Job(Protocol[Result]):
    """A piece that was given out; a `concurrent.futures.Future` is one."""

    def result(self) -> Result:
        """Wait for it."""

    def cancel(self) -> object:
        """Nobody needs it any more."""


class Crew(Protocol):
    """Processes that play pieces."""

    @property
    def size(self) -> int:
        """This many pieces are played at once."""

    @property
    def faults(self) -> dict[str, str]:
        """Why agents forfeited games there, the last time, by their names."""

    def submit(self, line: Line, play: Play[Result], numbers: range, /) -> "Job[Played[Result]]":
        """Have `play_piece` called with these arguments."""


class Here(TypedDict, total=False):
    """Where games are played, and what hears how many more there are."""

    device: str
    workers: int | None
    progress: Callable[[int], None] | None


class Where(Here, total=False):
    """Here, or elsewhere by a crew."""

    crew: Crew | None


class Played(NamedTuple, Generic[Result]):
    """What came of a piece."""

    result: Result
    seconds: float
    faults: dict[str, str]  # why agents of this process have forfeited games, the last time


def play_piece(line: Line, play: Play[Result], numbers: range) -> Played[Result]:
    """What each of the crew does: make the agents, or take those from before, and play."""
    game, agents = sit_down(line)
    began = time.perf_counter()
    result = play(game, agents, numbers)
    return Played(result, time.perf_counter() - began, faults_of(agents))


def faults_of(agents: Iterable[AnyAgent]) -> dict[str, str]:
    """Why agents that can forfeit a game have done so, the last time, by their names."""
    found = {agent.name: getattr(agent, "faults", None) for agent in agents}
    return {name: faults[-1] for name, faults in found.items() if faults}


class Pace:
    """How fast something is played, as the largest piece so far shows."""

    def __init__(self) -> None:
        self._tried = self._largest = 0
        self._speed = 0.0

    def heard(self, count: int, seconds: float) -> None:
        """A piece of this many took so long."""
        if count >= self._largest:
            self._largest, self._speed = count, count / max(seconds, 1e-6)

    def next(self, left: int, crew: int) -> int:
        """How many of those left make the next piece; 0: wait until more is known.

        As long as nothing is known, each of the crew gets a piece of one. Later pieces become
        shorter towards the end, so that all are done at about the same time.
        """
        if not self._largest:
            self._tried += 1
            return int(self._tried <= crew)
        seconds = min(max(left / self._speed / (2 * crew), SHORTEST), LONGEST)
        return min(left, int(seconds * self._speed) + 1, GROWTH * self._largest)


@dataclass(frozen=True, eq=False)
class Work(Generic[Result]):
    """Numbers that a line-up is to play; works that are played equally fast share a pace."""

    line: Line
    play: Play[Result]  # it is pickled: a function of a module, or a partial one of it
    numbers: range
    pace: Pace = field(default_factory=Pace)
    most: int = sys.maxsize  # in a piece: what a process has room for


class Piece(NamedTuple, Generic[Result]):
    """A part of some work, done."""

    work: Work[Result]
    numbers: range
    result: Result


def pieces(crew: Crew, works: Iterable[Work[Result]]) -> Iterator[Piece[Result]]:
    """Have all works done, one after another, and yield what comes of them, in order.

    Whoever stops listening stops the crew: what was given out is cancelled.
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
    """What is still to be given out."""

    def __init__(self, works: Iterable[Work[Result]], crew: int) -> None:
        self._works = (work for work in works if work.numbers)
        self._crew = crew
        self._begun: list[tuple[Work[Result], range]] = []

    def cut(self) -> tuple[Work[Result], range] | None:
        """A piece of the first work that can be cut; None if there is none, or none can be cut yet.

        While nobody knows how fast a work is played, the next ones are begun.
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
                self._begun[place : place + 1] = (
                    [(work, numbers[count:])] if numbers[count:] else []
                )
                return work, numbers[:count]
        return None
