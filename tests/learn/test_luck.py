"""The training of networks that value states: short runs, the same each time."""

import numpy as np

from luck import Config, Notes, take_notes, train
from positions import scaled
from undercut.games.gin.players.network.luck import PLANES


def test_a_run_learns_and_comes_out_the_same() -> None:
    lines: list[str] = []
    plays = (("simple", "simple", scaled(20, 2), 1),)
    config = Config(plays=plays, width=8, inner=4, rows=64)
    learn, test = take_notes(config, lines.append)
    assert len(learn.words) > 10 * len(test.words) > 0
    judge, again = (train(config, PLANES, learn, test, lines.append) for _ in range(2))
    assert all((judge.tensors[name] == again.tensors[name]).all() for name in judge.tensors)
    assert judge.tensors["entry"].shape == (sum(PLANES) + 1, 8)
    assert judge.about["config"]["width"] == 8
    assert sum(judge.about["points"]) == len(learn.words)
    assert "foretold" in lines[-1]


def test_what_can_be_foretold_is() -> None:
    """Whoever holds the ace of clubs wins 25 points."""
    chance = np.random.default_rng(1)
    words = np.zeros((4096, len(PLANES)), dtype=np.int64)
    words[:, 0] = chance.integers(1 << 52, size=len(words))
    holds = words[:, 0] & 1
    notes = Notes(words, 25 * np.column_stack([holds, 1 - holds]))
    config = Config(width=8, inner=4, rows=256, epochs=30)
    judge = train(config, PLANES, notes, notes, lambda line: None)
    assert min(judge.about["foretold"]) > 0.9
