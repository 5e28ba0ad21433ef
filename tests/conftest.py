"""Settings and fixtures of the whole suite."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

import undercut

# The same examples in every run: a test that fails once fails again.
settings.register_profile("undercut", deadline=None, derandomize=True, database=None)
settings.load_profile("undercut")

# A suite started in the background ignores Ctrl-C, and so would the programs it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package under test."""
    return Path(undercut.__file__).parent
