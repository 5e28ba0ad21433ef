"""The network that values states: the same from scratch and from the state before; its files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from undercut.games.gin.players.network.luck import INNER, NETWORK, PLANES, WIDTH
from undercut.kernels.records import pack
from undercut.players.luck.network import UNIT, answer_kernel, memory_for
from undercut.players.luck.weights import Judge, load_judge, save_judge
from undercut.players.network_files import NetworkError

SMALL = (5, 62, 3)
ANSWERS = 3


def judge(seed: int = 1) -> Judge:
    chance = np.random.default_rng(seed)
    shapes = {"entry": (sum(SMALL) + 1, 8), "inner": (9, 4), "heads": (5, ANSWERS)}
    tensors = {name: chance.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return Judge(tensors, {"points": [0, 1]})


def slow_answer(tensors: Any, words: Any) -> Any:
    bits = [
        int(word) >> bit & 1
        for word, width in zip(words, SMALL, strict=True)
        for bit in range(width)
    ]
    values = np.array(bits, dtype=np.float64)
    for name in ("entry", "inner", "heads"):
        layer = tensors[name].astype(np.float64)
        if name == "entry":
            layer = np.rint(layer * UNIT) / UNIT
        values = values @ layer[:-1] + layer[-1]
        if name != "heads":
            values = np.maximum(values, 0)
    return values


def test_answers_equal_the_slow_way_whatever_came_before() -> None:
    network, chance = judge(), np.random.default_rng(2)
    answer, layers = answer_kernel(SMALL, "test"), pack(network.layers)
    memory = np.zeros(memory_for(len(SMALL), 8), dtype=np.int64)
    for _ in range(20):
        words = np.array([chance.integers(1 << width) for width in SMALL])
        answers = np.zeros(ANSWERS + 4, dtype=np.float32)
        answer(layers, words, memory, answers)
        expected = slow_answer(network.tensors, words)
        assert answers[:ANSWERS] == pytest.approx(expected, rel=1e-4, abs=1e-4)
        afresh = np.zeros_like(answers)
        answer(layers, words, np.zeros_like(memory), afresh)
        assert (afresh == answers).all(), "to the last bit"


def test_a_file_reads_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "judge"
    save_judge(path, judge(), SMALL)
    found = load_judge(path, SMALL)
    assert found.about == judge().about
    assert all((found.tensors[name] == judge().tensors[name]).all() for name in found.tensors)


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "judge"
    with pytest.raises(NetworkError, match="cannot read"):
        load_judge(path, SMALL)
    save_judge(path, judge(), SMALL)
    with pytest.raises(NetworkError, match="another game"):
        load_judge(path, (5, 62, 4))
    whole = bytearray(path.read_bytes())
    whole[-1] ^= 1
    path.write_bytes(whole)
    with pytest.raises(NetworkError, match="damaged"):
        load_judge(path, SMALL)
    from safetensors.numpy import save

    path.write_bytes(save({"entry": np.zeros(1, "f4")}))
    with pytest.raises(NetworkError, match="is no network that values states"):
        load_judge(path, SMALL)


def test_the_network_of_gin_fits() -> None:
    layers = load_judge(NETWORK, PLANES).layers
    assert layers.entry.shape == (sum(PLANES) + 1, WIDTH)
    assert layers.inner.shape == (WIDTH + 1, INNER)
    assert np.abs(layers.entry.astype(np.int64)).sum(axis=0).max() < 2**31, "no sum overflows"
