"""Fixtures of the whole suite."""

from pathlib import Path

import pytest

import undercut


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package under test."""
    return Path(undercut.__file__).parent
