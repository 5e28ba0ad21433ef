"""How fast it is: whole hands, single steps, searches, beside other engines in the same run.

One thread is measured by the time its processor works, so that a busy machine does not spoil the
ratio to the others; all threads together, and a GPU, by the clock on the wall.
"""

import os
import platform
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numba
import numpy as np

from undercut import __version__
from undercut.core.agent import Random
from undercut.core.cards import mask
from undercut.core.jit import COMPILED, kernel
from undercut.core.melds import deadwood
from undercut.core.records import new
from undercut.games.agents import parse_agent
from undercut.games.families import parse_game
from undercut.games.gin import rules as gin
from undercut.lab import peers
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.series import make_series, result_layout, trace_type

DEADWOOD = "deadwood of a 10-card hand"
SIMPLE_HANDS = "simple v simple, whole hands"
RANDOM_HANDS = "random v random, whole hands"
ONE = "undercut, 1 thread"
STEPS = "random steps, one Python call each"
VIEW_STEPS = "random steps, with the view of each"

DISCARDS = "the paper's heuristic, discards with 100 samples"
PHARAOH_GAMES = "Pharaoh: random v random, whole games"
PLAYOUTS = {
    "rummy": "Rummy: mcts, rounds played out",
    "pharaoh": "Pharaoh: mcts, games played out",
}

WHOLE_DEALS: dict[str, dict[str, str]] = {
    "gin": {SIMPLE_HANDS: "simple", RANDOM_HANDS: "random"},
    "rummy": {
        "Rummy: random v random, whole rounds": "random",
        "Rummy: random as coded, whole rounds": "restricted:as_coded=1",
        "Rummy: greedy v greedy, whole rounds": "greedy",
    },
    "pharaoh": {
        PHARAOH_GAMES: "random",
        "Pharaoh: heuristic v heuristic, whole games": "heuristic",
    },
}
"""By game: what is measured, and the agent that plays on all seats."""

IDENTITY = {
    "gin": ("patient", "thrifty"),
    "rummy": ("greedy", "restricted"),
    "pharaoh": ("random", "heuristic"),
}
"""Whose matches a GPU must play just as the CPU does."""

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


def tasks(
    games: Iterable[str] = tuple(WHOLE_DEALS),
    workers: int | None = None,
    cuda: bool = False,
    with_peers: bool = True,
) -> list[Task]:
    """Everything that can be measured here; undercut's one thread comes first of its kind."""
    threads = workers or os.cpu_count() or 1
    found: list[Task] = []
    for name in games:
        found += _single_tasks(name)
        for what, agent in WHOLE_DEALS[name].items():
            found += _deal_tasks(name, what, agent, threads, cuda)
        if name == "gin":
            found += _discard_tasks(threads, cuda)
        if with_peers:
            found += _PEERS[name]()
    order = [task.what for task in found]
    return sorted(found, key=lambda task: order.index(task.what))


def _single_tasks(name: str) -> list[Task]:
    """What only one thread does, by game."""
    if name in PLAYOUTS:
        return [Task(PLAYOUTS[name], ONE, _playouts(name))]
    return [
        Task(DEADWOOD, ONE, _deadwoods()),
        Task(STEPS, ONE, _steps(False)),
        Task(VIEW_STEPS, ONE, _steps(True)),
    ]


def _deal_tasks(name: str, what: str, agent: str, threads: int, cuda: bool) -> Iterator[Task]:
    yield Task(what, ONE, whole_deals(name, agent, 1, "cpu"), start=_MATCHES)
    if threads > 1:
        work = whole_deals(name, agent, threads, "cpu")
        engine, start = f"undercut, {threads} threads", _MATCHES * threads
        yield Task(what, engine, work, time.perf_counter, start)
    if cuda:
        work = whole_deals(name, agent, None, "cuda")
        yield Task(what, "undercut, GPU", work, time.perf_counter, 1 << 16)


def _discard_tasks(threads: int, cuda: bool) -> Iterator[Task]:
    yield Task(DISCARDS, ONE, discards(1, "cpu"), start=2)
    if threads > 1:
        work = discards(threads, "cpu")
        yield Task(DISCARDS, f"undercut, {threads} threads", work, time.perf_counter, 2 * threads)
    if cuda:
        yield Task(DISCARDS, "undercut, GPU", discards(None, "cuda"), time.perf_counter, 1 << 16)


def _gin_peers() -> Iterator[Task]:
    if peers.has_open_spiel():
        name = f"OpenSpiel {peers.version('open_spiel')}"
        yield Task(DEADWOOD, name, peers.open_spiel_deadwoods())
        yield Task(SIMPLE_HANDS, f"{name}, its C++ loop", peers.open_spiel_simple_hands())
        yield Task(RANDOM_HANDS, name, peers.open_spiel_random_hands())
        yield Task(RANDOM_HANDS, f"{name}, its C++ loop", peers.open_spiel_random_hands_in_c())
        yield Task(STEPS, name, peers.open_spiel_steps())
    if peers.has_rlcard():
        name = f"RLCard {peers.version('rlcard')}"
        yield Task(RANDOM_HANDS, name, peers.rlcard_random_hands())
        yield Task(STEPS, name, peers.rlcard_steps())
        yield Task(VIEW_STEPS, name, peers.rlcard_steps())


def _rummy_peers() -> Iterator[Task]:
    """No engine of this game can be installed: the same rules as plain Python stand in for one."""
    for what, agent in WHOLE_DEALS["rummy"].items():
        plain = peers.PlainPython("rummy", agent)
        yield Task(what, "these rules, not compiled", plain.work, plain.clock, start=4)


def _pharaoh_peers() -> Iterator[Task]:
    """Crazy Eights is the nearest relative that somebody else has an engine for."""
    if peers.has_open_spiel():
        name = f"OpenSpiel {peers.version('open_spiel')}, Crazy Eights, its C++ loop"
        yield Task(PHARAOH_GAMES, name, peers.open_spiel_crazy_eights())
    plain = peers.PlainPython("pharaoh", "random")
    yield Task(PHARAOH_GAMES, "these rules, not compiled", plain.work, plain.clock, start=4)


_PEERS: dict[str, Callable[[], Iterator[Task]]] = {
    "gin": _gin_peers,
    "rummy": _rummy_peers,
    "pharaoh": _pharaoh_peers,
}


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
    for name in games:
        for what, agent in WHOLE_DEALS[name].items():
            place = next(i for i, each in enumerate(added) if each.what == what)
            rate = gpu_deals_per_second(name, agent)
            ratio = added[place].per_second / rate
            added.insert(place + 1, Measure(what, "undercut, GPU alone", rate, ratio))
    return added


def report(
    machine: Machine, measures: list[Measure], gpu_agrees: dict[str, bool] | None = None
) -> dict[str, Any]:
    """What was measured, as one JSON object."""
    measured = {"machine": asdict(machine), "measures": [asdict(each) for each in measures]}
    return {**measured, "gpu_agrees_with_cpu": gpu_agrees} if gpu_agrees else measured


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


def whole_deals(name: str, agent: str, workers: int | None, device: str) -> Work:
    """Plays matches of one agent on all seats; says how many deals there were."""
    game = parse_game(name)
    agents = [parse_agent(agent, game)] * game.seats

    def work(amount: int) -> int:
        batch = play_batch(game, agents, amount, device=device, workers=workers, max_deals=_DEALS)
        return int(batch.results.deals.sum())

    return work


def discards(workers: int | None, device: str) -> Work:
    """A task that counts the discards of the paper's player against itself."""
    game = parse_game("gin")
    samples = 100 if COMPILED else 1
    players = [parse_agent(f"heuristic:samples={samples}", game)] * 2

    def work(amount: int) -> int:
        batch = play_batch(
            game, players, amount, seed=1, device=device, workers=workers, max_deals=1
        )
        return int(batch.results.tally[:, gin.TALLY.index("draws")].sum())

    return work


def _playouts(name: str) -> Work:
    """Searches for the first move of one deal after another."""
    game = parse_game(name)
    rounds = 400 if COMPILED else 2  # played out for one decision
    agent: Any = parse_agent(f"mcts:iterations={rounds}", game)
    chance = Random.from_seed(1)

    def work(amount: int) -> int:
        done, seed = 0, 0
        while done < amount:
            deal = Deal(game, seed=seed)
            if len(deal.legal) > 1:
                agent.act(deal.view(), deal.legal, chance)
                done += rounds
            seed += 1
        return done

    return work


def agrees_with_cpu(name: str, matches: int = 1000) -> bool:
    """Whether a GPU plays the same matches as the CPU, action for action."""
    game = parse_game(name)
    players = [parse_agent(agent, game) for agent in IDENTITY[name]]
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
    players: list[Any] = [parse_agent(agent, game)] * game.seats
    series = make_series(game, players, 1, max_deals=1, choosers=[0] * game.seats)
    traces = np.zeros((matches, 0), dtype=trace_type(game.rules))
    best = 0.0
    for count in (4096, matches, matches):  # the first compiles
        results = new(result_layout(game.rules), count)
        seconds = play_whole(game, players[:1], series, 0, results, traces[:count])
        best = max(best, int(results.deals.sum()) / seconds)
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
