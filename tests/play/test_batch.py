"""Batches: the same matches on one thread, on many, in lock-step, interpreted and on a GPU."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from play.line_up import line_up
from positions import scaled
from rulesets import EVERY, some_of
from undercut.games.families import all_families
from undercut.play.batch import distinct_agents, play_batch
from undercut.play.fused import loop
from undercut.play.gpu import fused as device
from undercut.play.gpu import stepped
from undercut.play.job import Backend
from undercut.play.records.record import parse_record, verify
from undercut.play.records.trace import record_of
from undercut.players.catalog import all_agents
from undercut.text.errors import AgentError, OptionsError

TRACE = 20_000


class Watched:
    """An agent written in Python that plays as a kernel agent does."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.name = "watched"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        assert len(legal) > 1, "an agent is asked only when it has a choice"
        return int(self.agent.act(view, legal, random))


class First:
    """A batched agent that takes the first legal action."""

    name = "first"

    def act_batch(self, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
        assert len(views) == len(legal) == len(counts) == len(generators)
        return legal[:, 0]


def digest(batch: Any) -> str:
    records = [record_of(batch, index) for index in range(len(batch))]
    return hashlib.sha256("".join(records).encode()).hexdigest()


@pytest.mark.parametrize("rules", some_of(EVERY))
def test_threads_and_lock_step_play_the_same_matches(rules: str) -> None:
    game, agents = line_up(rules)
    size: dict[str, Any] = {"count": scaled(40, 2), "max_deals": scaled(8, 1), "trace": TRACE}
    alone = play_batch(game, agents, seed=3, **size, backend=Backend(workers=1))
    threaded = play_batch(game, agents, seed=3, **size, backend=Backend(workers=3))
    stepped = play_batch(game, [Watched(agents[0]), *agents[1:]], seed=3, **size)
    assert alone.results.tobytes() == threaded.results.tobytes()
    assert alone.traces.tobytes() == threaded.traces.tobytes() == stepped.traces.tobytes()
    assert np.array_equal(alone.scores, stepped.scores)
    assert alone.is_traced


PROGRAM = """
from play.line_up import line_up
from play.test_batch import TRACE, digest
from undercut.play.batch import play_batch
from undercut.play.job import Backend
for rules, specs, deals in {cases!r}:
    game, agents = line_up(rules, *specs)
    backend = Backend(device={device!r})
    print(digest(play_batch(game, agents, 2, 11, backend, max_deals=deals, trace=TRACE)))
"""


# Rules, agents and how many deals; loops that other tests need compiled too.
CASES: list[tuple[str, list[str], int]] = [
    ("gin:target=40", [], 2),
    ("distilled+knock+upcard:target=25", [], 2),
    ("rummy:target=60", [], 2),
    ("pharaoh:players=2", ["mcts:iterations=2,width=2,depth=1", "smallest"], 1),
    ("pharaoh:players=3", ["heuristic", "annoying", "random"], 2),
    # In steps, two lanes to a decision.
    ("gin:target=40", ["heuristic:samples=2", "heuristic:samples=2"], 1),
]
# Not worth a loop of its own.
UNCOMPILED: list[tuple[str, list[str], int]] = [
    ("gin:target=40", ["montecarlo:samples=1,width=2", "simple"], 1)
]


def digests_elsewhere(device: str) -> list[str]:
    """The digests of the records of all cases as an interpreter plays them."""
    environment = {"NUMBA_DISABLE_JIT": "1"}
    if device == "cuda":
        environment["NUMBA_ENABLE_CUDASIM"] = "1"
    tests = str(Path(__file__).parents[1])
    program = f"import sys; sys.path.insert(0, {tests!r})\n"
    program += PROGRAM.format(cases=CASES + UNCOMPILED, device=device)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.compiled
def test_records_are_byte_identical_interpreted_compiled_and_on_a_simulated_gpu() -> None:
    compiled = []
    for rules, specs, deals in CASES:
        game, agents = line_up(rules, *specs)
        compiled.append(digest(play_batch(game, agents, 2, 11, max_deals=deals, trace=TRACE)))
    interpreted = digests_elsewhere("cpu")
    assert len(set(interpreted)) == len(CASES + UNCOMPILED)
    assert compiled == interpreted[: len(CASES)]
    assert interpreted == digests_elsewhere("cuda")


def test_the_same_seed_gives_the_same_and_another_seed_other_matches() -> None:
    game, agents = line_up("gin", "simple", "random")
    batches = [play_batch(game, agents, 2, seed, max_deals=2, trace=TRACE) for seed in (5, 5, 6)]
    digests = [digest(batch) for batch in batches]
    assert digests[0] == digests[1] != digests[2]


def test_pairs_play_the_same_deals_with_seats_exchanged() -> None:
    game, agents = line_up("gin", "simple", "thrifty")
    batch = play_batch(game, agents, 4, 1, max_deals=1, trace=TRACE)
    deals = [parse_record(record_of(batch, index)).events[0] for index in range(4)]
    assert deals[0].hands == deals[1].hands != deals[2].hands == deals[3].hands
    assert batch.lineups.tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]


def test_a_line_up_in_another_order_needs_no_loop_of_its_own() -> None:
    _, (simple, random) = line_up("gin", "simple", "random")
    distinct, choosers = distinct_agents([simple, random])
    swapped, swapped_choosers = distinct_agents([random, simple])
    assert distinct == swapped
    assert [distinct[place] for place in choosers] == [simple, random]
    assert [swapped[place] for place in swapped_choosers] == [random, simple]


def test_identical_agents_have_identical_chances() -> None:
    """With the same kernel on both sides the pairs cancel out on the cards alone."""
    game, agents = line_up("gin", "patient", "simple:knock_at=0")
    batch = play_batch(game, agents, 4, 9, max_deals=1)
    assert (batch.series.choosers == 0).all()


def test_records_of_a_batch_verify() -> None:
    game, agents = line_up("distilled+knock", "random", "simple")
    batch = play_batch(game, agents, 2, 8, trace=TRACE)
    for index in range(2):
        match = verify(parse_record(record_of(batch, index)))
        assert match.scores == batch.results.scores[index, :2].tolist()


def test_batched_agents_decide_for_many_matches_at_once() -> None:
    game, (_, simple) = line_up("gin", "simple", "simple")
    batch = play_batch(game, [First(), simple], scaled(20, 2), 2, max_deals=2)
    assert batch.shares[:, 1].mean() > 0.5


class Illegal:
    name = "illegal"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        return 999


class Thrower:
    name = "thrower"

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        raise RuntimeError("no idea")


class Short:
    name = "short"

    def act_batch(self, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
        return legal[:1, 0]


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Illegal(), "illegal answered .*999.*not legal: .*(take|draw)"),
        (Thrower(), "thrower raised RuntimeError: no idea"),
        (Short(), "short answered with shape"),
    ],
)
def test_an_agent_that_answers_wrongly_is_named(agent: Any, message: str) -> None:
    game, (simple, _) = line_up("gin", "simple", "simple")
    with pytest.raises(AgentError, match=message):
        play_batch(game, [agent, simple], 4, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 0}, "0 matches"),
        ({"seed": -1}, "seed -1"),
        ({"backend": Backend("tpu")}, "unknown device 'tpu': one of cpu, cuda"),
        ({"backend": Backend(workers=0)}, "0 workers"),
    ],
)
def test_impossible_batches_are_refused(changes: dict[str, Any], message: str) -> None:
    game, agents = line_up("gin", "simple", "simple")
    asked: dict[str, Any] = {"count": 2, "seed": 1, **changes}
    with pytest.raises(OptionsError, match=message):
        play_batch(game, agents, **asked)
    with pytest.raises(OptionsError, match="1 agents: gin has 2 seats"):
        play_batch(game, agents[:1], 2, 1)


def test_progress_adds_up() -> None:
    game, agents = line_up("gin", "simple", "simple")
    done: list[int] = []
    play_batch(
        game,
        agents,
        300 if scaled(1, 0) else 3,
        1,
        max_deals=1,
        backend=Backend(progress=done.append),
    )
    assert sum(done) == (300 if scaled(1, 0) else 3)


def test_only_agents_that_look_are_shown_a_view() -> None:
    blind = {
        (family.name, name)
        for family in all_families()
        for name, entry in all_agents(family).items()
        if not getattr(entry, "looks", True)
    }
    random = {(family.name, "random") for family in all_families()}
    assert blind == random | {("pharaoh", "biggest"), ("pharaoh", "smallest")}


@pytest.mark.parametrize(
    ("rules", "agents", "waits"),
    [
        ("gin", ["simple", "random"], True),
        ("gin", ["random", "random"], False),
        ("distilled", ["random", "patient"], True),
        ("rummy", ["greedy", "greedy"], False),
        ("pharaoh", ["annoying", "biggest"], False),
    ],
)
def test_threads_of_a_gpu_wait_only_where_lookers_lay_down(
    rules: str, agents: list[str], waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "_hold_on_gpu", lambda: "hold")
    game, players = line_up(rules, *agents)
    looks = any(player.looks for player in players)
    monkeypatch.setattr(device, "is_simulated", lambda: False)
    assert device._hold(game.rules, looks) == ("hold" if waits else loop.never_hold)
    monkeypatch.setattr(device, "is_simulated", lambda: True)
    assert device._hold(game.rules, looks) is loop.never_hold


def test_how_many_matches_a_gpu_has_in_play_at_once() -> None:
    assert stepped.rows_for(10, 1480) == 10  # no more than there are
    assert stepped.rows_for(3000, 1480) == stepped.FEWEST
    assert stepped.rows_for(40_000, 1480) == 10_000  # so that a row plays several
    assert stepped.rows_for(10**6, 1480) == stepped.ROWS
    assert stepped.rows_for(10**6, 1 << 20) == 512  # as far as there is memory for their tasks
