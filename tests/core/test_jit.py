"""core/jit.py: a cache that never goes stale and never crashes another process.

Each test works on a copy of the package in other processes, with a cache folder of its own.
"""

import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.lanes import side_by_side
from undercut.core import jit
from undercut.core.jit import (
    count_ones,
    count_trailing_zeros,
    kernel,
    meet,
    specialise,
    specialise_part,
    stay_apart,
    wrapped_product,
)
from undercut.core.records import pack

# Deadwood calls kernels of another module, so it shows what a stale cache would miss.
DEADWOOD = """
from undercut.core.cards import parse_cards
from undercut.core.melds import deadwood
print(deadwood(parse_cards("Kc Qc 9h"), 10))
"""
FOLDER = "from undercut.core.jit import cache_folder; print(cache_folder())"

of_the_cache = pytest.mark.compiled  # interpreted, nothing is kept


@pytest.fixture
def source(package: Path, tmp_path: Path) -> Path:
    """A copy of the package that a test may edit: the folder to put on the path."""
    folder = tmp_path / "source"
    shutil.copytree(package, folder / "undercut", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def _start(code: str, source: Path, cache: Path) -> "subprocess.Popen[str]":
    environment = os.environ | {"PYTHONPATH": str(source), "UNDERCUT_CACHE": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _finish(process: "subprocess.Popen[str]") -> str:
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return output.strip()


def _run(code: str, source: Path, cache: Path) -> str:
    return _finish(_start(code, source, cache))


def _compiled_files(cache: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@of_the_cache
def test_an_edit_of_one_kernel_reaches_kernels_that_call_it(source: Path, cache: Path) -> None:
    assert _run(DEADWOOD, source, cache) == "29"
    _edit(source / "undercut/core/cards.py", "min(rank + 1, 10)", "min(rank + 1, 11)")
    assert _run(DEADWOOD, source, cache) == "31"


@of_the_cache
def test_the_folder_is_named_after_all_kernel_sources(source: Path, cache: Path) -> None:
    before = _run(FOLDER, source, cache)
    assert before.startswith(str(cache))
    assert _run(FOLDER, source, cache) == before
    folders = {before}
    for layer in ("core", "games", "play", "search"):
        with (source / "undercut" / layer / "another.py").open("w") as file:
            file.write('"""A module more."""\n')
        folders.add(_run(FOLDER, source, cache))
    assert len(folders) == 5


@of_the_cache
def test_a_file_without_kernels_leaves_the_cache_warm(source: Path, cache: Path) -> None:
    before = _run(FOLDER, source, cache)
    (source / "undercut/lab/another.py").write_text('"""A module more."""\n')
    assert _run(FOLDER, source, cache) == before


@of_the_cache
def test_two_processes_at_once_on_a_cold_cache(source: Path, cache: Path) -> None:
    both = [_start(DEADWOOD, source, cache) for _ in range(2)]
    assert [_finish(process) for process in both] == ["29", "29"]
    assert _run(DEADWOOD, source, cache) == "29"


@of_the_cache
def test_a_second_process_compiles_nothing(source: Path, cache: Path) -> None:
    assert _run(DEADWOOD, source, cache) == "29"
    files = _compiled_files(cache)
    assert files
    assert _run(DEADWOOD, source, cache) == "29"
    assert _compiled_files(cache) == files


@of_the_cache
def test_it_works_where_no_cache_can_be_written(
    source: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("a file, where a folder is wanted")
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setenv("TMPDIR", str(passing))
    assert _run(DEADWOOD, source, cache) == "29"
    assert cache.read_text() == "a file, where a folder is wanted"
    assert not any(passing.iterdir())


@of_the_cache
def test_old_folders_are_forgotten_and_young_ones_kept(source: Path, cache: Path) -> None:
    kernels = cache / "undercut" / "kernels"
    for name, days in (("old", 40), ("young", 3)):
        (kernels / name).mkdir(parents=True)
        (kernels / name / "kernel.nbc").write_text("")
        age = (kernels / name).stat().st_mtime - days * 24 * 3600
        os.utime(kernels / name, (age, age))
    current = _run(FOLDER, source, cache)
    assert {path.name for path in kernels.iterdir()} == {"young", Path(current).name}


@of_the_cache
def test_a_folder_that_vanishes_meanwhile_does_no_harm(source: Path, cache: Path) -> None:
    """Another process may forget the same old folder: a link to nowhere looks just like that."""
    kernels = cache / "undercut" / "kernels"
    kernels.mkdir(parents=True)
    (kernels / "vanished").symlink_to(kernels / "nowhere")
    assert _run(FOLDER, source, cache).startswith(str(kernels))


@of_the_cache
def test_is_cache_cold_until_something_is_compiled(source: Path, cache: Path) -> None:
    code = "from undercut.core.jit import is_cache_cold; print(is_cache_cold())"
    assert _run(code, source, cache) == "True"
    _run(DEADWOOD, source, cache)
    assert _run(code, source, cache) == "False"


def test_count_bits() -> None:
    @kernel
    def both(number: int) -> tuple[int, int]:
        return count_ones(number), count_trailing_zeros(number)

    for number in (1, 2, 3, 0b1011000, 1 << 51, (1 << 52) - 1, 1 << 62):
        assert both(number) == (bin(number).count("1"), bin(number)[::-1].index("1"))


def test_a_lone_lane_waits_for_nobody() -> None:
    @kernel
    def sum_of_lane(numbers: Any, lane: int, lanes: int) -> int:
        stay_apart()
        total = 0
        meet(lanes)
        for i in range(lane, len(numbers), lanes):
            total += int(numbers[i])
        meet(lanes)
        return total

    @kernel
    def twice(numbers: Any) -> int:
        stay_apart()
        return sum_of_lane(numbers, 0, 1) + sum_of_lane(numbers, 0, 1)

    assert twice(np.arange(5)) == 20


@pytest.mark.compiled
def test_a_wrapped_product_may_be_too_large() -> None:
    """Numba says of other products of numbers above 0 that they are above 0, however large."""

    @kernel
    def is_negative(number: int) -> bool:
        product: int = wrapped_product(0xD2511F53, number & 0xFFFFFFFF)
        return product < 0

    assert is_negative(0xFFFFFFFF)
    assert not is_negative(1)


def test_lanes_that_meet_see_what_each_has_written() -> None:
    written = [0, 0, 0]

    def write(lane: int) -> int:
        written[lane] = lane + 1
        jit._interpreted_meet(3)
        return sum(written)

    assert side_by_side(3, write) == [6, 6, 6]


def test_specialise_binds_names_and_leaves_the_template_alone() -> None:
    template = _template
    doubled = specialise(template, "doubled", step=kernel(_double))
    squared = specialise(template, "squared", step=kernel(_square))
    assert (doubled(5), squared(5)) == (11, 26)
    assert doubled.__name__ == template.__name__
    with pytest.raises(TypeError, match="nothing is bound to 'step'"):
        specialise(template, "unbound")


@pytest.mark.compiled
def test_a_part_is_compiled_with_its_caller_alone() -> None:
    part: Any = specialise_part(_template, "part", step=kernel(_double))
    whole: Any = specialise(_template, "whole", step=part)
    assert whole(5) == 12
    assert (len(whole.signatures), part.signatures) == (1, [])


@pytest.mark.compiled
def test_a_kernel_that_kernels_call_is_linked_and_called_by_python_it_is_compiled() -> None:
    inner: Any = kernel(_below_ten)
    outer: Any = specialise(_template, "linked", step=inner)
    assert outer(5) == 7
    assert (len(outer.signatures), inner.signatures) == (1, [])
    assert (inner(5), len(inner.signatures)) == (6, 1)
    for each in (outer, inner):
        with pytest.raises(ValueError, match="ten is too much"):
            each(10)


def test_a_value_that_nothing_is_bound_to_is_an_error() -> None:
    assert specialise(_scaled, "tripled", factor=3)(5) == 15
    with pytest.raises(TypeError, match="nothing is bound to 'factor'"):
        specialise(_scaled, "unbound")


@jit.hole
def step(number: int) -> int: ...


factor: int = jit.hole_value()


def _template(number: int) -> int:
    return step(number) + 1


def _below_ten(number: int) -> int:
    if number == 10:
        raise ValueError("ten is too much")
    return number + 1


def _scaled(number: int) -> int:
    return factor * number


def _double(number: int) -> int:
    return 2 * number


def _square(number: int) -> int:
    return number * number


def test_a_record_with_more_fields_gets_code_of_its_own() -> None:
    """Numba would warn that it takes one record for the other, in whichever order they come."""

    @kernel
    def first(record: Any) -> int:
        return int(record.first)

    @kernel
    def plus_one(record: Any) -> int:
        return first(record) + 1

    @kernel
    def plus_two(record: Any) -> int:
        return first(record) + 2

    short = pack(namedtuple("Short", "first")(1))
    long = pack(namedtuple("Long", "first second")(5, 6))
    answers = [plus_one(short), plus_two(long), plus_one(long), plus_two(short)]
    assert answers == [2, 7, 6, 3]


OWN_GAME = """
from undercut.games.agents import parse_agent
from undercut.games.families import parse_game, register
from undercut.play.batch import play_batch
register("duel", "duel.family")
game = parse_game("duel")
print(play_batch(game, [parse_agent("random", game)] * 2, 4, max_deals=1).scores.tolist())
"""


@of_the_cache
def test_an_edit_of_a_game_outside_the_package_reaches_the_loops_made_for_it(
    source: Path, cache: Path, package: Path
) -> None:
    shutil.copytree(package.parents[1] / "examples" / "duel", source / "duel")
    before = _run(OWN_GAME, source, cache)
    assert _run(OWN_GAME, source, cache) == before
    _edit(source / "duel/rules.py", ">= action % 13", "<= action % 13")
    assert _run(OWN_GAME, source, cache) != before
