"""Settings and fixtures of the whole suite, and which tests run which way.

Every test runs compiled. With compilation off the suite runs once more over what kernels are made
of and made into, the layers in KERNELS: there a plain function must mean what its compiled form
does, and an index out of bounds is an error. Screens, commands, statistics and training call the
same kernels and compute nothing of their own in them, so they run once. So do the commands of the
pages, with compilation off: they play many line-ups for a moment each.
"""

import atexit
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# Before NumPy is imported: as in the program, products run on one thread. Threads of several
# processes would wait for each other, and burn the time of the cores as they do.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import undercut
from undercut.games.families import all_families, register
from undercut.kernels.jit import COMPILED

# The same examples in every run: a test that fails once fails again.
settings.register_profile("undercut", deadline=None, derandomize=True, database=None)
settings.load_profile("undercut")

# Games that the package does not know: every contract holds for them too.
for example in ("duel", "eights"):
    register(example, f"{example}.family")

# Games that tests play are not the person's own.
os.environ["UNDERCUT_DATA"] = tempfile.mkdtemp(prefix="undercut-games-")
atexit.register(shutil.rmtree, os.environ["UNDERCUT_DATA"], ignore_errors=True)

# No test opens a browser window, whoever starts the suite.
for name in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(name, None)

# English, whatever language the machine speaks.
for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"

# A suite started in the background ignores Ctrl-C, and so would the programs it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

KERNELS = {"cards", "contract", "games", "kernels", "pages", "play", "players"}
"""Folders of tests that run interpreted too, or there alone; examples in docstrings do anyway."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Coverage is taken with compilation off, and wants every test that way."""
    parser.addoption("--everything", action="store_true", help="interpreted, leave no layer out")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With compilation off, leave out the layers that have no kernels."""
    if COMPILED or config.getoption("everything"):
        return None
    folder = collection_path.relative_to(Path(__file__).parent).parts[:1]
    return (collection_path.is_dir() and folder and folder[0] not in KERNELS) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that are marked so to the other run; put those of other games in the middle.

    Of two workers one begins there, so that each compiles the kernels of its own games at first.
    What one has compiled, the other finds in the cache when it comes to take over tests.
    """
    other = "interpreted" if COMPILED else "compiled"
    left = [item for item in items if item.get_closest_marker(other)]
    if left:
        config.hook.pytest_deselected(items=left)
    kept = [item for item in items if not item.get_closest_marker(other)]
    middle = (len(kept) + 1) // 2
    first_game = [item for item in kept if _game_place(item) == 0]
    others = sorted((item for item in kept if _game_place(item) > 0), key=_game_place)
    items[:] = _begun(first_game[:middle] + others + first_game[middle:])


def _begun(items: list[pytest.Item]) -> list[pytest.Item]:
    """The same tests, but each worker begins with one that is marked so, as long as there are any.

    At first each worker has equally many, one after another.
    """
    first = [item for item in items if item.get_closest_marker("first")]
    rest = [item for item in items if not item.get_closest_marker("first")]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        size = (len(items) - len(ordered)) // (workers - worker)
        mine = first[worker::workers]
        more = max(0, size - len(mine))
        ordered += mine + rest[:more]
        rest = rest[more:]
    return ordered + rest


def _game_place(item: pytest.Item) -> int:
    """Which game a test names; 0, the first one, for tests that name none, since most play it."""
    games = _games()
    return max((place for name, place in games.items() if name in item.nodeid), default=0)


@cache
def _games() -> dict[str, int]:
    """The place of each preset's game in the order of the catalog."""
    presets = {name: family for family in all_families() for name in family.rules.PRESETS}
    places = {family.name: place for place, family in enumerate(all_families())}
    return {name: places[family.name] for name, family in presets.items()}


@pytest.fixture(scope="session", autouse=True)
def every_json_fits_its_schema() -> Iterator[None]:
    """Whatever a command prints as JSON in any test is what the package says that it prints."""
    from jsonschema import Draft202012Validator

    from undercut.cli import screen
    from undercut.schemas import schema

    plain = screen.print_json

    def checked(value: Mapping[str, object], name: str) -> None:
        Draft202012Validator(schema(name)).validate(json.loads(json.dumps(value)))
        plain(value, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screen, "print_json", checked)
        yield


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package under test."""
    return Path(undercut.__file__).parent
