"""How fast it is: whole hands, single steps, searches, beside other engines in the same run.

One thread is measured by the time its processor works, so that a busy machine does not spoil the
ratio to the others; all threads together, and a GPU, by the clock on the wall.
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
from undercut.play.series import make_series, result_layout, trace_type
from undercut.players.catalog import parse_agent
from undercut.text.errors import OptionsError

ONE = "undercut, 1 thread"

_MATCHES = 64 if COMPILED else 1  # to begin with, for each thread
_DEALS = 8  # at most this many hands to a match, so that no thread waits long for another

Work = Callable[[int], int]  # do at least this much where it can be chosen, say how much was done


@dataclass(frozen=True)
class Task:
    """Something to measure: what is done, and who does it."""

    what: str
    engine: str
    work: Work
    clock: Callable[[], float] = time.process_time
    start: int = 1


def no_tasks() -> Iterable[Task]:
    """Nothing to measure."""
    return ()


@dataclass(frozen=True)
class Bench:
    """What is measured of a game: BENCH of the module `bench` in its folder."""

    deals: Mapping[str, str]  # what is measured: the agent that plays on all seats
    same_on_gpu: tuple[str, ...]  # whose matches a GPU must play just as the CPU does
    single: Callable[[], Iterable[Task]] = no_tasks  # what only one thread does
    more: Callable[[int, bool], Iterable[Task]] = lambda threads, cuda: ()
    """(threads, cuda): what else there is to measure"""
    peers: Callable[[], Iterable[Task]] = no_tasks  # what is measured beside it


@dataclass(frozen=True)
class Measure:
    """How often something is done in a second, and how often undercut's one thread does it."""

    what: str
    engine: str
    per_second: float
    ratio: float  # undercut on one thread is this many times as fast as the engine


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


def find_bench(name: str) -> Bench | None:
    """What is measured of a game, if anything."""
    family = find_family(name)
    bench: Bench | None = import_module(family.bench).BENCH if family.bench else None
    return bench


def all_benches(names: Iterable[str] | None = None) -> dict[str, Bench]:
    """What is measured of these games, or of all of which anything is, by their names."""
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
    """Everything that can be measured here; undercut's one thread comes first of its kind."""
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
        yield Task(what, "undercut, GPU", work, time.perf_counter, 1 << 16)


def run(chosen: list[Task], seconds: float, progress: Callable[[str], None]) -> list[Measure]:
    """Measure each task for about this many seconds; `progress` hears which comes next."""
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
    task.work(task.start)  # compiles
    amount = task.start
    while True:
        began, began_on_wall = task.clock(), time.perf_counter()
        done = task.work(amount)
        taken, taken_on_wall = task.clock() - began, time.perf_counter() - began_on_wall
        if taken_on_wall >= seconds and taken > 0:
            return done / taken
        amount = int(amount * min(10.0, max(1.5, 1.2 * seconds / max(taken_on_wall, 1e-9)))) + 1


def gpu_measures(measures: list[Measure], games: Iterable[str]) -> list[Measure]:
    """The measures with those of the GPU alone, without the way there and back, put in place."""
    added = list(measures)
    for name, bench in all_benches(games).items():
        for what, agent in bench.deals.items():
            place = next(i for i, each in enumerate(added) if each.what == what)
            rate = gpu_deals_per_second(name, agent)
            ratio = added[place].per_second / rate
            added.insert(place + 1, Measure(what, "undercut, GPU alone", rate, ratio))
    return added


def report(
    machine: Machine, measures: list[Measure], gpu_agrees: dict[str, bool] | None = None
) -> dict[str, object]:
    """What was measured, as one JSON object."""
    agreed = {"gpu_agrees_with_cpu": gpu_agrees} if gpu_agrees else {}
    return {"machine": asdict(machine), "measures": [asdict(each) for each in measures], **agreed}


def whole_deals(name: str, agent: str, workers: int | None, device: str) -> Work:
    """Plays matches of one agent on all seats; says how many deals there were."""
    game = parse_game(name)
    agents = [parse_agent(agent, game)] * game.seats

    def work(amount: int) -> int:
        batch = play_batch(game, agents, amount, device=device, workers=workers, max_deals=_DEALS)
        return int(batch.results.deals.sum())

    return work


def playouts(name: str) -> Work:
    """Searches for the first move of one deal after another."""
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


def agrees_with_cpu(name: str, matches: int = 1000) -> bool:
    """Whether a GPU plays the same matches as the CPU, action for action."""
    game = parse_game(name)
    players = [parse_agent(agent, game) for agent in all_benches([name])[name].same_on_gpu]
    here, there = (
        play_batch(game, players, matches, seed=1, device=device, trace=None)
        for device in ("cpu", "cuda")
    )
    same_matches = here.results.tobytes() == there.results.tobytes()
    return same_matches and here.traces.tobytes() == there.traces.tobytes()


def gpu_deals_per_second(name: str, agent: str, matches: int = 2_000_000) -> float:
    """Whole deals a GPU plays in a second, without the way there and back."""
    from undercut.play.gpu.fused import play_whole

    game = parse_game(name)
    player = parse_agent(agent, game)
    assert isinstance(player, KernelAgent), "only kernels run on a GPU"
    series = make_series(game, [player] * game.seats, 1, max_deals=1, choosers=[0] * game.seats)
    traces = np.zeros((matches, 0), dtype=trace_type(game.rules))
    best = 0.0
    for count in (4096, matches, matches):  # the first compiles
        results = new(result_layout(game.rules), count)
        seconds = play_whole(game, [player], series, 0, results, traces[:count])
        best = max(best, int(results.deals.sum()) / seconds)
    return best
