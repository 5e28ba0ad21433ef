"""Runs of tests in copies of the tree, each in a process of its own."""

import faulthandler
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import defaultdict, deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

SLOW = 150.0  # seconds after which a test is left out of the map
COVERAGE = """[run]
include = {include}
data_file = {data}
parallel = true
context = ${{MUTANTS_TEST-}}
concurrency = thread
sigterm = true
"""
Wanted = dict[str, float]  # tests, and how many seconds each takes


def file_of(test: str) -> str:
    """The file in which a test stands."""
    return test.partition("::")[0]


@dataclass(frozen=True)
class Tree:
    """The project: what is changed, and what tests it. Paths are relative to the root."""

    root: Path
    targets: list[str]  # files and folders in which errors are planted
    tests: list[str]  # files and folders of tests
    options: list[str]  # of pytest, for files in folders of tests
    compiled: list[str]  # of the tests, those that take too long with compilation off
    kernels: list[str]  # of the targets, those whose change has all kernels compiled again
    libraries: list[str]  # imported once, so that every run has them; nothing of the project itself
    patience: float  # seconds that a test may take beyond six times as long as usual

    def is_compiled(self, test: str) -> bool:
        """Whether a test runs with kernels compiled."""
        return test.startswith(tuple(self.compiled)) if self.compiled else False

    def sources(self) -> dict[str, str]:
        """The text of every file in which errors are planted."""
        paths = [path for each in self.targets for path in (self.root / each).rglob("*.py")]
        paths += [self.root / each for each in self.targets if each.endswith(".py")]
        return {str(path.relative_to(self.root)): path.read_text() for path in sorted(paths)}


class Watch:
    """A pytest plugin: orders the tests, ends one that hangs, notes how each went."""

    def __init__(self, aside: Path, wanted: Wanted | None, patience: float, measured: Any) -> None:
        self._log, self._wanted, self._measured = aside / "log", wanted, measured
        self._patience = patience
        self._hung = (aside / "hung").open("w")
        self._failed = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[Any]
    ) -> Generator[None, Any, Any]:
        """Keep those that are marked for the compiled run: most of them run no kernel."""
        left_out, wanted = config.getoption("deselect") or [], self._wanted
        found = [item for item in items if item.nodeid not in left_out]
        result = yield
        items[:] = found
        if wanted is not None:
            files = defaultdict[str, list[float]](list)
            for test, seconds in wanted.items():
                files[file_of(test)].append(seconds)
            means = {file: sum(times) / len(times) for file, times in files.items()}
            items[:] = [item for item in found if item.nodeid in wanted]
            items.sort(key=lambda item: (means[file_of(item.nodeid)], wanted[item.nodeid]))
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, Any, Any]:
        """Say which test runs, to coverage and to the programs that the test starts."""
        limit = SLOW if self._wanted is None else self._patience + 6 * self._wanted[item.nodeid]
        faulthandler.dump_traceback_later(limit, exit=True, file=self._hung)
        os.environ["MUTANTS_TEST"] = item.nodeid
        if self._measured is not None:
            self._measured.switch_context(item.nodeid)
        self._note(item.nodeid)
        began, self._failed = time.perf_counter(), False
        result = yield
        self._note(item.nodeid, seconds=time.perf_counter() - began, failed=self._failed)
        return result  # the clock runs on: what a test leaves behind may hang too

    def pytest_sessionfinish(self) -> None:
        """All have ended in time."""
        faulthandler.cancel_dump_traceback_later()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has failed if any part of it has."""
        self._failed |= report.failed

    def _note(self, test: str, seconds: float | None = None, failed: bool = False) -> None:
        with self._log.open("a") as file:
            file.write(json.dumps({"test": test, "seconds": seconds, "failed": failed}) + "\n")


@dataclass
class Job:
    """A run of some tests, and how it went."""

    files: list[str]  # of tests
    then: Callable[["Job", Path], None]  # called with the folder in which its traces are
    wanted: Wanted | None = None  # None: all tests of the files, and their coverage is taken
    left_out: list[str] = field(default_factory=list)
    planted: tuple[str, str] | None = None  # the name of a file, and its text with an error in it
    passed: Wanted = field(default_factory=dict)
    failed: str | None = None  # the first test that has failed, or "import"
    is_hung: bool = False

    @property
    def limit(self) -> float:
        """Seconds after which it is killed from outside."""
        return 1800 if self.wanted is None else 120 + 6 * sum(self.wanted.values())

    def end(self, code: int | None, aside: Path) -> None:
        """Read how it went; `code` is how pytest has ended, None if it was killed."""
        notes = [json.loads(line) for line in (aside / "log").read_text().splitlines()]
        ended = [note for note in notes if note["seconds"] is not None]
        self.passed = {note["test"]: note["seconds"] for note in ended if not note["failed"]}
        failed = [note["test"] for note in notes if note["test"] not in self.passed]
        self.is_hung = code is None or (aside / "hung").stat().st_size > 0
        if failed:
            self.failed = failed[0]
        elif self.is_hung and notes:
            self.failed = notes[-1]["test"]
        elif code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            self.failed = "import"
        self.then(self, aside)


class Copy:
    """A copy of the tree, in which one job runs at a time."""

    def __init__(self, tree: Tree, folder: Path) -> None:
        self._tree, self._folder, self._aside, self._jobs = tree, folder, folder / "aside", 0
        self.job: Job | None = None
        shutil.rmtree(folder, ignore_errors=True)
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=tree.root, capture_output=True, check=True).stdout
        for name in {name.decode() for name in names.split(b"\0") if name}:
            if (tree.root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(tree.root / name, folder / name)
        self._kept = tree.sources()

    def start(self, job: Job) -> None:
        """Run a job in a process of its own."""
        self.job, self._jobs = job, self._jobs + 1
        shutil.rmtree(self._aside, ignore_errors=True)
        self._aside.mkdir()
        (self._aside / "log").touch()
        (self._aside / "hung").touch()
        if job.planted is not None:
            self._write(*job.planted)
        self._temporary = tempfile.mkdtemp(prefix="mutants-")
        self._deadline, self._pid = time.monotonic() + job.limit, os.fork()
        if self._pid == 0:
            code = 3
            try:
                code = self._run_tests(job)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(code)

    def _write(self, name: str, text: str) -> None:
        """Write a file with a time of its own, so that no old bytecode is taken for it."""
        (self._folder / name).write_text(text)
        self._jobs += 1
        os.utime(self._folder / name, (1e9 + 10 * self._jobs,) * 2)

    def kill(self) -> None:
        """End its job, with all that it has started."""
        if self.job is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)

    def is_done(self) -> bool:
        """Whether its job has ended; one that is late is killed."""
        assert self.job is not None
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        if not pid and time.monotonic() < self._deadline:
            return False
        self.kill()
        if not pid:
            os.waitpid(self._pid, 0)
        shutil.rmtree(self._temporary, ignore_errors=True)
        job, self.job = self.job, None
        if job.planted is not None:
            self._write(job.planted[0], self._kept[job.planted[0]])
        job.end(os.waitstatus_to_exitcode(status) if pid else None, self._aside)
        return True

    def _run_tests(self, job: Job) -> int:
        """In the new process: let pytest run, and return how it has ended."""
        os.setsid()
        os.chdir(self._folder)
        output = os.open(self._aside / "output", os.O_WRONLY | os.O_CREAT)
        os.dup2(output, 1)
        os.dup2(output, 2)
        paths = [str(self._folder / "src"), str(self._aside)]
        sys.path[:0] = paths
        cache = self._folder.parent / f"{self._folder.name}-kernels"
        os.environ |= {"PYTHONPATH": os.pathsep.join(paths), "UNDERCUT_CACHE": str(cache)}
        os.environ["TMPDIR"] = self._temporary  # short: names of sockets may not be long
        if self._tree.is_compiled(job.files[0]):
            del os.environ["NUMBA_DISABLE_JIT"]
            importlib.import_module("numba").config.DISABLE_JIT = 0
        measured = self._measure() if job.wanted is None else None
        arguments = ["-q", "-Wignore::pytest.PytestAssertRewriteWarning"]  # of LIBRARIES
        arguments += [] if measured else ["-x"]
        arguments += [f"--deselect={test}" for test in job.left_out]
        is_tested = any(file.startswith(tuple(self._tree.tests)) for file in job.files)
        arguments += self._tree.options if is_tested else []
        watch = Watch(self._aside, job.wanted, self._tree.patience, measured)
        code = pytest.main([*arguments, *job.files], plugins=[watch])
        if measured is not None:
            measured.stop()
            measured.save()
        return int(code)

    def _measure(self) -> Any:
        """Take the coverage of this process, and of all that it starts."""
        folders = [f"{self._folder}/{each}" for each in self._tree.targets]
        include = ",".join(each if each.endswith(".py") else f"{each}/*" for each in folders)
        settings = self._aside / "coveragerc"
        settings.write_text(COVERAGE.format(include=include, data=self._aside / "lines"))
        start = "import coverage\ncoverage.process_startup()\n"
        (self._aside / "sitecustomize.py").write_text(start)
        os.environ["COVERAGE_PROCESS_START"] = str(settings)
        measured = coverage.Coverage(config_file=str(settings))
        measured.start()
        return measured


def run(jobs: "deque[Job]", copies: list[Copy]) -> None:
    """Run jobs, and those that they add when they end, one in each copy at a time."""
    try:
        while jobs or any(copy.job for copy in copies):
            for copy in copies:
                if (copy.job is None or copy.is_done()) and jobs:
                    copy.start(jobs.popleft())
            time.sleep(0.02)
    finally:
        for copy in copies:
            copy.kill()
