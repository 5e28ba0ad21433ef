"""The tool that plants errors: it knows which are found, and by which test."""

import json
import os
import subprocess
import sys
from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import mutants
from mutants import Hunt, Place, choose
from mutation.planted import mutants_of
from mutation.runs import Job, Tree

pytestmark = pytest.mark.compiled  # no kernel is run
TOOL = Path(__file__).parents[2] / "tools" / "mutants.py"

SETTINGS = """[tool.mutants]
targets = ["src/toy"]
tests = ["tests"]
options = []
compiled = []
kernels = []
libraries = []
patience = 3
[tool.pytest.ini_options]
addopts = "-p no:cacheprovider"
"""
TOY = '''"""A toy."""


def larger(one: int, other: int) -> int:
    if one > other:
        return one
    return other


def below(limit: int) -> list[int]:
    found = []
    while len(found) < limit:
        found.append(len(found))
    return found


def unused(number: int) -> int:
    return number + 1
'''
TESTS = """from toy.toy import below, larger

def test_larger():
    assert larger(1, 2) == larger(2, 1) == 2

def test_below():
    assert below(3) == [0, 1, 2]
"""


def planted(folder: Path, *options: str) -> Any:
    """What becomes of the mutants of a toy."""
    for name, text in {
        "pyproject.toml": SETTINGS,
        "src/toy/toy.py": TOY,
        "tests/test_toy.py": TESTS,
        ".gitignore": "build\n__pycache__\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    subprocess.run(["git", "init", "-q", folder], check=True)
    command = [sys.executable, str(TOOL), "--json", *options]
    plain = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_error_is_found_one_that_changes_nothing_survives_and_one_that_hangs_is_stopped(
    tmp_path: Path,
) -> None:
    found = planted(tmp_path, "--all", "--only", "*toy.py:[15]*")  # 5, and from 10 on
    results = {(each["was"], each["now"]): each for each in found["mutants"]}
    assert results["one > other", "one >= other"]["result"] == "survived", "equal ones are equal"
    assert results["one > other", "one < other"]["result"] == "found"
    assert results["one > other", "one < other"]["test"] == "tests/test_toy.py::test_larger"
    assert results["found.append(len(found))", "pass"]["result"] == "hung"
    assert results["number + 1", "(number - 1)"]["result"] == "survived", "no test runs it"
    assert found["found"] == sum(each["result"] != "survived" for each in found["mutants"])
    assert (tmp_path / "src/toy/toy.py").read_text() == TOY, "the tree itself stays as it is"


def test_what_hangs_when_a_test_has_ended_is_stopped_too(tmp_path: Path) -> None:
    (tmp_path / "test_quick.py").write_text("def test_quick(): pass\n")
    (tmp_path / "conftest.py").write_text(
        "import time, pytest\n"
        "@pytest.hookimpl(wrapper=True, tryfirst=True)\n"
        "def pytest_runtest_protocol():\n"
        "    result = yield\n"
        "    time.sleep(1000)\n"
        "    return result\n"
    )
    (tmp_path / "log").touch()
    program = f"""
import sys
sys.path.insert(0, {str(TOOL.parent)!r})
import pytest
from pathlib import Path
from mutation.runs import Watch
wanted = {{"test_quick.py::test_quick": 0.1}}
pytest.main(["test_quick.py"], plugins=[Watch(Path("."), wanted, 1.0, None)])
"""
    plain = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=plain, capture_output=True, timeout=60
    )
    job = Job(["test_quick.py"], lambda job, aside: None)
    job.end(done.returncode, tmp_path)
    assert job.is_hung
    assert job.failed == "test_quick.py::test_quick"


@pytest.mark.parametrize(("hangs", "result"), [([True, False], "survived"), ([True, True], "hung")])
def test_one_that_hangs_is_planted_once_more(
    hangs: list[bool], result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(jobs: deque[Job], _: list[Any]) -> None:
        for is_hung in hangs:
            job = jobs.popleft()
            job.is_hung, job.failed = is_hung, "import" if is_hung else None
            job.then(job, tmp_path)
        assert not jobs

    monkeypatch.setattr(mutants, "run", run)
    tests: Any = SimpleNamespace(tests_of=lambda file, mutant: {"test_toy.py::test": 0.1})
    tree: Any = SimpleNamespace(is_compiled=lambda test: False)
    hunt = Hunt(tree, tests, tmp_path / "verdicts", is_resumed=False)
    hunt.run([Place("toy.py", TOY, next(iter(mutants_of(TOY))))], [])
    assert [each.result for each in hunt.verdicts] == [result]


def test_a_seed_chooses_among_lines_that_tests_run(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    tree = Tree(tmp_path, ["toy.py"], [], [], [], [], [], 1)
    tests: Any = SimpleNamespace(tests_of=lambda name, mutant: {} if mutant.line > 9 else {"t": 1})

    def chosen(seed: int, count: int) -> list[str]:
        return [place.key for place in choose(tree, tests, ["toy.py:*"], seed, count)]

    assert len(chosen(1, 99)) == 3, "three statements, and a mutant of each"
    assert len({tuple(chosen(seed, 99)) for seed in range(9)}) > 1
    assert chosen(5, 99) == chosen(5, 99)
    assert chosen(5, 2) == chosen(5, 99)[:2]


def test_docstrings_types_and_messages_are_left_alone() -> None:
    source = '''"""About."""
from typing import Literal
__all__ = ["f"]
def f(x: Literal["a"] = None) -> "int":
    """About f."""
    assert x, "a message"
    if x == 7:
        raise ValueError(f"not {x}", "a message")
    return say("a message", count=x)
'''
    changes = {(each.was, each.now) for each in mutants_of(source)}
    assert changes == {
        ("x == 7", "False"),
        ("x == 7", "True"),
        ("x == 7", "not x == 7"),
        ("x == 7", "x != 7"),
        ("7", "8"),
        ('raise ValueError(f"not {x}", "a message")', "pass"),
        ('ValueError(f"not {x}", "a message")', "ValueError(f'not {x}')"),
        ('return say("a message", count=x)', "return None"),
        ('say("a message", count=x)', "say('a message')"),
    }


def test_guards_gpus_and_the_looks_of_plots_are_left_alone() -> None:
    source = """
T = TypeVar("T", covariant=True)
def f(x, device):
    kind = a if device.on_gpu else b
    if device == "cuda":
        g(x)
    for each in zip(x, x, strict=True):
        g(each, device=device.name)
    axes.plot(x, color="red", linewidth=0.8)
    _log.exception("a message")
    return h(kind, not x)
"""
    changes = {(each.was, each.now) for each in mutants_of(source)}
    assert changes == {
        ("g(x)", "pass"),
        ("zip(x, x, strict=True)", "zip(x, strict=True)"),
        ("g(each, device=device.name)", "pass"),
        ('axes.plot(x, color="red", linewidth=0.8)', "pass"),
        ('"red"', "''"),
        ('"red"', "'redx'"),
        ('_log.exception("a message")', "pass"),
        ("return h(kind, not x)", "return None"),
        ("h(kind, not x)", "h(kind)"),
        ("not x", "(x)"),
    }
