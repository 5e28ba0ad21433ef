"""Trials that a crew plays, some of them before anybody asks for them.

What the next trial is follows from those before it, so trials are made one after another. But most
can be foreseen: a random search knows them all, a grid search those around the best so far. What is
foreseen wrongly is thrown away, so the trials are the same as without a crew.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from undercut.games.contract import Game
from undercut.lab.compare import Comparison, compare_rounds
from undercut.lab.lineup import Line
from undercut.lab.remote_rounds import Traced, rounds_work
from undercut.lab.rounds import Rounds, joined, whole_rounds
from undercut.lab.workers import Crew, Pace, Work, pieces
from undercut.players.catalog import parse_agent

Trial = tuple[str, list[Comparison]]  # a spec, and how it did against each opponent


@dataclass(frozen=True)
class Measure:
    """Against whom an agent is measured, and on which deals."""

    game: Game
    opponents: tuple[str, ...]
    games: int
    seed: int
    device: str


class Foreseen:
    """What comes of specs that are asked for one after another."""

    def __init__(self, crew: Crew, measure: Measure) -> None:
        self._crew, self._measure = crew, measure
        self._paces = [Pace() for _ in measure.opponents]
        self._played: Iterator[Trial] = iter(())

    def results(self, spec: str, likely: Callable[[], Iterable[str]]) -> list[Comparison]:
        """How a spec does; those that come after it in all likelihood are begun."""
        found = next(self._played, None)
        if found is None or found[0] != spec:
            self._played = self._play(chain([spec], likely()))
            found = next(self._played)
        return found[1]

    def _play(self, specs: Iterable[str]) -> Iterator[Trial]:
        begun: deque[tuple[str, list[Work[Traced]]]] = deque()  # whose results are awaited
        done: dict[Work[Traced], list[Rounds]] = {}

        def works() -> Iterator[Work[Traced]]:
            for spec in specs:
                begun.append((spec, self._works(spec)))
                yield from begun[-1][1]

        def is_done(work: Work[Traced]) -> bool:
            return sum(map(len, done.get(work, []))) == len(work.numbers)

        for piece in pieces(self._crew, works()):
            done.setdefault(piece.work, []).append(piece.result[0])
            while begun and all(map(is_done, begun[0][1])):
                spec, own = begun.popleft()
                yield spec, self._compared(spec, [joined(done.pop(work)) for work in own])

    def _works(self, spec: str) -> list[Work[Traced]]:
        it = self._measure
        works = []
        for opponent, pace in zip(it.opponents, self._paces, strict=True):
            agents = [parse_agent(each, it.game) for each in (spec, opponent)]
            rounds = range(whole_rounds(it.games, agents))
            line = Line.of(it.game, agents)
            works.append(rounds_work(line, rounds, it.seed, device=it.device, pace=pace))
        return works

    def _compared(self, spec: str, played: list[Rounds]) -> list[Comparison]:
        it = self._measure
        return [
            compare_rounds(
                it.game,
                [parse_agent(each, it.game) for each in (spec, opponent)],
                it.seed,
                rounds,
                it.device,
            )
            for opponent, rounds in zip(it.opponents, played, strict=True)
        ]
