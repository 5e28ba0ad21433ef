"""Rounds that a crew plays: the same as here, and the same sums."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from undercut.core.agent import AnyAgent
from undercut.games.contract import Game
from undercut.games.luck.provided import luck_of
from undercut.lab.crew import Crew, Pace, Piece, Work, pieces
from undercut.lab.line import Line
from undercut.lab.moments import Moments
from undercut.lab.rounds import Rounds, play_rounds
from undercut.play.batch import Batch
from undercut.play.threads import Progress

WHOLE_PARTS = 4  # for each of the crew: then a match need not be divided into anything smaller

Traced = tuple[Rounds, list[Batch]]  # the games too, where they are kept


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
    """Rounds of a line-up, to be done by a crew."""
    play = partial(_play, seed=seed, device=device, adjust=adjust, traced=traced)
    return Work(line, play, numbers, pace or Pace())


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
    rounds = play_rounds(
        game,
        agents,
        numbers,
        seed,
        device=device,
        workers=1,
        keep=kept.append if traced else None,
        luck=luck_of(game) if adjust else None,
    )
    return rounds, kept


def _sum_up(
    game: Game,
    agents: Sequence[AnyAgent],
    parts: range,
    *,
    rounds: range,
    largest: int,
    seed: int,
    device: str,
    adjust: bool,
) -> list[Moments]:
    """Play some of the parts of a match, by their numbers, and sum each up."""
    cut = [rounds[part * largest : (part + 1) * largest] for part in parts]
    play = partial(_play, game, agents, seed=seed, device=device, adjust=adjust)
    return [Moments.of(play(numbers)[0]) for numbers in cut]


@dataclass(frozen=True)
class Away:
    """A match that a crew plays."""

    crew: Crew
    line: Line
    rounds: range
    seed: int
    device: str
    adjust: bool
    progress: Progress | None

    def is_long(self, largest: int) -> bool:
        """Whether each of the crew can play several whole parts."""
        return len(self.rounds) >= WHOLE_PARTS * self.crew.size * largest

    def sums(self, largest: int) -> Iterator[Moments]:
        """The sums of each part; whoever plays a part also sums it up."""
        play = partial(
            _sum_up,
            rounds=self.rounds,
            largest=largest,
            seed=self.seed,
            device=self.device,
            adjust=self.adjust,
        )
        began = time.perf_counter()
        work = Work(self.line, play, range(-(-len(self.rounds) // largest)))
        for piece in pieces(self.crew, [work]):
            for moments in piece.result:
                self._tell(moments.games)
                yield replace(moments, seconds=time.perf_counter() - began)
                began = time.perf_counter()

    def play(self, keep: Callable[[Batch], None] | None, first: int) -> Iterator[Rounds]:
        """The rounds from a number on, in pieces."""
        work = rounds_work(
            self.line,
            self.rounds[first:],
            self.seed,
            device=self.device,
            adjust=self.adjust,
            traced=keep is not None,
        )
        began = time.perf_counter()
        for piece in pieces(self.crew, [work]):
            rounds = self._rounds(piece, keep)
            yield replace(rounds, seconds=time.perf_counter() - began)
            began = time.perf_counter()

    def _rounds(self, piece: Piece[Traced], keep: Callable[[Batch], None] | None) -> Rounds:
        rounds, batches = piece.result
        for batch in batches:
            assert keep is not None, "games are sent back only where they are kept"
            keep(batch)
        self._tell(int(rounds.games.sum()))
        return rounds

    def _tell(self, games: int) -> None:
        if self.progress is not None:
            self.progress(games)
