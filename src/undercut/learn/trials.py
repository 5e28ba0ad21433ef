"""Trials that a crew plays, some of them speculatively.

The earlier trials determine the next one, so trials follow one after another. But most can be
predicted: a random search knows them all, a grid search those around the current best. Results of
wrong predictions are discarded, so the trials are the same as without a crew.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from undercut.games.contract import Game
from undercut.lab.compare import Comparison, compare_rounds
from undercut.lab.lineup import Line
from undercut.lab.remote_rounds import Traced, rounds_work
from undercut.lab.rounds import Rounds, joined, whole_rounds
from undercut.lab.workers import Crew, Pace, Work, pieces
from undercut.play.agent import AnyAgent
from undercut.players.catalog import parse_agent

Trial = tuple[str, list[Comparison]]  # a spec, and how it did against each opponent


class Foreseen:
    """The results of specs that are requested one after another."""

    def __init__(
        self, crew: Crew, game: Game, opponents: Sequence[str], games: int, seed: int, device: str
    ) -> None:
        self._crew, self._game, self._opponents = crew, game, opponents
        self._games, self._seed, self._device = games, seed, device
        self._paces = [Pace() for _ in opponents]
        self._played: Iterator[Trial] = iter(())

    def results(self, spec: str, likely: Callable[[], Iterable[str]]) -> list[Comparison]:
        """The results of a spec; the crew also begins the specs that are likely to follow."""
        found = next(self._played, None)
        if found is None or found[0] != spec:
            self._played = self._play(chain([spec], likely()))
            found = next(self._played)
        return found[1]

    def _play(self, specs: Iterable[str]) -> Iterator[Trial]:
        begun: deque[tuple[str, list[Work[Traced]]]] = deque()  # specs with pending results
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
        works = []
        for agents, pace in zip(self._pairs(spec), self._paces, strict=True):
            rounds = range(whole_rounds(self._games, agents))
            line = Line.of(self._game, agents)
            works.append(rounds_work(line, rounds, self._seed, device=self._device, pace=pace))
        return works

    def _compared(self, spec: str, played: list[Rounds]) -> list[Comparison]:
        return [
            compare_rounds(self._game, agents, self._seed, rounds, self._device)
            for agents, rounds in zip(self._pairs(spec), played, strict=True)
        ]

    def _pairs(self, spec: str) -> list[list[AnyAgent]]:
        pairs = [(spec, opponent) for opponent in self._opponents]
        return [[parse_agent(each, self._game) for each in pair] for pair in pairs]
