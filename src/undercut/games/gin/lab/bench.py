"""The benchmarks of Gin: hands, steps and discards, compared with OpenSpiel and RLCard."""

import random
import time
from collections.abc import Iterator

import numpy as np

from undercut.cards.french import mask
from undercut.games.families import parse_game
from undercut.games.gin.lab.deadwoods import total_deadwood
from undercut.games.gin.rules import deal as gin
from undercut.kernels.jit import COMPILED
from undercut.lab import peers
from undercut.lab.bench import GPU_MATCHES, ONE, Bench, Task, Work
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.play.job import Backend
from undercut.players.catalog import parse_agent

DEADWOOD = "deadwood of a 10-card hand"
SIMPLE_HANDS = "simple v simple, whole hands"
RANDOM_HANDS = "random v random, whole hands"
STEPS = "random steps, one Python call each"
VIEW_STEPS = "random steps, with the view of each"
DISCARDS = "the paper's heuristic, discards with 100 samples"


def _single() -> Iterator[Task]:
    yield Task(DEADWOOD, ONE, _deadwoods())
    yield Task(STEPS, ONE, _steps(False))
    yield Task(VIEW_STEPS, ONE, _steps(True))


def _discard_tasks(threads: int, cuda: bool) -> Iterator[Task]:
    yield Task(DISCARDS, ONE, discards(1, "cpu"), start=2)
    if threads > 1:
        work = discards(threads, "cpu")
        yield Task(DISCARDS, f"undercut, {threads} threads", work, time.perf_counter, 2 * threads)
    if cuda:
        work = discards(None, "cuda")
        yield Task(DISCARDS, "undercut, GPU", work, time.perf_counter, GPU_MATCHES)


def _peers() -> Iterator[Task]:
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


def _deadwoods() -> Work:
    chance = np.random.default_rng(1)
    hands = [mask(chance.choice(52, size=10, replace=False).tolist()) for _ in range(8192)]
    table = np.array(hands, dtype=np.int64)

    def work(amount: int) -> int:
        total_deadwood(table, amount)
        return amount

    return work


def discards(workers: int | None, device: str) -> Work:
    """The discards of the paper's player against itself."""
    game = parse_game("gin")
    samples = 100 if COMPILED else 1
    players = [parse_agent(f"heuristic:samples={samples}", game)] * 2

    def work(amount: int) -> int:
        batch = play_batch(game, players, amount, 1, Backend(device, workers), max_deals=1)
        return int(batch.results.tally[:, gin.TALLY.index("draws")].sum())

    return work


def _steps(with_view: bool) -> Work:
    game = parse_game("gin")
    chance = random.Random(1)  # the same generator as for the peers

    def work(amount: int) -> int:
        done = 0
        while done < amount:
            deal = Deal(game, seed=done)
            while not deal.is_over:
                if with_view:
                    deal.observe()
                deal.apply(chance.choice(deal.actions))
                done += 1
        return done

    return work


BENCH = Bench(
    deals={SIMPLE_HANDS: "simple", RANDOM_HANDS: "random"},
    same_on_gpu=("patient", "thrifty"),
    single=_single,
    more=_discard_tasks,
    peers=_peers,
)
