"""Training: it learns, the same way each time, and goes on after it was stopped."""

import itertools
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open

from games.gin.positions import features_of
from undercut.games.gin.players.belief.learned import BELIEF
from undercut.games.gin.players.belief.network import load_network
from undercut.lab.extras import need
from undercut.learn import train as module
from undercut.learn.candidates import of_network
from undercut.learn.checkpoint import load_checkpoint, save_checkpoint
from undercut.learn.decisions import Decisions
from undercut.learn.model import build, export
from undercut.learn.rows import Lot, ResidentRows, StreamedRows, ahead
from undercut.learn.score import score
from undercut.learn.shards import DataError
from undercut.learn.step import PlainStep, StaticStep, one_thread
from undercut.learn.train import CHECKPOINT, Plan, checkpoint_path, train
from undercut.text.errors import OptionsError, UndercutError

PLAN = Plan(epochs=2, batch=64, seed=4)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def hasty() -> module.Clock:
    """A clock by which everything is due whenever it is asked."""
    return itertools.count(0, CHECKPOINT).__next__


def weights(path: Path) -> dict[str, Any]:
    return {name: tensor.tobytes() for name, tensor in load_network(path).tensors.items()}


class Stopped(Exception):
    pass


def test_a_stopped_run_goes_on_to_the_same_weights(trained_on: Path, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.safetensors", tmp_path / "broken.safetensors"
    block = len(Decisions([trained_on])) // 3
    command = "undercut train ..."
    trained = train([trained_on], whole, PLAN, device=DEVICE, block=block, command=command)

    def stop_in_the_second_epoch(count: int, loss: float) -> None:
        calls.append(count)
        if len(calls) == 5:
            raise Stopped

    calls: list[int] = []
    run = partial(train, [trained_on], broken, PLAN, device=DEVICE, block=block)
    with pytest.raises(Stopped):
        run(progress=stop_in_the_second_epoch, clock=hasty())
    assert checkpoint_path(broken).exists()
    assert not broken.exists()
    again: list[int] = []
    run(progress=lambda count, _: again.append(count))
    assert sum(again) == trained.examples
    assert again[0] == sum(calls)
    assert weights(whole) == weights(broken)
    assert not checkpoint_path(broken).exists()
    metadata = load_network(whole).metadata
    assert metadata["losses"] == load_network(broken).metadata["losses"]
    assert metadata["command"] == command
    assert json.loads(metadata["losses"]) == pytest.approx(trained.losses)
    assert trained.losses[1] < trained.losses[0] < 0.7


def test_checkpoints_wait_for_their_time(
    trained_on: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[tuple[int, int]] = []
    monkeypatch.setattr(
        module, "save_checkpoint", lambda *rest: saved.append((rest[3]["epoch"], rest[3]["block"]))
    )
    told: list[int] = []
    block = len(Decisions([trained_on])) // 3
    for clock in (lambda: 0.0, hasty()):
        train(
            [trained_on],
            tmp_path / "m",
            PLAN,
            block=block,
            progress=lambda count, loss: told.append(count),
            clock=clock,
        )
    ends = saved[:2]
    blocks = ends[0][1]
    assert blocks >= 3
    assert ends == [(0, blocks), (1, blocks)]
    assert saved[2:] == [(epoch, 1 + each) for epoch in (0, 1) for each in range(blocks)]
    assert sum(told[:2]) == sum(told[2:]) == 2 * len(Decisions([trained_on]))


def test_rows_that_stay_and_rows_made_anew_give_the_same_weights(
    trained_on: Path, tested_on: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [trained_on, tested_on]  # two seeds
    block = len(Decisions(folders)) // 3
    found = []
    for way in (StreamedRows, ResidentRows):
        monkeypatch.setattr(module, "choose_rows", way)
        out = tmp_path / f"{way.__name__}.safetensors"
        train(folders, out, Plan(epochs=1, batch=64, seed=4), device=DEVICE, block=block)
        found.append(weights(out))
    assert found[0] == found[1]


def test_the_number_of_workers_does_not_change_the_weights(
    trained_on: Path, tmp_path: Path
) -> None:
    """Sums are taken in pieces of a fixed size, in a fixed order, whoever takes them."""
    found, threads = [], torch.get_num_threads()
    for workers in (1, 2, 3):
        out = tmp_path / f"{workers}.safetensors"
        train([trained_on], out, Plan(epochs=2, batch=1024, seed=4), workers=workers)
        found.append(weights(out))
    assert found[0] == found[1] == found[2]
    assert torch.get_num_threads() == threads


def test_a_new_thread_computes_the_gradients_of_any_other_thread() -> None:
    """A pool starts threads when it is busy, so any piece can be the first one of a thread.

    Two threads of torch round pieces of 5 to 11 rows differently from one.
    """
    lot = some_lot(32)
    with one_thread():
        for rows in range(1, len(lot) + 1):
            step, piece = PlainStep(build(BELIEF, 2, "cpu"), workers=1), lot.order[:rows]
            loss, gradients = step._learn(lot, piece)
            new_loss, new_gradients = step._pool.submit(step._learn, lot, piece).result()
            assert torch.equal(loss, new_loss), rows
            assert all(map(torch.equal, gradients, new_gradients)), rows


def test_a_lot_is_all_decisions_of_its_matches(trained_on: Path) -> None:
    data = Decisions([trained_on])
    resident = ResidentRows(data, "cpu")
    matches = np.random.default_rng(5).permutation(data.matches)[: data.matches // 2]
    lot = resident.lot(matches, np.random.default_rng(6))
    expected = data.replay(matches)
    assert len(lot) == len(expected)
    order = np.random.default_rng(6).permutation(len(expected))
    assert lot.hands[lot.order].tolist() == expected.hands[order].tolist()
    assert (lot.features[lot.order].numpy() == features_of(expected.views[order])).all()


def some_lot(rows: int) -> Lot:
    chance = np.random.default_rng(1)
    features = chance.integers(-1, 9, (rows, 208)).astype(np.int8)
    hands = chance.integers(0, 1 << 52, rows)
    order = chance.permutation(rows)
    return Lot(*(torch.from_numpy(array) for array in (features, hands, order)))


def flat(model: Any) -> Any:
    return torch.cat([parameter.detach().clone().ravel() for parameter in model.parameters()])


def test_a_step_in_place_learns_what_a_plain_step_learns() -> None:
    """What a GPU repeats as a graph, run on the CPU; the last batch is not full."""
    lot, found = some_lot(3 * 16 + 5), []
    for way in (PlainStep, lambda model: StaticStep(model, 16, "cpu")):
        model = build(BELIEF, 2, "cpu")
        step = way(model)
        for start in range(0, len(lot), 16):
            step.take(lot, slice(start, start + 16), 0.001 * (1 - start / 100))
        found.append((flat(model), float(step.loss_sum)))
    (plain, plain_loss), (static, static_loss) = found
    assert float((plain - flat(build(BELIEF, 2, "cpu"))).abs().mean()) > 1e-4
    assert float((plain - static).abs().mean()) < 1e-7
    assert static_loss == pytest.approx(plain_loss, rel=1e-5)


def test_warming_up_changes_nothing() -> None:
    lot, found = some_lot(16), []
    for is_warm in (False, True):
        model = build(BELIEF, 2, "cpu")
        step = StaticStep(model, 16, "cpu")
        if is_warm:
            step._warm_up()
            assert torch.equal(flat(model), flat(build(BELIEF, 2, "cpu")))
        step.take(lot, slice(16), 0.001)
        found.append((flat(model), float(step.loss_sum)))
    assert torch.equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]


def test_a_checkpoint_is_put_back_where_the_moments_are(tmp_path: Path) -> None:
    """A graph goes on with the tensors it was captured with."""
    lot, batches = some_lot(64), [slice(start, start + 16) for start in range(0, 64, 16)]
    whole, broken = ((m := build(BELIEF, 2, "cpu"), StaticStep(m, 16, "cpu")) for _ in range(2))
    for rows in batches[:2]:
        whole[1].take(lot, rows, 0.001)
    save_checkpoint(tmp_path / "c", whole[0], whole[1].optimizer, {})
    broken[1]._warm_up()
    held = [value for state in broken[1].optimizer.state.values() for value in state.values()]
    load_checkpoint(tmp_path / "c", broken[0], broken[1].optimizer, {})
    kept = [value for state in broken[1].optimizer.state.values() for value in state.values()]
    assert [id(value) for value in kept] == [id(value) for value in held]
    for _, step in (whole, broken):
        for rows in batches[2:]:
            step.take(lot, rows, 0.001)
    assert torch.equal(flat(whole[0]), flat(broken[0]))


def test_a_checkpoint_has_the_names_of_those_before(tmp_path: Path) -> None:
    """Runs that an earlier version has begun go on."""
    model = build(BELIEF, 2, "cpu")
    step = StaticStep(model, 16, "cpu")
    step.take(some_lot(16), slice(16), 0.001)
    save_checkpoint(tmp_path / "c", model, step.optimizer, {"epoch": 3})
    with safe_open(tmp_path / "c", framework="pt") as file:
        names, facts = set(file.keys()), file.metadata()
    weights = [f"{layer}.{kind}" for layer in (0, 2, 4) for kind in ("weight", "bias")]
    moments = ("", "/step", "/exp_avg", "/exp_avg_sq")
    assert names == {name + moment for name in weights for moment in moments}
    assert facts == {"facts": '{"epoch": 3}'}


def test_work_is_begun_ahead_and_comes_in_order() -> None:
    assert list(ahead(lambda number: number * number, 5)) == [0, 1, 4, 9, 16]
    assert list(ahead(lambda number: number, 0)) == []


def test_a_checkpoint_of_another_run_is_refused(trained_on: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.safetensors"

    def stop(count: int, loss: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        train([trained_on], out, PLAN, progress=stop)
    with pytest.raises(DataError, match="belongs to another run: its plan differs"):
        train([trained_on], out, Plan(epochs=3, batch=64, seed=4))
    checkpoint_path(out).write_bytes(b"nothing")
    with pytest.raises(DataError, match="cannot read the checkpoint"):
        train([trained_on], out, PLAN)
    train([trained_on], out, Plan(epochs=1, batch=256), restart=True)


def test_the_exported_network_answers_as_torch_does() -> None:
    model = build(BELIEF, 3, "cpu")
    tensors = export(model)
    rows = (np.random.default_rng(1).integers(-1, 9, (5, 208))).astype(np.int8)
    with torch.no_grad():
        expected = torch.sigmoid(model(torch.from_numpy(rows).float())).numpy()
    from undercut.games.gin.players.belief.network import Network

    assert Network(tensors, {}).predict(rows) == pytest.approx(expected, abs=1e-5)


def test_the_held_out_score_is_written_into_the_file(
    trained_on: Path, tested_on: Path, tmp_path: Path
) -> None:
    out = tmp_path / "model.safetensors"
    plan = Plan(epochs=1, batch=256)

    def held_out(network: Any) -> dict[str, Any]:
        return score({"network": of_network(BELIEF, network)}, [tested_on]).headline()

    train([trained_on], out, plan, held_out=held_out)
    found = json.loads(load_network(out).metadata["held_out"])
    assert set(found) == {"decisions", "network", "counting"}


def test_impossible_plans_and_missing_packages_are_refused(
    trained_on: Path, tmp_path: Path
) -> None:
    with pytest.raises(OptionsError, match="cannot train with"):
        train([trained_on], tmp_path / "m", Plan(epochs=0))
    if not torch.cuda.is_available():
        with pytest.raises(UndercutError, match="no NVIDIA GPU"):
            train([trained_on], tmp_path / "m", PLAN, device="cuda")
    with pytest.raises(UndercutError, match=r"pip install 'undercut\[train\]'"):
        need("no_such_package.at_all", "train")
