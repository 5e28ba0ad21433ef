"""Rounds that a crew plays: the same as here, and the same sums."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add

from undercut.games.contract import Game
from undercut.lab.lineup import Line
from undercut.lab.rounds import PART, TRACED_PART, Rounds, play_rounds
from undercut.lab.statistics import Moments
from undercut.lab.workers import Crew, Pace, Piece, Work, pieces
from undercut.play.agent import AnyAgent
from undercut.play.batch import Batch
from undercut.play.fused.threads import Progress
from undercut.play.seating import seatings
from undercut.players.luck.provided import luck_of

WHOLE_PARTS = 4  # for each of the crew: then nothing smaller is needed to keep all busy

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


def _sum_parts(
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


def _sum_rounds(
    game: Game, agents: Sequence[AnyAgent], numbers: range, *, largest: int, seed: int, device: str
) -> list[Moments]:
    """Play some rounds, and sum them all up."""
    parts = range(-(-len(numbers) // largest))
    summed = _sum_parts(
        game, agents, parts, rounds=numbers, largest=largest, seed=seed, device=device, adjust=False
    )
    return [reduce(add, summed)]


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

    def can_sum_up(self, largest: int) -> bool:
        """Whether whoever plays can also sum up, so that it comes to the same to the last bit.

        What two players win are whole numbers and quarters, and their sums are exact, however
        they are divided. Other sums are not, so they are taken over the same parts as here; then
        there have to be enough parts.
        """
        return self._is_exact or len(self.rounds) >= WHOLE_PARTS * self.crew.size * largest

    @property
    def _is_exact(self) -> bool:
        return len(self.line.order) == 2 and not self.adjust

    def sums(self, largest: int) -> Iterator[Moments]:
        """The sums of all rounds, bit by bit."""
        began = time.perf_counter()
        for piece in pieces(self.crew, [self._sums_work(largest)]):
            for moments in piece.result:
                self._tell(moments.games)
                yield replace(moments, seconds=time.perf_counter() - began)
                began = time.perf_counter()

    def _sums_work(self, largest: int) -> Work[list[Moments]]:
        if self._is_exact:
            sum_rounds = partial(_sum_rounds, largest=largest, seed=self.seed, device=self.device)
            return Work(self.line, sum_rounds, self.rounds)
        sum_parts = partial(
            _sum_parts,
            rounds=self.rounds,
            largest=largest,
            seed=self.seed,
            device=self.device,
            adjust=self.adjust,
        )
        return Work(self.line, sum_parts, range(-(-len(self.rounds) // largest)))

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
