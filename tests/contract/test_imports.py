"""Imports go one way, heavy ones wait until they are needed, and a State stays in play."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import undercut

PACKAGE = Path(undercut.__file__).parent
FLOORS = [
    "schemas",  # JSON Schemas, as files
    "core",
    "games",  # the rules and words of each game
    "play",
    "search",
    "players",  # the upper rooms of each game: what plays it
    "lab",
    "api",  # what `import undercut` adds
    "learn",
    "paper",
    "adapters",
    "app",
    "cli",
]
UPPER_ROOMS = {
    "agents",
    "strategy",
    "belief",
    "encoding",
    "observation",
    "luck",
    "policy",
    "family",
    "random_agent",
    "strengths",
}
STRANGERS = {"paper", "adapters", "app"}  # none of them knows another
KERNEL_FLOORS = ("core", "games", "play", "search", "players")
MODULES = sorted(PACKAGE.rglob("*.py"))
GAMES = {family.parent.name for family in (PACKAGE / "games").glob("*/family.py")}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def every_module(check: Callable[[Path], None]) -> Callable[[], None]:
    """A test of all modules, which names the one that fails."""

    def test() -> None:
        for path in MODULES:
            try:
                check(path)
            except AssertionError as error:
                raise AssertionError(f"{_name(path)}: {error}") from error

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    return test


pytestmark = pytest.mark.compiled  # sources are read, no kernel is run


def _floor(parts: Sequence[str]) -> str:
    """The floor of a module, by the parts of its name below the package."""
    if parts[0] == "games" and "bench" in parts[2:3]:
        return "lab"
    if parts[0] == "games" and UPPER_ROOMS & {*parts[1:3]}:
        return "players"
    return parts[0]


def _floor_of(path: Path) -> str:
    return _floor(path.relative_to(PACKAGE).with_suffix("").parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _imports(path: Path) -> Iterator[str]:
    """Every module a file imports, those inside functions too; relative imports are not used."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write the whole name of what you import"
            module = node.module or ""
            yield from (f"{module}.{alias.name}" for alias in node.names)


# What a type checker alone is told: a game deals, and its views have types that an editor knows.
TOLD = {
    "games.contract": {"undercut.play.deal.Deal"},
    "__init__": {
        "undercut.games.gin.readable.GinView",
        "undercut.games.pharaoh.readable.PharaohView",
        "undercut.games.rummy.readable.RummyView",
    },
}


def _needed(path: Path) -> list[str]:
    """What a file imports but for what a type checker alone is told."""
    told = TOLD.get(_name(path), set())
    return [name for name in _imports(path) if name not in told]


def _imported_floors(path: Path) -> set[str]:
    own = (name.split(".") for name in _needed(path))
    return {_floor(name[1:]) for name in own if name[0] == "undercut" and len(name) > 1} & {*FLOORS}


def test_every_folder_is_a_floor() -> None:
    floors = {_floor_of(path) for path in MODULES}
    assert floors <= {*FLOORS, "__init__", "__main__"}


@every_module
def test_imports_go_one_way(path: Path) -> None:
    floor = _floor_of(path)
    if floor in ("__init__", "__main__"):
        floor = "cli"
    allowed = set(FLOORS[: FLOORS.index(floor) + 1]) if floor in FLOORS else set()
    if floor in STRANGERS:
        allowed -= STRANGERS - {floor}
    assert _imported_floors(path) <= allowed


GAMES = {path.parent.name for path in PACKAGE.glob("games/*/rules.py")}


@every_module
def test_only_a_game_s_own_rooms_know_it(path: Path) -> None:
    """A game knows no other, and what serves every game knows none; the paper is about Gin."""
    parts = path.relative_to(PACKAGE).parts
    if parts[0] == "paper":
        return
    names = [name.split(".") for name in _needed(path)]
    known = {part for name in names if name[0] == "undercut" for part in name} & GAMES
    assert known <= GAMES & {*parts}


# Rooms above the players that know a particular game: those that train and measure one.
KNOW_A_GAME = ("learn", "paper", "cli/estimator.py")


@every_module
def test_screens_and_commands_know_no_game(path: Path) -> None:
    """The terminal, pages and commands have a game's family, and no more."""
    place = path.relative_to(PACKAGE).as_posix()
    if place.startswith(("core", "games/", *KNOW_A_GAME)):
        return
    games = {path.parent.name for path in (PACKAGE / "games").glob("*/rules.py")}
    known = {name.split(".")[2] for name in _needed(path) if name.startswith("undercut.games.")}
    assert games
    assert not known & {*games, "melding"}


@every_module
def test_only_screens_and_commands_draw(path: Path) -> None:
    """What a game says to people is plain data: whoever shows it draws it."""
    used = {name.split(".")[0] for name in _imports(path)}
    assert not used & {"rich", "click"} or _floor_of(path) in ("app", "cli", "__main__")


@every_module
def test_torch_is_imported_only_for_training(path: Path) -> None:
    used = {name.split(".")[0] for name in _imports(path)}
    assert "torch" not in used or _floor_of(path) == "learn"


SEARCHES = {"tree.py", "guess.py", "worlds.py"}


@every_module
def test_a_state_stays_in_play(path: Path) -> None:
    """Rules define states and play holds them; everybody else gets views.

    A search deals states of its own, which `complete` makes of its view.
    """
    if _floor_of(path) in ("core", "games", "play") or path.name in SEARCHES:
        return
    for node in ast.walk(_tree(path)):
        name = getattr(node, "attr", getattr(node, "id", None))
        assert name not in ("STATE", "_state"), f"line {getattr(node, 'lineno', 0)}"


@every_module
def test_only_jit_compiles(path: Path) -> None:
    if path == PACKAGE / "core" / "jit.py":
        return
    banned = {"numba.njit", "numba.jit", "numba.vectorize", "numba.prange"}
    assert not banned & set(_imports(path))


@every_module
def test_chance_comes_from_our_generator(path: Path) -> None:
    if _floor_of(path) not in KERNEL_FLOORS:
        return
    assert "random" not in set(_imports(path))
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Attribute) and node.attr == "random":
            assert not (isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy"))


@every_module
def test_no_kernel_calls_itself(path: Path) -> None:
    """A cached recursive kernel crashes the next process."""
    for function in ast.walk(_tree(path)):
        if isinstance(function, ast.FunctionDef) and _is_kernel(function):
            calls = {
                node.func.id
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert function.name not in calls


def _is_kernel(function: ast.FunctionDef) -> bool:
    names = {getattr(decorator, "id", None) for decorator in function.decorator_list}
    return bool(names & {"kernel", "cold_kernel"})


@pytest.mark.parametrize("module", ["undercut", "undercut.cli"])
def test_help_need_not_wait_for_heavy_imports(module: str) -> None:
    code = f"import {module}, sys; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "undercut" in loaded
    assert not loaded & {"numba", "numpy", "llvmlite", "matplotlib", "torch", "scipy"}
