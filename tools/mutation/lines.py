"""Which tests run which lines."""

import hashlib
import json
import sys
from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import coverage

from mutation.planted import Mutant
from mutation.runs import SLOW, Copy, Job, Tree, Wanted, file_of, run


def digest(text: str) -> str:
    """A short name of a text, which no other text has."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Map:
    """Which tests run which lines, kept in a file.

    A file of tests is run again if it has changed, or if a target that it runs has.
    """

    def __init__(self, tree: Tree, path: Path) -> None:
        self._tree, self._path, self._jobs = tree, path, deque[Job]()
        self.files: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def update(self, copies: list[Copy]) -> None:
        """Run the files of tests that are new or out of date."""
        root = self._tree.root
        paths = [path for each in self._tree.tests for path in root.glob(f"{each}/**/test_*.py")]
        paths += [root / each for each in self._tree.tests if each.endswith(".py")]
        names = [str(path.relative_to(root)) for path in sorted(paths)]
        names += [name for name, text in self._tree.sources().items() if ">>> " in text]
        self.files = {name: self.files[name] for name in names if name in self.files}
        self._jobs.extend(Job([name], self._keep) for name in names if self._is_old(name))
        run(self._jobs, copies)

    def tests_of(self, name: str, mutant: Mutant) -> Wanted:
        """The tests that run a statement; for what runs on import, all that run code of its file.

        The quickest come first.
        """
        head, found = range(mutant.first, mutant.last + 1), Wanted()
        is_kernel = name.startswith(tuple(self._tree.kernels)) if self._tree.kernels else False
        for file, each in self.files.items():
            if is_kernel and self._tree.is_compiled(file):
                continue
            for test, about in each["tests"].items():
                run = about["lines"].get(name, ())
                if any(line in head for line in run) if mutant.is_inside else run:
                    found[test] = about["seconds"]
        return dict(sorted(found.items(), key=lambda test: test[1]))

    def forget(self, test: str) -> None:
        """Leave a test out from now on."""
        del self.files[file_of(test)]["tests"][test]

    def _is_old(self, name: str) -> bool:
        digests = self.files.get(name, {"digests": {name: "new"}})["digests"]
        return any(_digest_of(self._tree.root / each) != kept for each, kept in digests.items())

    def _keep(self, job: Job, aside: Path) -> None:
        name = job.files[0]
        if job.is_hung and job.failed is not None:
            print(f"left out, since it takes more than {SLOW:g} s: {job.failed}", file=sys.stderr)
            self._jobs.append(replace(job, left_out=[*job.left_out, job.failed], failed=None))
            return
        if job.failed == "import":
            sys.exit(f"{name} cannot be run:\n{(aside / 'output').read_text()}")
        lines = defaultdict[str, dict[str, set[int]]](lambda: defaultdict(set))
        for path in aside.glob("lines.*"):
            with suppress(coverage.exceptions.DataError):  # of a program that was killed
                _read_lines(path, aside.parent, lines)
        tests = {
            test: {"seconds": seconds, "lines": {k: sorted(v) for k, v in lines[test].items()}}
            for test, seconds in job.passed.items()
        }
        run = {name, *(file for files in lines.values() for file in files)}
        self.files[name] = {
            "digests": {each: _digest_of(aside.parent / each) for each in run},
            "tests": tests,
        }
        self._path.write_text(json.dumps(self.files, separators=(",", ":")))
        failed = "" if job.failed is None else f"; fails: {job.failed}"
        print(f"mapped {name}: {len(tests)} tests{failed}", file=sys.stderr)


def _digest_of(path: Path) -> str:
    return digest(path.read_text()) if path.is_file() else ""


def _read_lines(path: Path, folder: Path, lines: dict[str, dict[str, set[int]]]) -> None:
    data = coverage.CoverageData(str(path))
    data.read()
    for file in data.measured_files():
        name = str(Path(file).relative_to(folder))
        for line, tests in data.contexts_by_lineno(file).items():
            for test in tests:
                lines[test][name].add(line)
