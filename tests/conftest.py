"""Settings and fixtures of the whole suite."""

from pathlib import Path

import pytest
from hypothesis import settings

import undercut

# The same examples in every run: a test that fails once fails again.
settings.register_profile("undercut", deadline=None, derandomize=True, database=None)
settings.load_profile("undercut")


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package under test."""
    return Path(undercut.__file__).parent
