"""The memory of positions: what it keeps and draws, and that a run with one goes on the same."""

from dataclasses import replace
from pathlib import Path

import torch

from undercut.learn.checkpoint import load_tensors
from undercut.learn.distil.run import DistilRun
from undercut.learn.positions.config import SIZES
from undercut.learn.positions.memory import NOTED
from undercut.learn.positions.training import CHECKPOINT, train

TINY = replace(
    SIZES["small"],
    width=32,
    rows=16,
    piece=3,
    mixing=5,
    measured=2,
    opponents="self=1 drawn=1",
    kept=4,
    batch=24,
    repeats=3,
)


def test_a_batch_holds_positions_of_the_last_steps_only() -> None:
    run = DistilRun(TINY, "cpu")
    tables, memory = run.tables, run.memory
    assert memory is not None
    tables.restart(1)
    last: list[set[str]] = []
    for _ in range(3 * TINY.kept):
        run._play_step()
        parts = [getattr(tables.now, name).tolist() for name in NOTED]
        last.append({repr(row) for row in zip(*parts, strict=True)})
    expected = set().union(*last[-TINY.kept :])
    assert expected - last[-1], "positions of earlier steps are other ones"
    found = set()
    for _ in range(40):
        batch = memory.draw()
        drawn = [getattr(batch, name).tolist() for name in NOTED]
        found |= {repr(row) for row in zip(*drawn, strict=True)}
    assert found == expected


def test_the_inputs_of_a_batch_are_those_of_its_words() -> None:
    run = DistilRun(TINY, "cpu")
    assert run.memory is not None
    run.tables.restart(1)
    for _ in range(TINY.kept):
        run._play_step()
    batch = run.memory.draw()
    with torch.no_grad():
        wanted = run.tables.policy(batch.bits)[:, : run.tables.encoding.outputs + 1]
    assert torch.allclose(wanted, batch.answers, atol=1e-5)
    legal = batch.legal()
    assert legal.any(1).all()
    assert not legal.all(1).any()


def test_updates_of_a_step_learn_from_each_position_as_often_as_asked() -> None:
    assert TINY.updates * TINY.batch == TINY.repeats * TINY.rows
    assert replace(TINY, kept=0).updates == 1


def test_a_run_with_a_memory_that_was_stopped_goes_on_the_same(tmp_path: Path) -> None:
    piece = TINY.rows * TINY.piece
    whole = train(DistilRun, TINY, tmp_path / "whole", "cpu", decisions=2 * piece)
    for count in (1, 2):
        parts = train(DistilRun, TINY, tmp_path / "parts", "cpu", decisions=count * piece)
    assert whole.updates == parts.updates == 2 * TINY.piece * TINY.updates
    first, second = (load_tensors(tmp_path / name / CHECKPOINT)[0] for name in ("whole", "parts"))
    assert all(torch.equal(first[name], second[name]) for name in first)
