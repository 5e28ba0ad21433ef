"""The network without torch: one row, many rows, and files that are not what they should be."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from undercut.games.gin.players.belief.network import (
    ACTIVATIONS,
    PARAMETERS,
    SHAPES,
    Network,
    NetworkError,
    load_network,
    predict,
    save_network,
)


def random_tensors(seed: int = 0) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    return {
        name: (chance.normal(size=shape) / 20).astype(np.float16) for name, shape in SHAPES.items()
    }


def random_features(rows: int, seed: int = 1) -> Any:
    chance = np.random.default_rng(seed)
    return (chance.integers(-1, 12, (rows, 208)) * (chance.random((rows, 208)) < 0.15)).astype("i1")


def slow_predict(tensors: dict[str, Any], row: Any) -> Any:
    """The same layer by layer in double precision."""
    values = row.astype(np.float64)
    for layer in ("hidden1", "hidden2", "output"):
        values = values @ tensors[f"{layer}.weight"].astype(float) + tensors[f"{layer}.bias"]
        if layer != "output":
            values = np.maximum(values, 0)
    return 1 / (1 + np.exp(-np.clip(values, -700, 700)))


def test_kernel_and_batch_equal_the_slow_twin() -> None:
    network = Network(random_tensors(), {})
    rows = random_features(3)
    together = network.predict(rows)
    for row, found in zip(rows, together, strict=True):
        alone = np.zeros(52)
        predict(network.weights, row, np.zeros(ACTIVATIONS, dtype=np.float32), alone, 0, 1)
        expected = slow_predict(dict(network.tensors), row)
        assert alone == pytest.approx(expected, abs=1e-5)
        assert found == pytest.approx(expected, abs=1e-5)


def extreme_tensors(size: float) -> dict[str, Any]:
    """Weights so large that a card is as good as certain: half of the cards held, half not."""
    tensors = {name: np.full(shape, size, dtype=np.float16) for name, shape in SHAPES.items()}
    tensors["output.weight"][:, ::2] *= -1
    return tensors


@pytest.mark.parametrize("size", [0.5, 8.0, 60_000.0])
@pytest.mark.filterwarnings("error")
def test_large_weights_make_certain_and_nothing_overflows(size: float) -> None:
    network, row = Network(extreme_tensors(size), {}), np.ones(208, dtype=np.int8)
    alone = np.zeros(52)
    predict(network.weights, row, np.zeros(ACTIVATIONS, dtype=np.float32), alone, 0, 1)
    together = network.predict(row[np.newaxis])[0]
    for found in (alone, together):
        assert found == pytest.approx(np.arange(52) % 2, abs=1e-30)
        assert (found[::2] > 0).all()


def test_weights_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_network(path, random_tensors(), {"command": "undercut train x", "seed": 3})
    network = load_network(path)
    assert path.stat().st_size < 1_000_000
    assert network.metadata["command"] == "undercut train x"
    assert network.metadata["seed"] == "3"
    assert len(network.weights) == PARAMETERS == 208 * 500 + 500 + 500 * 500 + 500 + 500 * 52 + 52
    assert all(np.array_equal(network.tensors[name], random_tensors()[name]) for name in SHAPES)
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_are_not_models_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good.safetensors"
    save_network(good, random_tensors(), {})
    tensors, metadata = load_file(good), dict(load_network(good).metadata)

    def refused(change: dict[str, Any], facts: dict[str, str], message: str) -> None:
        path = tmp_path / "bad.safetensors"
        save_file({**tensors, **change}, path, metadata={**metadata, **facts})
        with pytest.raises(NetworkError, match=message):
            load_network(path)

    refused({}, {"format": "other"}, "is not a model of the hand estimator")
    refused({}, {"features": "99"}, "made for another game, or another version")
    refused({"output.bias": np.zeros(51, "f2")}, {}, r"output.bias has the shape \(51,\)")
    refused({"output.bias": np.zeros(52, "f2")}, {}, "is damaged")
    with pytest.raises(NetworkError, match="no model 'nobody'"):
        load_network("nobody")
    torn = tmp_path / "torn.safetensors"
    torn.write_bytes(good.read_bytes()[:5000])
    with pytest.raises(NetworkError, match="cannot read the network"):
        load_network(torn)
