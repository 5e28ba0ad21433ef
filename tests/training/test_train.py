"""Training: it learns, the same way each time, and goes on after it was stopped."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from undercut.belief.network import load_network
from undercut.core.errors import OptionsError, UndercutError
from undercut.training.decisions import Decisions
from undercut.training.evaluate import evaluate
from undercut.training.extras import need
from undercut.training.model import build, export
from undercut.training.shards import DataError
from undercut.training.train import Plan, checkpoint_path, train

PLAN = Plan(epochs=2, batch=64, seed=4)


def weights(path: Path) -> dict[str, Any]:
    return {name: tensor.tobytes() for name, tensor in load_network(path).tensors.items()}


class Stopped(Exception):
    pass


def test_a_stopped_run_goes_on_to_the_same_weights(trained_on: Path, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.safetensors", tmp_path / "broken.safetensors"
    blocks = len(Decisions([trained_on])) // 3
    trained = train([trained_on], whole, PLAN, block=blocks, command="undercut train ...")

    def stop_in_the_second_epoch(count: int, loss: float) -> None:
        calls.append(count)
        if len(calls) == 5:
            raise Stopped

    calls: list[int] = []
    with pytest.raises(Stopped):
        train([trained_on], broken, PLAN, block=blocks, progress=stop_in_the_second_epoch)
    assert checkpoint_path(broken).exists()
    assert not broken.exists()
    again: list[int] = []
    train([trained_on], broken, PLAN, block=blocks, progress=lambda n, _: again.append(n))
    assert sum(again) == trained.examples
    assert again[0] == sum(calls)
    assert weights(whole) == weights(broken)
    assert not checkpoint_path(broken).exists()
    metadata = load_network(whole).metadata
    assert metadata["command"] == "undercut train ..."
    assert json.loads(metadata["losses"]) == pytest.approx(trained.losses)
    assert trained.losses[1] < trained.losses[0] < 0.7


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
    model = build(3, "cpu")
    tensors = export(model)
    rows = (np.random.default_rng(1).integers(-1, 9, (5, 208))).astype(np.int8)
    with torch.no_grad():
        expected = torch.sigmoid(model(torch.from_numpy(rows).float())).numpy()
    from undercut.belief.network import Network

    assert Network(tensors, {}).predict(rows) == pytest.approx(expected, abs=1e-5)


def test_the_held_out_score_is_written_into_the_file(
    trained_on: Path, tested_on: Path, tmp_path: Path
) -> None:
    out = tmp_path / "model.safetensors"
    plan = Plan(epochs=1, batch=256)

    def held_out(network: Any) -> dict[str, Any]:
        return evaluate(network, [tested_on]).headline()

    train([trained_on], out, plan, held_out=held_out)
    score = json.loads(load_network(out).metadata["held_out"])
    assert set(score) == {"decisions", "network", "counting"}


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
