"""What `bench` measures, on a small scale."""

import itertools
import os
import platform
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from random import Random

import numba
import pytest

import undercut
from rulesets import SHIPPED
from simulated import on_simulated_gpu
from undercut.games import families
from undercut.games.gin.lab.bench import DEADWOOD
from undercut.kernels.jit import COMPILED
from undercut.lab import bench, peers
from undercut.players.catalog import agent_names
from undercut.text.errors import OptionsError


def test_everything_is_measured() -> None:
    chosen = bench.tasks(workers=2, with_peers=False)
    measures = list(bench.run(chosen, 0.001))
    assert len(measures) == 21
    for measure in measures:
        assert measure.per_second > 0
        assert measure.engine in ("undercut, 1 thread", "undercut, 2 threads")
        if measure.engine == "undercut, 1 thread":
            assert measure.ratio == 1
    report = bench.report(bench.describe_machine(), measures)
    assert report["machine"]["undercut"]
    assert report["measures"][0]["what"] == DEADWOOD


def test_the_ratio_is_to_undercuts_one_thread() -> None:
    tasks = [
        bench.Task("count", "undercut, 1 thread", lambda amount: sum(1 for _ in range(amount))),
        bench.Task("count", "slow", lambda amount: sum(1 for _ in range(50 * amount)) // 50),
    ]
    ours, theirs = bench.run(tasks, 0.02)
    assert ours.ratio == 1
    assert theirs.ratio == pytest.approx(ours.per_second / theirs.per_second)
    assert 10 < theirs.ratio < 250


def test_each_measure_comes_before_the_next_task_begins() -> None:
    begun: list[str] = []

    def task(name: str) -> bench.Task:
        def work(amount: int) -> int:
            begun.append(name)
            return amount

        return bench.Task("count", name, work, itertools.count().__next__)

    measures = bench.run([task("a"), task("b")], 0.0)
    assert begun == []
    assert next(measures).engine == "a"
    assert set(begun) == {"a"}
    assert [each.engine for each in measures] == ["b"]


def test_a_gpu_alone_counts_its_deals_and_its_own_seconds() -> None:
    """Five matches of one deal, in calls that have room for two; each takes a quarter second."""
    program = """
import undercut.play.gpu.fused as fused
play_whole, played = fused.play_whole, []

def timed(job):
    play_whole(job)
    played.append((job.first, len(job.results)))
    return 0.25

fused.play_whole = timed
from undercut.lab.bench import GpuAlone
alone = GpuAlone("rummy", "greedy")
print(alone.work(5), alone.clock(), played)
"""
    assert on_simulated_gpu(program) == "5 0.75 [(0, 2), (2, 2), (4, 1)]\n"


@pytest.mark.parametrize(
    "work",
    [
        peers.open_spiel_deadwoods,
        peers.open_spiel_steps,
        peers.open_spiel_random_hands,
        peers.open_spiel_random_hands_in_c,
        peers.open_spiel_simple_hands,
        peers.open_spiel_crazy_eights,
        peers.rlcard_steps,
        peers.rlcard_random_hands,
    ],
)
def test_peers_do_at_least_what_is_asked(work: object) -> None:
    assert callable(work)
    assert work()(3) >= 3


def test_steps_of_others_are_counted_one_by_one() -> None:
    class Hand:
        """A hand that is over after three steps."""

        steps = 0

        def reset(self) -> tuple[dict[str, list[int]], int]:
            return {"legal_actions": [7]}, 0

        def step(self, action: int) -> tuple[dict[str, list[int]], int]:
            self.steps += 1
            return self.reset()

        def is_over(self) -> bool:
            return self.steps == 3

    assert peers._rlcard_hand(Hand(), Random(1)) == 3


def test_choices_of_chance_are_no_steps() -> None:
    class State:
        """Five cards are dealt, then two choices are made."""

        def __init__(self) -> None:
            self.history: list[int] = []

        def is_terminal(self) -> bool:
            return len(self.history) == 7

        def is_chance_node(self) -> bool:
            return len(self.history) < 5

        def legal_actions(self) -> list[int]:
            return [3]

        def apply_action(self, action: int) -> None:
            self.history.append(action)

    state = State()
    assert peers._open_spiel_hand(state, Random(1)) == 2
    assert state.history == [3] * 7


def test_a_task_is_measured_by_its_own_clock_until_it_takes_long_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A piece takes 1 ms on the wall, of which the task's clock counts half."""
    wall, amounts = [0.0], list[int]()
    monkeypatch.setattr(bench.time, "perf_counter", lambda: wall[0])

    def work(amount: int) -> int:
        amounts.append(amount)
        wall[0] += 0.001 * amount
        return 2 * amount

    task = bench.Task("what", "who", work, lambda: wall[0] / 2, start=4)
    assert bench.measure(task, 1.0) == pytest.approx(4000)
    assert amounts == [4, 4, 41, 411, 1200], (
        "ten times as many at most, and a fifth more than needed"
    )
    wall[0] = 0.0
    slow = bench.Task("what", "who", work, lambda: wall[0] // 10, start=900)
    amounts.clear()
    assert bench.measure(slow, 1.0) > 0
    assert amounts[1:] == [900, 1351, 2027, 3041, 4562], "until its clock has moved"


def test_the_report_is_all_that_was_measured() -> None:
    machine = bench.Machine("1", "3", "0", "fast", 2, True)
    measures = [bench.Measure("what", "who", 10.0, 1.0)]
    plain = {
        "machine": {
            "undercut": "1",
            "python": "3",
            "numba": "0",
            "processor": "fast",
            "threads": 2,
            "compiled": True,
        },
        "measures": [{"what": "what", "engine": "who", "per_second": 10.0, "ratio": 1.0}],
    }
    assert bench.report(machine, measures) == plain
    agreed = {"gpu_agrees_with_cpu": {"gin": True}}
    assert bench.report(machine, measures, {"gin": True}) == plain | agreed


def test_what_is_measured_of_a_game_and_by_which_clock() -> None:
    """One thread by the processor's time; several, and a GPU, by the clock on the wall."""
    found = [
        (task.what, task.engine, task.clock.__name__, task.start)
        for task in bench.tasks(["rummy"], workers=3, cuda=True, with_peers=False)
    ]
    matches = bench._MATCHES
    deals = [name for name, *_ in found if name in bench.all_benches(["rummy"])["rummy"].deals]
    for what in dict.fromkeys(deals):
        kinds = [each[1:] for each in found if each[0] == what]
        assert kinds == [
            ("undercut, 1 thread", "process_time", matches),
            ("undercut, 3 threads", "perf_counter", 3 * matches),
            ("undercut, GPU", "perf_counter", bench.GPU_MATCHES),
            ("undercut, GPU alone", "clock", bench.GPU_MATCHES),
        ]
    alone = bench.tasks(["rummy"], workers=1, with_peers=False)
    assert {task.engine for task in alone} == {"undercut, 1 thread"}


def test_this_machine_is_described() -> None:
    machine = bench.describe_machine()
    assert machine.undercut == undercut.__version__
    assert machine.python == platform.python_version()
    assert machine.numba == numba.__version__
    assert machine.threads == os.cpu_count()
    assert machine.compiled == COMPILED
    assert machine.processor.strip() == machine.processor != ""
    if "model name" in Path("/proc/cpuinfo").read_text():
        assert f": {machine.processor}\n" in Path("/proc/cpuinfo").read_text()


def test_a_match_is_cut_after_eight_deals() -> None:
    """Random players would go on for much longer."""
    assert bench.whole_deals("gin", "random", 1, "cpu")(2) == 16


def test_searches_are_counted_by_what_they_play_out() -> None:
    rounds = 400 if COMPILED else 2
    work = bench.playouts("rummy")
    assert [work(amount) for amount in (1, rounds, rounds + 1)] == [rounds, rounds, 2 * rounds]


def test_plain_python_plays_the_same_rounds_as_compiled_kernels() -> None:
    plain = peers.PlainPython("rummy", "greedy")
    assert plain.work(1) == bench.whole_deals("rummy", "greedy", 1, "cpu")(1)
    assert plain.clock() > 0


@pytest.mark.parametrize(
    ("game", "engines"),
    [
        ("gin", {"undercut,", "OpenSpiel", "RLCard"}),
        ("rummy", {"undercut,", "these"}),
        ("pharaoh", {"undercut,", "OpenSpiel", "these"}),
    ],
)
def test_peers_are_beside_ours(game: str, engines: set[str]) -> None:
    whats = [task.what for task in bench.tasks([game], workers=1)]
    assert whats == sorted(whats, key=whats.index)
    assert {task.engine.split()[0] for task in bench.tasks([game])} == engines


def test_a_peer_is_named_with_its_version() -> None:
    (named,) = {task.engine for task in bench.tasks(["gin"]) if task.engine.startswith("RLCard")}
    assert named == f"RLCard {metadata.version('rlcard')}"


def test_every_game_is_measured_and_compared_on_a_gpu() -> None:
    benches = bench.all_benches()
    assert list(benches) == SHIPPED
    for name, found in benches.items():
        assert found.deals
        assert set(found.same_on_gpu) <= set(agent_names(families.find_family(name)))


def test_a_game_of_which_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(families.find_family("gin"), bench="")
    monkeypatch.setitem(families.FAMILIES, "bare", bare)
    assert list(bench.all_benches()) == SHIPPED
    with pytest.raises(OptionsError, match="nothing is measured of bare"):
        bench.tasks(["bare"])
