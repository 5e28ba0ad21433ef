"""What a vector table shows a learner is what it would see in the same matches, one by one."""

from random import Random
from typing import Any

import numpy as np
import pytest

from positions import scaled
from rulesets import each_of
from simulated import on_simulated_gpu
from undercut.adapters.learner_seat import Episode, Learner, make_learner
from undercut.games.contract import Game
from undercut.kernels.jit import COMPILED
from undercut.play.vector.observations import PENALTY, margin, slow_spread, spread

# One game is compiled; what is the same for all of them is tried with all of them interpreted.
some_games = each_of(["gin"] if COMPILED else ["gin", "rummy", "pharaoh:players=3"])


def test_bits_are_written_as_bytes() -> None:
    words, planes = np.array([0b101, (1 << 62) - 1, 0, 1 << 51]), np.array([3, 62, 5, 52])
    out, twin = np.full(256, 7, dtype=np.int8), np.full(256, 7, dtype=np.int8)
    spread(words, planes, out)
    slow_spread(words, planes, twin)
    assert out[: planes.sum()].tolist() == twin[: planes.sum()].tolist()
    assert out[:3].tolist() == [1, 0, 1]


def test_margins_add_up_to_nothing() -> None:
    gained = np.array([4, 2, 0])
    assert [margin(gained, seat) for seat in range(3)] == [3.0, 0.0, -3.0]


class _Row:
    """What a learner sees of one row of a table, and of the same matches played alone."""

    def __init__(self, learner: Learner, table: Any, seed: int) -> None:
        self.learner, self.table, self.seed = learner, table, seed
        self.number = -1
        self.next_episode()

    def next_episode(self) -> None:
        self.number += 1
        self.alone = Episode(self.learner, self.seed, self.number)
        while self.alone.is_over:
            self.number += 1
            self.alone = Episode(self.learner, self.seed, self.number)

    def compare(self) -> None:
        shown, seen = self.table.shown, self.learner.observation
        mask = np.flatnonzero(shown.masks[0]).tolist()
        assert mask == self.alone.actions == self.table.legal[0, : len(mask)].tolist()
        assert shown.rows[0, : seen.size].tolist() == seen.of(self.alone.observe()).tolist()

    def play(self, action: int) -> bool:
        """Whether the match is over then."""
        self.table.apply([action])
        reward = self.alone.play(action)
        shown = self.table.shown
        assert float(shown.rewards[0]) == pytest.approx(reward)
        assert bool(shown.over[0]) == self.alone.is_over
        if self.alone.is_over:
            seen = self.learner.observation
            last = shown.finals[0, : seen.size]
            assert last.tolist() == seen.of(self.alone.observe()).tolist()
            self.next_episode()
            return True
        return False


@some_games
def test_a_table_shows_what_a_learner_sees(game: Game) -> None:
    learner = make_learner(game.name, "random", "deal", lays_down=False)
    row, chance, over = _Row(learner, learner.table(1, seed=3, workers=1), 3), Random(4), 0
    for _ in range(scaled(400, 60)):
        row.compare()
        over += row.play(chance.choice(row.alone.actions))
    assert over > 1 or not COMPILED


def test_rows_do_not_depend_on_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads or not; and an illegal action ends a match, in its own row."""
    monkeypatch.setattr("undercut.play.vector.table.SHOWN_ROWS", 2)
    learner = make_learner("gin", "random", "deal", lays_down=False)
    alone, shared = (learner.table(8, seed=5, workers=workers) for workers in (1, 2))
    for step in range(scaled(80, 12)):
        actions = alone.legal[np.arange(8), (step + np.arange(8)) % alone.counts]
        actions[3] = 106 if step == 5 else actions[3]
        is_wrong = actions[3] not in alone.legal[3, : alone.counts[3]]
        for table in (alone, shared):
            table.apply(actions)
        if is_wrong:
            assert alone.shown.over[3]
            assert alone.shown.rewards[3] == -PENALTY
        for name in ("rows", "masks", "rewards", "over", "finals"):
            assert (getattr(alone.shown, name) == getattr(shared.shown, name)).all(), name
    assert len(set(alone.matches.number.tolist())) == 8
    assert len(set(alone.matches.round_number.tolist())) == 8, "each has cards of its own"


ON_GPU = """
import numpy as np
from undercut.adapters.learner_seat import make_learner
from undercut.play.gpu.target import load_cuda

cuda, learner = load_cuda(), make_learner("gin", "random", "deal", lays_down=False)
here = learner.table(6, seed=5, workers=1)
there = learner.table(6, seed=5, device="cuda", checked=True)
for step in range(45):
    shown = there.shown._replace(**{
        name: getattr(there.shown, name).copy_to_host() for name in there.shown._fields
    })
    for name in ("rows", "masks") if step == 0 else ("rows", "masks", "rewards", "over"):
        size = learner.observation.size if name == "rows" else None
        mine, yours = (getattr(table, name) for table in (here.shown, shown))
        assert (mine[..., :size] == yours[..., :size]).all(), (step, name)
    actions = here.legal[np.arange(6), (step + np.arange(6)) % here.counts]
    actions[2] = 590 if step % 40 == 3 else actions[2]
    here.apply(actions)
    there.apply(cuda.to_device(actions))
print("the same")
"""


@pytest.mark.compiled
def test_a_gpu_shows_the_same() -> None:
    assert on_simulated_gpu(ON_GPU).strip() == "the same"
