"""Plant small errors in the package one at a time, and see whether the tests find them.

`make mutants` plants a hundred. Each runs only the tests that run its line, the quickest first,
until one fails. All of it happens in copies of the tree, with compilation off. The first run
maps which test runs which lines; a later one maps only files that have changed. What is
changed and tested stands in pyproject.toml, under tool.mutants.
"""

import argparse
import fnmatch
import importlib
import json
import os
import random
import sys
import tomllib
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mutation.lines import Map, digest
from mutation.planted import Mutant, mutants_of
from mutation.runs import Copy, Job, Tree, Wanted, file_of, run

BATCH = 20.0  # seconds of tests that a mutant runs before the next ones are collected


@dataclass(frozen=True)
class Place:
    """A mutant in its file."""

    file: str
    source: str
    mutant: Mutant

    @property
    def name(self) -> str:
        """Its file, without the folders that all have, and its line."""
        return f"{self.file.removeprefix('src/undercut/')}:{self.mutant.line}"

    @property
    def key(self) -> str:
        """The same only for the same change of the same text."""
        mutant = self.mutant
        return f"{self.file}:{digest(self.source)}:{mutant.line}:{mutant.column}:{mutant.now}"


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant."""

    key: str
    place: str
    was: str
    now: str
    result: str  # found, hung, survived
    test: str | None  # that has found it; "import" if the tests could not begin

    def __str__(self) -> str:
        was, now = (" ".join(text.split())[:60] for text in (self.was, self.now))
        by = "" if self.test is None else f" by {self.test}"
        return f"{self.place}: {was} -> {now}: {self.result}{by}"


class Hunt:
    """Plants mutants, and notes what becomes of each."""

    def __init__(self, tree: Tree, tests: Map, kept: Path, is_resumed: bool) -> None:
        self._tree, self._tests, self._kept, self._jobs = tree, tests, kept, deque[Job]()
        self._steady = set[str]()  # tests that have passed alone, with nothing planted
        self.verdicts: list[Verdict] = []
        lines = kept.read_text().splitlines() if is_resumed and kept.exists() else []
        known = [Verdict(**json.loads(line)) for line in lines]
        self._known = {each.key: each for each in known if each.result != "survived"}

    def run(self, places: list[Place], copies: list[Copy]) -> None:
        """Plant each in turn. What an earlier run has found is not planted again."""
        for place in places:
            if place.key in self._known:
                self.verdicts.append(self._known[place.key])
            else:
                self._plant(place, self._tests.tests_of(place.file, place.mutant))
        run(self._jobs, copies)

    def _plant(self, place: Place, tests: Wanted, has_hung: bool = False) -> None:
        """Run the next tests: at least one, and as many as take some time together.

        A mutant that hangs is planted once more, since a busy machine looks the same.
        """
        batch, is_compiled = Wanted(), self._tree.is_compiled
        for test, seconds in tests.items():
            is_alike = not batch or is_compiled(test) == is_compiled(next(iter(batch)))
            if is_alike and sum(batch.values()) < BATCH:
                batch[test] = seconds
        rest = {test: tests[test] for test in tests if test not in batch}

        def judge(job: Job, _: Path) -> None:
            if job.failed is None and rest:
                self._plant(place, rest, has_hung)
            elif job.is_hung and not has_hung:
                self._plant(place, tests, has_hung=True)
            elif job.failed is None or job.failed == "import" or job.failed in self._steady:
                self._note(place, job)
            else:
                alone = {job.failed: tests[job.failed]}
                self._jobs.appendleft(Job([file_of(job.failed)], self._check(place, job), alone))

        files = sorted({file_of(test) for test in batch})
        job = Job(files, judge, batch, planted=(place.file, place.mutant.apply(place.source)))
        if batch:
            self._jobs.append(job)
        else:  # no test runs it
            self._note(place, job)

    def _check(self, place: Place, found: Job) -> Callable[[Job, Path], None]:
        """A test that has failed must pass with nothing planted, or it has found nothing."""

        def then(job: Job, _: Path) -> None:
            assert found.failed is not None
            if job.failed is None:
                self._steady.add(found.failed)
                self._note(place, found)
            else:
                print(f"fails with nothing planted: {found.failed}", file=sys.stderr)
                self._tests.forget(found.failed)
                self._plant(place, self._tests.tests_of(place.file, place.mutant))

        return then

    def _note(self, place: Place, job: Job) -> None:
        result = "survived" if job.failed is None else "hung" if job.is_hung else "found"
        mutant = place.mutant
        verdict = Verdict(place.key, place.name, mutant.was, mutant.now, result, job.failed)
        self.verdicts.append(verdict)
        with self._kept.open("a") as file:
            file.write(json.dumps(vars(verdict)) + "\n")
        print(f"{len(self.verdicts)}: {verdict}", file=sys.stderr)


def choose(tree: Tree, tests: Map, only: list[str], seed: int, count: int | None) -> list[Place]:
    """So many statements that tests run, by chance, and a mutant of each; without a count, all."""
    statements = defaultdict[tuple[str, int], list[Place]](list)
    for name, source in tree.sources().items():
        for mutant in mutants_of(source):
            place = Place(name, source, mutant)
            if any(fnmatch.fnmatch(place.name, each) for each in only):
                statements[name, mutant.first].append(place)
    if count is None:
        return [place for places in statements.values() for place in places]
    chance, chosen, order = random.Random(seed), list[Place](), list(statements)
    chance.shuffle(order)
    for statement in order:
        place = chance.choice(statements[statement])
        if len(chosen) < count and tests.tests_of(place.file, place.mutant):
            chosen.append(place)
    return chosen


def read_options() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which mutants are chosen")
    parser.add_argument("--count", type=int, default=100, help="how many statements get a mutant")
    places = "places such as 'app/web/*' or 'lab/sprt.py:52'; may be given again"
    parser.add_argument("--only", action="append", help=places)
    parser.add_argument("--all", action="store_true", help="every mutant of these places")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="runs at a time")
    parser.add_argument("--resume", action="store_true", help="plant only what was not found yet")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser.parse_args()


def main() -> None:
    """The command, for the project in the working directory."""
    options, root = read_options(), Path.cwd()
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["mutants"]
    tree = Tree(root=root, **settings)
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for library in tree.libraries:
        importlib.import_module(library)
    folder = root / "build" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    copies = [Copy(tree, folder / f"copy-{number}") for number in range(options.workers)]
    tests = Map(tree, folder / "map.json")
    tests.update(copies)
    hunt = Hunt(tree, tests, folder / "verdicts.jsonl", options.resume)
    count = None if options.all else options.count
    hunt.run(choose(tree, tests, options.only or ["*"], options.seed, count), copies)
    verdicts = sorted(hunt.verdicts, key=lambda each: (each.result, each.place))
    found = sum(each.result != "survived" for each in verdicts)
    if options.json:
        rows = [vars(each) for each in verdicts]
        print(json.dumps({"seed": options.seed, "found": found, "mutants": rows}, indent=1))
    else:
        print("\n".join(map(str, verdicts)))
        print(f"seed {options.seed}: {found} of {len(verdicts)} found")


if __name__ == "__main__":
    main()
