"""Rounds that a crew plays: the same rounds and the same sums as in this process."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add

from undercut.games.contract import Game
from undercut.lab.lineup import Line
from undercut.lab.rounds import PART, TRACED_PART, Rounds, play_rounds
from undercut.lab.statistics import Moments
from undercut.lab.workers import Crew, Pace, Setup, Work, pieces
from undercut.play.agent import AnyAgent
from undercut.play.batch import Batch
from undercut.play.seating import seatings
from undercut.players.luck.provided import luck_of

WHOLE_PARTS = 4  # for each process: enough to keep all busy without smaller pieces

Traced = tuple[Rounds, list[Batch]]  # with the games, if they are kept


def rounds_work(
    line: Line,
    numbers: range,
    seed: int,
    *,
    device: str = "cpu",
    adjust: bool = False,
    traced: bool = False,
    pace: Pace | None = None,
) -> Work[Traced]:
    play = partial(_play, seed=seed, device=device, adjust=adjust, traced=traced)
    games = TRACED_PART if adjust or traced else PART[device]
    return Work(line, play, numbers, pace or Pace(), games // len(seatings(line.order)))


def _play(
    game: Game,
    agents: Sequence[AnyAgent],
    numbers: range,
    *,
    seed: int,
    device: str,
    adjust: bool,
    traced: bool = False,
) -> Traced:
    kept: list[Batch] = []
    setup = Setup(device, 1, keep=kept.append if traced else None)
    luck = luck_of(game) if adjust else None
    return play_rounds(game, agents, numbers, seed, setup, luck), kept


def _sum_parts(
    game: Game,
    agents: Sequence[AnyAgent],
    parts: range,
    *,
    rounds: range,
    largest: int,
    play: "partial[Traced]",
) -> list[Moments]:
    """Play some of the parts of a match, by their numbers, and sum each up."""
    cut = (rounds[part * largest : (part + 1) * largest] for part in parts)
    return [Moments.of(play(game, agents, numbers)[0]) for numbers in cut]


def _sum_rounds(
    game: Game, agents: Sequence[AnyAgent], numbers: range, *, largest: int, play: "partial[Traced]"
) -> list[Moments]:
    """Play some rounds, and sum them all up."""
    parts = range(-(-len(numbers) // largest))
    summed = _sum_parts(game, agents, parts, rounds=numbers, largest=largest, play=play)
    return [reduce(add, summed)]


@dataclass(frozen=True)
class Away:
    """A match that a crew plays."""

    crew: Crew
    line: Line
    rounds: range
    seed: int
    setup: Setup
    adjust: bool

    def can_sum_up(self, largest: int) -> bool:
        """Whether the crew can also add up the results, with the same sums to the last bit.

        The wins of two players are whole numbers and quarters, so their sums are exact however they
        are divided. Other sums have to use the same parts as this process; that needs enough parts.
        """
        return self._is_exact or len(self.rounds) >= WHOLE_PARTS * self.crew.size * largest

    @property
    def _is_exact(self) -> bool:
        return len(self.line.order) == 2 and not self.adjust

    def sums(self, largest: int) -> Iterator[Moments]:
        """The sums of all rounds, part by part."""
        play = partial(_play, seed=self.seed, device=self.setup.device, adjust=self.adjust)
        work = Work(
            self.line,
            partial(_sum_parts, rounds=self.rounds, largest=largest, play=play),
            range(-(-len(self.rounds) // largest)),
        )
        if self._is_exact:
            work = Work(self.line, partial(_sum_rounds, largest=largest, play=play), self.rounds)
        began = time.perf_counter()
        for piece in pieces(self.crew, [work]):
            for moments in piece.result:
                self._report(moments.games)
                yield replace(moments, seconds=time.perf_counter() - began)
                began = time.perf_counter()

    def play(self, first: int) -> Iterator[Rounds]:
        """The rounds from a number on, in pieces."""
        keep = self.setup.keep
        work = rounds_work(
            self.line,
            self.rounds[first:],
            self.seed,
            device=self.setup.device,
            adjust=self.adjust,
            traced=keep is not None,
        )
        began = time.perf_counter()
        for piece in pieces(self.crew, [work]):
            rounds, batches = piece.result
            for batch in batches:
                assert keep is not None, "the crew returns games only if they are kept"
                keep(batch)
            self._report(int(rounds.games.sum()))
            yield replace(rounds, seconds=time.perf_counter() - began)
            began = time.perf_counter()

    def _report(self, games: int) -> None:
        if self.setup.progress is not None:
            self.setup.progress(games)
