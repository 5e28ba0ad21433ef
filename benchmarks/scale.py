"""What a cluster costs: CPU time of the command and of its processes, beside the same match here.

`python benchmarks/scale.py` prints what docs/scale.md computes from. Wall time on a busy machine
says little, so everything is CPU time.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from undercut.adapters.cluster import Cluster
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.lab.compare import play_match
from undercut.lab.lineup import Line
from undercut.lab.rounds import warm_up
from undercut.lab.tournament import Tournament
from undercut.lab.workers import Setup
from undercut.play.agent import AnyAgent
from undercut.players.catalog import parse_agent

AGENTS = ("simple", "patient")
QUICK = "gin:target=1"  # a match of one deal: the most results for the least play
LONG = "gin"


def cpu_of_process(game: Game, agents: Sequence[AnyAgent], numbers: range) -> tuple[int, float]:
    """The process that plays, and its CPU time so far; it waits, so that each process gets one."""
    time.sleep(0.5)
    return os.getpid(), time.process_time()


def nothing(game: Game, agents: Sequence[AnyAgent], numbers: range) -> None:
    """What a piece costs that holds no games."""


def line_up(name: str) -> tuple[Game, list[AnyAgent]]:
    """A game and who plays it."""
    game = parse_game(name)
    return game, [parse_agent(spec, game) for spec in AGENTS]


def processes_cpu(crew: Cluster, line: Line) -> dict[int, float]:
    """The CPU time of each process."""
    jobs = [crew.submit(line, cpu_of_process, range(1)) for _ in range(2 * crew.size)]
    times: dict[int, float] = {}
    for job in jobs:
        process, seconds = job.result().result
        times[process] = max(seconds, times.get(process, 0.0))
    return times


def cpu(do: Callable[[], object]) -> float:
    """The CPU time of this process that something takes."""
    began = time.process_time()
    do()
    return time.process_time() - began


def measure_match(crew: Cluster, name: str, games: int) -> None:
    """One match here and on the cluster."""
    game, agents = line_up(name)
    line = Line.of(game, agents)
    warm_up(game, agents)
    away = Setup(crew=crew)
    play_match(game, agents, 2000, setup=away)  # each process has loaded its kernels
    here = cpu(lambda: play_match(game, agents, games, setup=Setup(workers=1)))
    before = processes_cpu(crew, line)
    driver = cpu(lambda: play_match(game, agents, games, setup=away))
    after = processes_cpu(crew, line)
    players = sum(after.values()) - sum(before.values())
    print(
        f"{name}, {games:,} games, {crew.size} processes: here {here:.2f} s of CPU, "
        f"processes {players:.2f} s ({here / players:.0%}), command {driver:.3f} s"
    )


def measure_tournament(crew: Cluster, games: int) -> None:
    """What the command does for each round that comes back and is kept."""
    game, agents = line_up(QUICK)
    with (
        TemporaryDirectory() as folder,
        Tournament(
            game, dict(zip(AGENTS, agents, strict=True)), games, 0, Path(folder) / "kept.db"
        ) as contest,
    ):
        seconds = cpu(lambda: contest.play(Setup(crew=crew)))
    print(f"a round of a tournament costs the command {seconds / (games / 2) * 1e6:.1f} µs of CPU")


def measure_pieces(crew: Cluster, at_once: int) -> None:
    """What the command does for a piece where this many are at work."""
    line, own, count = Line.of(*line_up(QUICK)), crew.size, 2 * at_once + 1000

    def send() -> None:
        for job in [crew.submit(line, nothing, range(1)) for _ in range(count)]:
            job.result()

    crew.size = at_once
    each = cpu(send) / count
    crew.size = own
    print(f"{at_once:,} at once: a piece costs the command {each * 1e3:.2f} ms of CPU")


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--games", type=int, default=200_000)
    wanted = parser.parse_args()
    with Cluster("local", workers=wanted.workers) as crew:
        measure_match(crew, LONG, wanted.games)
        measure_match(crew, QUICK, 5 * wanted.games)
        measure_tournament(crew, wanted.games)
        for at_once in (wanted.workers, 100, 1000):
            measure_pieces(crew, at_once)


if __name__ == "__main__":
    main()
