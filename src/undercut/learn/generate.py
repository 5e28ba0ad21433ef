"""Decisions for the estimator: matches between agents, in the compact form.

An interrupted run, even after kill -9, continues after the last finished file. The seed and the
agents alone determine the matches. The number of threads, the size of the files and the device do
not matter, except that a GPU may decide near ties between utilities differently.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.records import Buffer
from undercut.lab.extras import need
from undercut.lab.lineup import Line
from undercut.lab.workers import HERE, Crew, Pace, Piece, Setup, Work, pieces
from undercut.learn.shards import (
    HEADING,
    DataError,
    Heading,
    Pairing,
    Shard,
    read_facts,
    read_heading,
    read_shards,
    shard_path,
    write_heading,
    write_shard,
)
from undercut.play.agent import AnyAgent
from undercut.play.batch import play_batch
from undercut.play.job import Backend, Progress
from undercut.play.records.trace import count_decisions
from undercut.play.seeds import Purpose, derive
from undercut.players.belief import belief_of
from undercut.players.catalog import parse_agent
from undercut.text import files
from undercut.text.errors import OptionsError

USUAL = 170  # decisions in a match, a low estimate until there are files to measure
FILES = {"cpu": 8, "cuda": 1}  # the usual number for a pairing, unless they grow too large
LARGEST = {"cpu": 1 << 13, "cuda": 1 << 17}  # matches in a file
TRACED = {"cpu": 1 << 25, "cuda": 1 << 29}  # choices in memory at a time
ROOM = 1 << 11  # choices of a match that are traced at first


@dataclass(frozen=True)
class Generated:
    decisions: int
    matches: int
    bytes: int


def even_pairings(agents: Sequence[str], decisions: int) -> list[Pairing]:
    """Every agent against every other, with equal shares; a single agent plays itself.

    >>> [pairing.decisions for pairing in even_pairings(["a", "b", "c"], 10)]
    [4, 3, 3]
    """
    pairs = list(combinations(agents, 2)) or [(agents[0], agents[0])]
    share, rest = divmod(decisions, len(pairs))
    return [
        Pairing((one, other), share + (number < rest)) for number, (one, other) in enumerate(pairs)
    ]


def generate(
    folder: Path,
    game: Game,
    pairings: Sequence[Pairing],
    seed: int,
    setup: Setup = HERE,
    *,
    shard: int | None = None,
) -> Generated:
    """Make the missing decisions of a folder; a crew makes the same files as this process.

    `setup.progress` receives the number of new decisions.
    """
    need("pyarrow", "train")  # an error now, not when the first file is written
    heading = _open(folder, game, pairings, seed, shard or _shard_size(pairings, setup.device))
    for number, pairing in enumerate(pairings):
        with closing(_Series(folder, game, heading, number, setup)) as series:
            if setup.progress is not None:
                setup.progress(min(series.decisions, pairing.decisions))
            while series.decisions < pairing.decisions:
                series.add_file()
    shards = read_shards(folder)
    return Generated(
        decisions=sum(each.decisions for each in shards),
        matches=sum(each.matches for each in shards),
        bytes=sum(each.path.stat().st_size for each in shards),
    )


def _shard_size(pairings: Sequence[Pairing], device: str) -> int:
    wanted = max(pairing.decisions for pairing in pairings) // (FILES[device] * USUAL)
    return 2 * max(8, min(LARGEST[device], wanted) // 2)


def _open(folder: Path, game: Game, pairings: Sequence[Pairing], seed: int, shard: int) -> Heading:
    """The heading of a new folder, or of one that is continued."""
    belief_of(game)  # an error for a game without an estimator
    for pairing in pairings:
        if pairing.decisions < 1:
            raise OptionsError(f"{pairing.decisions} decisions: must be at least 1")
        for spec in pairing.agents:
            parse_agent(spec, game)
    wanted = Heading(game.name, game.rules.VERSION, seed, list(pairings), shard)
    if not (folder / HEADING).exists():
        write_heading(folder, wanted)
        return wanted
    found = read_heading(folder)
    for name in ("game", "rules_version", "seed", "pairings"):
        old, new = getattr(found, name), getattr(wanted, name)
        if old != new:
            raise DataError(
                f"{str(folder)!r} holds other decisions: its {name.replace('_', ' ')} "
                f"is {_plain(old)}, not {_plain(new)}"
            )
    for part in folder.glob(f"*{files.PART}"):
        part.unlink()
    return found


def _plain(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    return ", ".join(f"{' v '.join(each.agents)} ({each.decisions})" for each in value)


Matches = tuple[list[bytes], Buffer]  # the choices of each match, and its number of decisions


def play_traced(
    game: Game,
    agents: Sequence[AnyAgent],
    numbers: range,
    *,
    seed: int,
    device: str = "cpu",
    workers: int | None = 1,
    progress: Progress | None = None,
) -> Matches:
    """Play matches by their numbers; `progress` receives the number of new matches."""
    codes: list[bytes] = []
    decisions: list[Buffer] = []
    room = ROOM
    while len(codes) < len(numbers):
        block = numbers[len(codes) :][: max(2, TRACED[device] // room)]
        batch = play_batch(
            game, agents, len(block), seed, Backend(device, workers), trace=room, first=block.start
        )
        if not batch.is_traced:  # a match was longer: again, with more room
            room *= 2
            continue
        rows = zip(batch.traces, batch.results.choices.tolist(), strict=True)
        codes += [row[:length].tobytes() for row, length in rows]
        decisions.append(count_decisions(batch))
        if progress is not None:
            progress(len(block))
    return codes, np.concatenate(decisions)


class _Ahead:
    """Matches that a crew plays ahead of time."""

    def __init__(self, crew: Crew, line: Line, seed: int, device: str, first: int) -> None:
        self._crew, self._line, self._first = crew, line, first
        self._play = partial(play_traced, seed=seed, device=device)
        self._pace = Pace()
        self._pieces: Iterator[Piece[Matches]] = iter(())
        self._codes, self._decisions = list[bytes](), list[int]()

    def take(self, count: int, wanted: int, progress: Progress) -> Matches:
        """The next `count` matches; about `wanted` matches are needed in all."""
        while len(self._codes) < count:
            piece = next(self._pieces, None)
            if piece is None:
                self._ask(max(count, wanted) - len(self._codes))
                continue
            codes, decisions = piece.result
            self._codes += codes
            self._decisions += decisions.tolist()
            progress(len(codes))
        taken = self._codes[:count], np.array(self._decisions[:count], dtype=np.int64)
        del self._codes[:count], self._decisions[:count]
        return taken

    def _ask(self, count: int) -> None:
        numbers = range(self._first, self._first + count)
        self._first = numbers.stop
        self._pieces = pieces(self._crew, [Work(self._line, self._play, numbers, self._pace)])


class _Series:
    """The files of one pairing."""

    def __init__(
        self, folder: Path, game: Game, heading: Heading, number: int, setup: Setup
    ) -> None:
        self.game, self.number, self.folder, self.setup = game, number, folder, setup
        self.pairing, self.largest = heading.pairings[number], heading.shard
        self.seed = derive(heading.seed, Purpose.DATA, number, 0)
        self.agents = [parse_agent(spec, game) for spec in self.pairing.agents]
        self.matches, self.decisions = 0, 0
        while shard_path(folder, number, self.matches).exists():
            self._count(read_facts(shard_path(folder, number, self.matches)))
        self._ahead: _Ahead | None = None
        if setup.crew is not None:
            line = Line.of(game, self.agents)
            self._ahead = _Ahead(setup.crew, line, self.seed, setup.device, self.matches)

    def close(self) -> None:
        """Cancel the matches that a crew still plays."""
        self._ahead = None

    def _count(self, shard: Shard) -> None:
        self.matches += shard.matches
        self.decisions += shard.decisions

    @property
    def _usual(self) -> float:
        """The mean number of decisions in a match, as known now."""
        return self.decisions / self.matches if self.matches else USUAL

    def add_file(self) -> None:
        """Play and write the next file."""
        progress, left = self.setup.progress, self.pairing.decisions - self.decisions
        needed = 2 * int(left / self._usual * 0.51 + 2)
        count = min(self.largest, needed)
        reported = 0

        def tell(matches: int) -> None:
            nonlocal reported
            if progress is not None:
                more = max(0, min(int(matches * self._usual), left - reported))
                reported += more
                progress(more)

        if self._ahead is not None:
            wanted = needed if self.matches else count  # at first, no more than a file
            codes, decisions = self._ahead.take(count, wanted, tell)
        else:
            codes, decisions = play_traced(
                self.game,
                self.agents,
                range(self.matches, self.matches + count),
                seed=self.seed,
                device=self.setup.device,
                workers=self.setup.workers,
                progress=tell,
            )
        enough = int(np.searchsorted(np.cumsum(decisions), left)) + 1
        codes, decisions = codes[:enough], decisions[:enough]
        shard = Shard(
            self.game.name,
            self.game.rules.VERSION,
            self.pairing.agents,
            self.seed,
            self.matches,
            len(codes),
            int(decisions.sum()),
            shard_path(self.folder, self.number, self.matches),
        )
        write_shard(shard, codes, decisions)
        self._count(shard)
        if progress is not None:
            progress(min(shard.decisions, left) - reported)
