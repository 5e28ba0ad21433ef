"""How fast it is: deadwood, whole hands, single steps, beside other engines in the same run.

One thread is measured by the time its processor works, so that a busy machine does not spoil the
ratio to the others; all threads together, and a GPU, by the clock on the wall.
"""

import os
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numba
import numpy as np

from undercut import __version__
from undercut.agents.catalog import parse_agent
from undercut.core.cards import mask
from undercut.core.jit import COMPILED, kernel
from undercut.core.melds import deadwood
from undercut.games.catalog import parse_game
from undercut.lab import peers
from undercut.play.batch import play_batch, prepare
from undercut.play.deal import Deal

DEADWOOD = "deadwood of a 10-card hand"
SIMPLE_HANDS = "simple v simple, whole hands"
RANDOM_HANDS = "random v random, whole hands"
STEPS = "random steps, one Python call each"
VIEW_STEPS = "random steps, with the view of each"

_MATCHES = 64 if COMPILED else 1  # to begin with, for each thread
_DEALS = 8  # at most so many hands to a match, so that no thread waits long for another

Work = Callable[[int], int]  # do at least so much if it can be told, say how much was done


@dataclass(frozen=True)
class Task:
    """Something to measure: what is done, and who does it."""

    what: str
    engine: str
    work: Work
    by_processor_time: bool = True
    start: int = 1


@dataclass(frozen=True)
class Measure:
    """How often something is done in a second, and how often undercut's one thread does it."""

    what: str
    engine: str
    per_second: float
    ratio: float  # undercut on one thread is so many times as fast as this engine


@dataclass(frozen=True)
class Machine:
    """What it was measured on."""

    undercut: str
    python: str
    numba: str
    processor: str
    threads: int
    compiled: bool


def describe_machine() -> Machine:
    """This machine."""
    return Machine(
        undercut=__version__,
        python=platform.python_version(),
        numba=numba.__version__,
        processor=_processor(),
        threads=os.cpu_count() or 1,
        compiled=COMPILED,
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def tasks(workers: int | None = None, cuda: bool = False, with_peers: bool = True) -> list[Task]:
    """Everything that can be measured here; undercut's one thread comes first of its kind."""
    threads = workers or os.cpu_count() or 1
    one, everyone = "undercut, 1 thread", f"undercut, {threads} threads"
    found = [Task(DEADWOOD, one, _deadwoods())]
    for what, agent in ((SIMPLE_HANDS, "simple"), (RANDOM_HANDS, "random")):
        found.append(Task(what, one, _hands(agent, 1, "cpu"), start=_MATCHES))
        if threads > 1:
            start = _MATCHES * threads
            work = _hands(agent, threads, "cpu")
            found.append(Task(what, everyone, work, by_processor_time=False, start=start))
        if cuda:
            work = _hands(agent, None, "cuda")
            found.append(Task(what, "undercut, GPU", work, by_processor_time=False, start=1 << 16))
    found += [Task(STEPS, one, _steps(False)), Task(VIEW_STEPS, one, _steps(True))]
    if with_peers:
        found += [Task(*task) for task in _peer_tasks()]
    return sorted(found, key=lambda task: [t.what for t in found].index(task.what))


def _peer_tasks() -> Iterator[tuple[str, str, Work]]:
    if peers.has_open_spiel():
        name = f"OpenSpiel {peers.version('open_spiel')}"
        yield DEADWOOD, name, peers.open_spiel_deadwoods()
        yield SIMPLE_HANDS, f"{name}, its C++ loop", peers.open_spiel_simple_hands()
        yield RANDOM_HANDS, name, peers.open_spiel_random_hands()
        yield RANDOM_HANDS, f"{name}, its C++ loop", peers.open_spiel_random_hands_in_c()
        yield STEPS, name, peers.open_spiel_steps()
    if peers.has_rlcard():
        name = f"RLCard {peers.version('rlcard')}"
        yield RANDOM_HANDS, name, peers.rlcard_random_hands()
        yield STEPS, name, peers.rlcard_steps()
        yield VIEW_STEPS, name, peers.rlcard_steps()


def run(chosen: list[Task], seconds: float, progress: Callable[[str], None]) -> list[Measure]:
    """Measure each task for about so many seconds; `progress` is told which comes next."""
    measures: list[Measure] = []
    ours: dict[str, float] = {}
    for task in chosen:
        progress(f"{task.what}: {task.engine}")
        rate = measure(task, seconds)
        ours.setdefault(task.what, rate)
        measures.append(Measure(task.what, task.engine, rate, ours[task.what] / rate))
    return measures


def measure(task: Task, seconds: float) -> float:
    """How much of a task is done in a second: more and more of it, until that takes long enough."""
    clock = time.process_time if task.by_processor_time else time.perf_counter
    task.work(task.start)  # compiles
    amount = task.start
    while True:
        began, began_on_wall = clock(), time.perf_counter()
        done = task.work(amount)
        taken, taken_on_wall = clock() - began, time.perf_counter() - began_on_wall
        if taken_on_wall >= seconds and taken > 0:
            return done / taken
        amount = int(amount * min(10.0, max(1.5, 1.2 * seconds / max(taken_on_wall, 1e-9)))) + 1


def gpu_measures(measures: list[Measure]) -> list[Measure]:
    """The measures with those of the GPU alone, without the way there and back, put in place."""
    added = list(measures)
    for what, agent in ((SIMPLE_HANDS, "simple"), (RANDOM_HANDS, "random")):
        place = next(i for i, each in enumerate(added) if each.what == what)
        rate = gpu_hands_per_second(agent)
        ratio = added[place].per_second / rate
        added.insert(place + 1, Measure(what, "undercut, GPU alone", rate, ratio))
    return added


def report(
    machine: Machine, measures: list[Measure], gpu_agrees: bool | None = None
) -> dict[str, Any]:
    """What was measured, as one JSON object."""
    measured = {"machine": asdict(machine), "measures": [asdict(each) for each in measures]}
    return measured if gpu_agrees is None else {**measured, "gpu_agrees_with_cpu": gpu_agrees}


@kernel
def _total_deadwood(hands: Any, count: int) -> int:
    total = 0
    for i in range(count):
        total += deadwood(int(hands[i % len(hands)]), 10)
    return total


def _deadwoods() -> Work:
    chance = np.random.default_rng(1)
    hands = [mask(chance.choice(52, size=10, replace=False).tolist()) for _ in range(8192)]
    table = np.array(hands, dtype=np.int64)

    def work(amount: int) -> int:
        _total_deadwood(table, amount)
        return amount

    return work


def _hands(agent: str, workers: int | None, device: str) -> Work:
    game = parse_game("gin")
    agents = [parse_agent(agent, game)] * 2

    def work(amount: int) -> int:
        batch = play_batch(game, agents, amount, device=device, workers=workers, max_deals=_DEALS)
        return int(batch.matches.deals.sum())

    return work


def agrees_with_cpu(agents: Sequence[str], matches: int = 1000) -> bool:
    """Whether a GPU plays the same matches as the CPU, action for action."""
    game = parse_game("gin")
    players = [parse_agent(agent, game) for agent in agents]
    here, there = (
        play_batch(game, players, matches, seed=1, device=device, trace=4096)
        for device in ("cpu", "cuda")
    )
    same_matches = here.matches.tobytes() == there.matches.tobytes()
    return same_matches and here.traces.tobytes() == there.traces.tobytes()


def gpu_hands_per_second(agent: str, matches: int = 2_000_000) -> float:
    """Whole hands a GPU plays in a second, without the way there and back."""
    from undercut.play.device import play_on_device

    game = parse_game("gin")
    players: list[Any] = [parse_agent(agent, game)] * 2
    best = 0.0
    for count in (4096, matches, matches):  # the first compiles
        rows, _ = prepare(game, players, count, seed=1, max_deals=1)
        seconds = play_on_device(game, players[:1], rows, np.zeros((count, 0), dtype=np.int16))
        best = max(best, int(rows.deals.sum()) / seconds)
    return best


def _steps(with_view: bool) -> Work:
    game = parse_game("gin")
    chance = random.Random(1)  # as the peers are driven

    def work(amount: int) -> int:
        done = 0
        while done < amount:
            deal = Deal(game, seed=done)
            while not deal.is_over:
                if with_view:
                    deal.view()
                deal.apply(chance.choice(deal.legal))
                done += 1
        return done

    return work
