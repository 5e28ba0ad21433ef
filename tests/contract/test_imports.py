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
# Folders from the ground up; `*` is any game. The floor of a module is the folder it stands in.
FLOORS = [
    "schemas",
    "text",
    "kernels",
    "cards",
    "games",
    "games/*/rules",
    "games/*/table",
    "games/*",
    "play",
    "games/*/play",
    "players",
    "games/*/players",
    "lab",
    "games/*/lab",
    "api",
    "learn",
    "paper",
    "adapters",
    "app",
    "cli",
]
STRANGERS = {"paper", "adapters", "app"}  # none of them knows another
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


def _floor(folders: Sequence[str]) -> str:
    """The floor that a folder, below the package, belongs to: the longest that leads to it."""
    place = "/".join("*" if part in GAMES else part for part in folders)
    fitting = [floor for floor in FLOORS if f"{place}/".startswith(f"{floor}/")]
    return max(fitting, key=len, default="cli")  # what stands in no folder may use everything


def _floor_of(path: Path) -> str:
    return _floor(path.relative_to(PACKAGE).parent.parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _imports(path: Path) -> Iterator[str]:
    """Every module a file imports when it runs, also inside functions; none is relative."""
    for node in _running(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write the whole name of what you import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a file, without those that only a type checker reads."""
    if isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _running(child)


def _imported_floors(path: Path) -> set[str]:
    floors = set()
    for name in _imports(path):
        first, *parts = name.split(".")
        if first == "undercut":
            while parts and not (PACKAGE.joinpath(*parts)).is_dir():
                parts.pop()
            if parts:  # not `undercut` itself, which has the version
                floors.add(_floor(parts))
    return floors


def test_every_folder_is_a_floor_and_every_floor_a_folder() -> None:
    folders = {path.parent for path in MODULES} - {PACKAGE}
    assert {_floor(folder.relative_to(PACKAGE).parts) for folder in folders} == {*FLOORS}


@every_module
def test_imports_go_one_way(path: Path) -> None:
    floor = _floor_of(path)
    allowed = set(FLOORS[: FLOORS.index(floor) + 1]) - (STRANGERS - {floor})
    if floor == "cli":
        allowed |= STRANGERS
    assert _imported_floors(path) <= allowed


@every_module
def test_only_a_game_s_own_folder_knows_it(path: Path) -> None:
    """A game knows no other, and what serves every game knows none; the paper is about Gin."""
    own, *_ = folders = path.relative_to(PACKAGE).parts
    names = [name.split(".") for name in _imports(path)]
    known = {part for name in names if name[0] == "undercut" for part in name} & GAMES
    assert known <= {*folders, *(("gin",) if own == "paper" else ())}


@every_module
def test_only_screens_and_commands_draw(path: Path) -> None:
    """What a game says to people is plain data: whoever shows it draws it."""
    used = {name.split(".")[0] for name in _imports(path)}
    assert not used & {"rich", "click"} or _floor_of(path) in ("app", "cli")


@every_module
def test_torch_is_imported_only_for_training(path: Path) -> None:
    used = {name.split(".")[0] for name in _imports(path)}
    assert "torch" not in used or _floor_of(path) == "learn"


@every_module
def test_a_state_stays_in_play(path: Path) -> None:
    """Rules define states and play holds them; everybody else gets views.

    A search and a game's strategy deal states of their own, determinizations of a view.
    """
    knows = {"kernels", "games", "games/*/rules", "play", "games/*/play"}
    if _floor_of(path) in knows or {"search", "strategy"} & {*path.relative_to(PACKAGE).parts}:
        return
    for node in ast.walk(_tree(path)):
        name = getattr(node, "attr", getattr(node, "id", None))
        assert name not in ("STATE", "_state"), f"line {getattr(node, 'lineno', 0)}"


@every_module
def test_only_jit_compiles(path: Path) -> None:
    if path == PACKAGE / "kernels" / "jit.py":
        return
    banned = {"numba.njit", "numba.jit", "numba.vectorize", "numba.prange"}
    assert not banned & set(_imports(path))


@every_module
def test_chance_comes_from_our_generator(path: Path) -> None:
    if FLOORS.index(_floor_of(path)) >= FLOORS.index("lab"):
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
