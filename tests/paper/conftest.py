"""A folder of decisions to find an example in."""

from pathlib import Path

import pytest

from learn.data import make


@pytest.fixture(scope="session")
def tested_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decisions") / "test"
    make(folder, 2, 400)
    return folder
