"""Folders of decisions to train and to test on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from learn.data import make


@pytest.fixture(scope="session")
def trained_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decisions") / "train"
    make(folder, 1)
    return folder


@pytest.fixture(scope="session")
def tested_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decisions") / "test"
    make(folder, 2, 400)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
