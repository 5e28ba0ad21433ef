"""Settings and fixtures of the whole suite, and which tests run which way.

Every test runs compiled. With compilation off the suite runs once more over what kernels are made
of and made into, the layers in KERNELS: there a plain function must mean what its compiled form
does, and an index out of bounds is an error. Screens, commands, statistics and training call the
same kernels and compute nothing of their own in them, so they run once.
"""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

import undercut
from undercut.core.jit import COMPILED
from undercut.games.families import parse_game, register, rule_sets

# The same examples in every run: a test that fails once fails again.
settings.register_profile("undercut", deadline=None, derandomize=True, database=None)
settings.load_profile("undercut")

# A game that the package does not know: every contract holds for it too.
register("duel", "duel.family")

# A suite started in the background ignores Ctrl-C, and so would the programs it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

KERNELS = {"contract", "core", "games", "play", "search"}
"""Folders of tests/ and of the package whose tests run interpreted too."""

_ROOTS = (Path(__file__).parent, Path(undercut.__file__).parent)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Coverage is taken with compilation off, and wants every test that way."""
    parser.addoption("--everything", action="store_true", help="interpreted, leave no layer out")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With compilation off, leave out the layers that have no kernels."""
    if COMPILED or config.getoption("everything"):
        return None
    for root in _ROOTS:
        if collection_path.is_relative_to(root) and collection_path != root:
            layer = collection_path.relative_to(root).parts[0]
            return (layer not in KERNELS and not layer.endswith(".py")) or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that are marked so to the other run; put the tests of a game together.

    Workers begin at different places of the list, so that each compiles the kernels of its own
    games; what one has compiled, the others find in the cache.
    """
    other = "interpreted" if COMPILED else "compiled"
    left = [item for item in items if item.get_closest_marker(other)]
    if left:
        config.hook.pytest_deselected(items=left)
    kept = [item for item in items if not item.get_closest_marker(other)]
    families = {name: parse_game(name).family.name for name in rule_sets() if "+" not in name}
    places = {family: place for place, family in enumerate(dict.fromkeys(families.values()))}

    def place_of(item: pytest.Item) -> int:
        """The game that a test names, the least common last; most that name none play the first."""
        named = [places[family] for name, family in families.items() if name in item.nodeid]
        return max(named, default=0)

    items[:] = sorted(kept, key=place_of)


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package under test."""
    return Path(undercut.__file__).parent
