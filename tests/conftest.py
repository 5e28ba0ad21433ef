"""Settings and fixtures of the whole suite."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

import undercut
from undercut.core.jit import COMPILED
from undercut.games.families import register

# The same examples in every run: a test that fails once fails again.
settings.register_profile("undercut", deadline=None, derandomize=True, database=None)
settings.load_profile("undercut")

# A game that the package does not know: every contract holds for it too.
register("duel", "duel.family")

# A suite started in the background ignores Ctrl-C, and so would the programs it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that are marked so to the compiled run, or to the interpreted one."""
    other = "interpreted" if COMPILED else "compiled"
    left = [item for item in items if item.get_closest_marker(other)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package under test."""
    return Path(undercut.__file__).parent
