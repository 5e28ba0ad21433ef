"""What `bench` measures, on a small scale."""

from dataclasses import replace
from random import Random

import pytest

from rulesets import SHIPPED
from undercut.games import families
from undercut.games.gin.lab.bench import DEADWOOD
from undercut.lab import bench, peers
from undercut.players.catalog import agent_names
from undercut.text.errors import OptionsError


def test_everything_is_measured() -> None:
    chosen = bench.tasks(workers=2, with_peers=False)
    seen: list[str] = []
    measures = bench.run(chosen, 0.001, seen.append)
    assert len(measures) == len(seen) == 21
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
    ours, theirs = bench.run(tasks, 0.02, lambda _: None)
    assert ours.ratio == 1
    assert theirs.ratio == pytest.approx(ours.per_second / theirs.per_second)
    assert 10 < theirs.ratio < 250


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
