"""Benchmarks: whole hands, single steps and searches, with other engines in the same run.

One thread is measured in processor time, so that a busy machine does not distort the ratios. All
threads together, and a GPU, are measured in wall-clock time.
"""

import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module

import numba
import numpy as np

from undercut import __version__
from undercut.games.families import FAMILIES, find_family, parse_game
from undercut.kernels.jit import COMPILED
from undercut.kernels.records import new
from undercut.play.agent import KernelAgent, Random
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.job import Backend, Job
from undercut.play.series import make_series, result_layout, trace_type
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError

ONE = "undercut, 1 thread"

GPU_MATCHES = 1 << 16 if COMPILED else 2  # of the first run on a GPU
_MATCHES = 64 if COMPILED else 1  # of the first run, for each thread
_DEALS = 8  # at most, in a match, so that no thread waits long for another
_ROOM = 2_000_000 if COMPILED else 2  # matches whose results a GPU alone writes in one call
COMPARED = 1000 if COMPILED else 4  # matches that a GPU and a CPU both play

Work = Callable[[int], int]  # does about the requested amount; returns the amount done


@dataclass(frozen=True)
class Task:
    """A benchmark: the kind of work, and the engine that does it."""

    what: str
    engine: str
    work: Work
    clock: Callable[[], float] = time.process_time
    start: int = 1

    @property
    def name(self) -> str:
        return f"{self.what}: {self.engine}"


@dataclass(frozen=True)
class Bench:
    """The benchmarks of a game: BENCH of the module `bench` in its folder."""

    deals: Mapping[str, str]  # for each kind of work the agent in all seats
    same_on_gpu: tuple[str, ...]  # agents whose matches must be the same on CPU and GPU
    single: Callable[[], Iterable[Task]] = tuple  # of one thread only
    more: Callable[[int, bool], Iterable[Task]] = lambda threads, cuda: ()
    """(threads, cuda): further benchmarks"""
    peers: Callable[[], Iterable[Task]] = tuple  # of other engines


@dataclass(frozen=True)
class Measure:
    """The speed of an engine, and the ratio of undercut's one thread to it."""

    what: str
    engine: str
    per_second: float
    ratio: float  # undercut on one thread is this many times as fast as the engine


@dataclass(frozen=True)
class Machine:
    """The machine of a measurement."""

    undercut: str
    python: str
    numba: str
    processor: str
    threads: int
    compiled: bool


def describe_machine() -> Machine:
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


def find_bench(name: str) -> Bench | None:
    family = find_family(name)
    bench: Bench | None = import_module(family.bench).BENCH if family.bench else None
    return bench


def all_benches(names: Iterable[str] | None = None) -> dict[str, Bench]:
    """The benchmarks of these games, or of all games that have some, by name."""
    benches = {}
    for name in FAMILIES if names is None else names:
        bench = find_bench(name)
        if bench is not None:
            benches[name] = bench
        elif names is not None:
            raise OptionsError(f"nothing is measured of {name}")
    return benches


def tasks(
    games: Iterable[str] | None = None,
    workers: int | None = None,
    cuda: bool = False,
    with_peers: bool = True,
) -> list[Task]:
    """All benchmarks that can run here; undercut's one thread is the first of each kind."""
    threads = workers or os.cpu_count() or 1
    found: list[Task] = []
    for name, bench in all_benches(games).items():
        found += bench.single()
        for what, agent in bench.deals.items():
            found += _deal_tasks(name, what, agent, threads, cuda)
        found += bench.more(threads, cuda)
        if with_peers:
            found += bench.peers()
    order = [task.what for task in found]
    return sorted(found, key=lambda task: order.index(task.what))


def _deal_tasks(name: str, what: str, agent: str, threads: int, cuda: bool) -> Iterator[Task]:
    yield Task(what, ONE, whole_deals(name, agent, 1, "cpu"), start=_MATCHES)
    if threads > 1:
        work = whole_deals(name, agent, threads, "cpu")
        engine, start = f"undercut, {threads} threads", _MATCHES * threads
        yield Task(what, engine, work, time.perf_counter, start)
    if cuda:
        work = whole_deals(name, agent, None, "cuda")
        yield Task(what, "undercut, GPU", work, time.perf_counter, GPU_MATCHES)
        alone = GpuAlone(name, agent)
        yield Task(what, "undercut, GPU alone", alone.work, alone.clock, GPU_MATCHES)


def run(chosen: Iterable[Task], seconds: float) -> Iterator[Measure]:
    """Measure each task for about this many seconds, once the caller asks for its measure."""
    ours: dict[str, float] = {}
    for task in chosen:
        rate = measure(task, seconds)
        ours.setdefault(task.what, rate)
        yield Measure(task.what, task.engine, rate, ours[task.what] / rate)


def measure(task: Task, seconds: float) -> float:
    """The speed of a task, measured on growing amounts until one takes long enough."""
    task.work(task.start)  # compiles
    amount = task.start
    while True:
        began, began_on_wall = task.clock(), time.perf_counter()
        done = task.work(amount)
        taken, taken_on_wall = task.clock() - began, time.perf_counter() - began_on_wall
        if taken_on_wall >= seconds and taken > 0:
            return done / taken
        amount = int(amount * min(10.0, max(1.5, 1.2 * seconds / max(taken_on_wall, 1e-9)))) + 1


def report(
    machine: Machine, measures: list[Measure], gpu_agrees: dict[str, bool] | None = None
) -> dict[str, object]:
    agreed = {"gpu_agrees_with_cpu": gpu_agrees} if gpu_agrees else {}
    return {"machine": asdict(machine), "measures": [asdict(each) for each in measures], **agreed}


def whole_deals(name: str, agent: str, workers: int | None, device: str) -> Work:
    """Play matches of one agent in all seats; the amount done is in deals."""
    game = parse_game(name)
    agents = [parse_agent(agent, game)] * game.seats

    def work(amount: int) -> int:
        batch = play_batch(game, agents, amount, 0, Backend(device, workers), max_deals=_DEALS)
        return int(batch.results.deals.sum())

    return work


def playouts(name: str) -> Work:
    """Search for the first move of one deal after another."""
    game = parse_game(name)
    rounds = 400 if COMPILED else 2  # played out for one decision
    agent = parse_agent(f"mcts:iterations={rounds}", game)
    assert isinstance(agent, KernelAgent), "not a timed search"
    chance = Random.from_seed(1)

    def work(amount: int) -> int:
        done, seed = 0, 0
        while done < amount:
            deal = Deal(game, seed=seed)
            if len(deal.actions) > 1:
                agent.act(deal.observe(), deal.actions, chance)
                done += rounds
            seed += 1
        return done

    return work


def agrees_with_cpu(name: str, matches: int = COMPARED) -> bool:
    """Whether GPU and CPU play the same matches, action for action."""
    game = parse_game(name)
    players = [parse_agent(agent, game) for agent in all_benches([name])[name].same_on_gpu]
    here, there = (
        play_batch(game, players, matches, 1, Backend(device), trace=None)
        for device in ("cpu", "cuda")
    )
    same_matches = here.results.tobytes() == there.results.tobytes()
    return same_matches and here.traces.tobytes() == there.traces.tobytes()


class GpuAlone:
    """Whole deals on a GPU. The clock is the time of its kernels, without transfers."""

    def __init__(self, name: str, agent: str) -> None:
        game = parse_game(name)
        player = parse_agent(agent, game)
        assert isinstance(player, KernelAgent), "only kernels run on a GPU"
        self._game, self._player, self._seconds = game, player, 0.0

    def clock(self) -> float:
        """The GPU's seconds of all calls."""
        return self._seconds

    def work(self, amount: int) -> int:
        """Play this many matches of one deal; returns the number of deals."""
        from undercut.play.gpu.fused import play_whole

        game, player, deals = self._game, self._player, 0
        series = make_series(game, [player] * game.seats, 1, max_deals=1, choosers=[0] * game.seats)
        room = min(amount, _ROOM)
        results = new(result_layout(game.rules), room)
        traces = np.zeros((room, 0), dtype=trace_type(game.rules))
        for first in range(0, amount, room):
            count = min(room, amount - first)
            rows = results[:count].view(np.recarray)
            job = Job(game, [player], series, first, rows, traces[:count])
            self._seconds += play_whole(job)
            deals += int(rows.deals.sum())
        return deals
