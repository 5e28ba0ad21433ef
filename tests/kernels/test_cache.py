"""kernels/cache.py: a cache that never goes stale, and never runs what does not fit.

Most tests work on a copy of the package in other processes, with a cache folder of its own.
"""

import ast
import io
import os
import pickle
import re
import shutil
import stat
import subprocess
import sys
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from undercut.kernels import cache as kept
from undercut.kernels import jit
from undercut.kernels.jit import hole, kernel, specialise
from undercut.text.errors import OptionsError

# Deadwood calls kernels of another module, so it shows what a stale cache would miss.
DEADWOOD = """
from undercut.cards.french import parse_cards
from undercut.cards.melds import deadwood
print(deadwood(parse_cards("Kc Qc 9h"), 10))
"""
# A kernel that Python calls and another kernel too: both forms of it are kept.
SMALL = """
from undercut.kernels.rng import derive, philox
print(derive(7, 1, 2, 3), philox((1, 2, 3, 4), 7))
"""
FOLDER = "from undercut.kernels.cache import cache_folder; print(cache_folder())"

pytestmark = pytest.mark.compiled  # interpreted, nothing is kept


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


def test_an_edit_of_one_kernel_reaches_kernels_that_call_it(source: Path, cache: Path) -> None:
    assert _run(DEADWOOD, source, cache) == "29"
    _edit(source / "undercut/cards/french.py", "min(rank + 1, 10)", "min(rank + 1, 11)")
    assert _run(DEADWOOD, source, cache) == "31"


def test_an_edited_comment_or_docstring_compiles_nothing(source: Path, cache: Path) -> None:
    assert _run(DEADWOOD, source, cache) == "29"
    files = _compiled_files(cache)
    for name in ("french", "melds"):
        path = source / "undercut/cards" / f"{name}.py"
        longer = re.sub('^( *"""[^"\n]+)', r"\1 More.", path.read_text(), flags=re.M)
        path.write_text(longer.replace("@kernel", "# Another line.\n\n@kernel"))
    assert _run(DEADWOOD, source, cache) == "29"
    assert _compiled_files(cache) == files


def test_code_of_every_folder_counts_and_comments_do_not(source: Path) -> None:
    """One file is edited in each folder in which kernels are declared."""

    def digest() -> str:
        return kept.digest_of_code(kept.kernel_sources(source / "undercut"))

    sources = kept.kernel_sources(source / "undercut")
    declaring = [
        path for path, text in sources.items() if re.search("^@(cold_)?kernel", text, re.M)
    ]
    first = {path.parent: path for path in declaring}
    assert len(first) > 20
    before, digests = digest(), set[str]()
    for path in first.values():
        text = path.read_text()
        path.write_text("# A comment.\n" + text + '"""A text."""\n\n\n')
        assert digest() == before
        path.write_text(text + "ANOTHER = 1\n")
        digests.add(digest())
        path.write_text(text)
    assert before not in digests
    assert len(digests) == len(first)
    (source / "undercut/lab/another.py").write_text("ANOTHER = 1\n")
    assert digest() == before, "a file without kernels"


def test_only_comments_and_docstrings_are_left_out(package: Path) -> None:
    """Compared with Python's own tokenizer, for every source of a kernel."""
    for path, text in kept.kernel_sources(package).items():
        statements = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Expr)]
        texts = [each.value for each in statements if isinstance(each.value, ast.Constant)]
        docstrings = {(each.lineno, each.col_offset) for each in texts if each.value is not ...}
        code = [word for word, place in _tokens(text) if place not in docstrings]
        assert [word for word, _ in _tokens(kept.without_comments(text))] == code, path


def _tokens(text: str) -> list[tuple[str, tuple[int, int]]]:
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(each.string, each.start) for each in found if each.type not in layout]


def test_the_folder_is_named_after_the_code_of_all_kernels(source: Path, cache: Path) -> None:
    before = _run(FOLDER, source, cache)
    assert before.startswith(str(cache))
    digest = kept.digest_of_code(kept.kernel_sources(source / "undercut"))
    assert Path(before).name.startswith(f"{digest}-")


def test_two_processes_at_once_on_a_cold_cache(source: Path, cache: Path) -> None:
    both = [_start(DEADWOOD, source, cache) for _ in range(2)]
    assert [_finish(process) for process in both] == ["29", "29"]
    assert _run(DEADWOOD, source, cache) == "29"


def test_a_second_process_compiles_nothing(source: Path, cache: Path) -> None:
    assert _run(DEADWOOD, source, cache) == "29"
    files = _compiled_files(cache)
    assert files
    assert _run(DEADWOOD, source, cache) == "29"
    assert _compiled_files(cache) == files


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


def test_old_folders_are_forgotten_and_young_ones_kept(source: Path, cache: Path) -> None:
    kernels = cache / "undercut" / "kernels"
    for name, days in (("old", 40), ("young", 3)):
        (kernels / name).mkdir(parents=True)
        (kernels / name / "kernel.nbc").write_text("")
        age = (kernels / name).stat().st_mtime - days * 24 * 3600
        os.utime(kernels / name, (age, age))
    current = _run(FOLDER, source, cache)
    assert {path.name for path in kernels.iterdir()} == {"young", Path(current).name}


def test_a_folder_that_vanishes_meanwhile_does_no_harm(source: Path, cache: Path) -> None:
    """Another process may forget the same old folder: a link to nowhere looks just like that."""
    kernels = cache / "undercut" / "kernels"
    kernels.mkdir(parents=True)
    (kernels / "vanished").symlink_to(kernels / "nowhere")
    assert _run(FOLDER, source, cache).startswith(str(kernels))


def test_is_cache_cold_until_something_is_compiled(source: Path, cache: Path) -> None:
    code = "from undercut.kernels.cache import is_cache_cold; print(is_cache_cold())"
    assert _run(code, source, cache) == "True"
    _run(DEADWOOD, source, cache)
    assert _run(code, source, cache) == "False"


OWN_GAME = """
from undercut.players.catalog import parse_agent
from undercut.games.families import parse_game, register
from undercut.play.batch import play_batch
register("duel", "duel.family")
game = parse_game("duel")
print(play_batch(game, [parse_agent("random", game)] * 2, 4, max_deals=1).scores.tolist())
"""


def test_an_edit_of_a_game_outside_the_package_reaches_the_loops_made_for_it(
    source: Path, cache: Path, package: Path
) -> None:
    shutil.copytree(package.parents[1] / "examples" / "duel", source / "duel")
    before = _run(OWN_GAME, source, cache)
    assert _run(OWN_GAME, source, cache) == before
    _edit(source / "duel/rules.py", ">= action % 13", "<= action % 13")
    assert _run(OWN_GAME, source, cache) != before


def _code_kinds(folder: Path) -> set[str]:
    """What kinds of code the entries of a folder hold, those of its subfolders `linked` apart."""
    entries = [path for path in folder.rglob("*.nbc") if "linked" not in path.parts]
    return {pickle.loads(path.read_bytes())[0][1] for path in entries}


def _plant_linked(folder: Path) -> None:
    """What threads did that took each other's folder: code to be linked where callable code is."""
    shutil.copytree(folder / "linked", folder, dirs_exist_ok=True)
    assert "linked" in _code_kinds(folder)


def _plant_callable(folder: Path) -> None:
    """The other way round: callable code is nowhere but where code to be linked is looked for."""
    for path in folder.iterdir():
        if path.name != "linked":
            shutil.copytree(path, folder / "linked" / path.name, dirs_exist_ok=True)
            shutil.rmtree(path)


def _plant_another_kernel(folder: Path) -> None:
    """Every entry of a folder holds the code of the largest one."""
    for place in (folder, folder / "linked"):
        entries = [path for each in place.iterdir() for path in each.glob("*.nbc")]
        largest = max(entries, key=lambda path: path.stat().st_size).read_bytes()
        for path in entries:
            path.write_bytes(largest)


def _cut_entries(folder: Path) -> None:
    for path in folder.rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])


def _damage_indices(folder: Path) -> None:
    for path in folder.rglob("*.nbi"):
        path.write_bytes(path.read_bytes()[:-3] + b"???")


def test_code_to_be_linked_in_place_of_callable_code_does_not_crash_another_process(
    source: Path, cache: Path
) -> None:
    answer = _run(SMALL, source, cache)
    (folder,) = (cache / "undercut" / "kernels").iterdir()
    _plant_linked(folder)
    assert _run(SMALL, source, cache) == answer
    assert _code_kinds(folder) == {"object"}


@pytest.mark.parametrize(
    "harm", [_plant_linked, _plant_callable, _plant_another_kernel, _cut_entries, _damage_indices]
)
def test_an_entry_that_does_not_fit_is_compiled_again(
    harm: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Declared again, a kernel looks for its code in the cache as in another process."""

    def compiled_again() -> int:
        inner: Any = kernel(_plus_one)
        outer: Any = specialise(_template, "harmed", step=inner)
        assert (outer(1), inner(1)) == (3, 2)
        forms = [outer, inner, inner.get_overload.__self__]
        return sum(sum(form.stats.cache_misses.values()) for form in forms)

    monkeypatch.setattr(jit, "cache_folder", lambda outside: tmp_path)
    assert (compiled_again(), compiled_again()) == (3, 0)
    assert _code_kinds(tmp_path) == {"object"}
    harm(tmp_path)
    assert compiled_again() > 0
    assert compiled_again() == 0
    assert _code_kinds(tmp_path) == {"object"}


def test_code_for_other_arguments_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes that write at once can each give their entry the name of the other's."""
    monkeypatch.setattr(jit, "cache_folder", lambda outside: tmp_path)

    def answers() -> str:
        added = kernel(_plus_one)
        return f"{added(1)} {added(1.5)}"  # type: ignore[arg-type]

    assert answers() == "2 2.5"
    first, second = sorted(tmp_path.rglob("*.nbc"))
    code = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(code)
    assert answers() == "2 2.5"


THREADS = """
import sys, threading
from undercut.kernels import jit
sys.setswitchinterval(1e-6)
compiled, linked, start = [], [], threading.Barrier(4)

class Noted(jit.KernelCache):
    def __init__(self, function, folder, kind="callable"):
        super().__init__(function, folder, kind)
        (linked if kind == "linked" else compiled).append(self.cache_path)

jit.KernelCache = Noted

@jit.hole
def step(number): ...

def template(number):
    return step(number) + 1

def work(worker):
    start.wait()
    for number in range(100):
        name = f"t{worker}_{number}"
        jit.specialise(template, name, step=jit.kernel(lambda number: 2 * number))
    assert jit.specialise(template, f"called{worker}", step=jit.kernel(twice))(5) == 11

def twice(number):
    return 2 * number

threads = [threading.Thread(target=work, args=(worker,)) for worker in range(4)]
[each.start() for each in threads]
[each.join() for each in threads]
assert len(compiled) == len(linked) == 808, (len(compiled), len(linked))
print(sum("/linked/" in path for path in compiled), sum("/linked/" not in path for path in linked))
"""


def test_threads_that_declare_kernels_do_not_take_each_others_folder(
    source: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "declare.py").write_text(THREADS)
    run = "import runpy; runpy.run_path('declare.py')"
    for _ in ("empty", "warm"):
        assert _run(run, source, cache) == "0 0"
    assert {path.name for path in tmp_path.iterdir()} <= {"cache", "declare.py", "source"}


ALL_GAMES = """
import sys, threading
from undercut.app.warm_up import rehearse
from undercut.app.session import Session
from undercut.players.catalog import parse_agent
from undercut.games.families import all_families, parse_game
sys.setswitchinterval(1e-6)
names = [family.rules.NAME for family in all_families() if family.package.startswith("undercut.")]
problems, start = [], threading.Barrier(2 * len(names))

def play(name):
    start.wait()
    try:
        game = parse_game(name)
        agents = [parse_agent("random", game)] * (game.seats - 1)
        rehearse(game, [None, *agents])
        session = Session(game, agents, seed=1)
        for _ in range(4):
            if session.choices():
                session.play(session.choices()[0])
    except BaseException as error:
        problems.append(repr(error))

threads = [threading.Thread(target=play, args=(name,)) for name in 2 * names]
[each.start() for each in threads]
[each.join() for each in threads]
print(problems)
"""


def test_threads_that_first_call_the_kernels_of_all_games_together(
    source: Path, cache: Path
) -> None:
    """With an empty cache and with a warm one, as in a server whose pages open tables at once."""
    for _ in range(3):
        assert _run(ALL_GAMES, source, cache) == "[]"


def test_a_form_that_is_only_linked_raises_an_error_when_it_is_called() -> None:
    inner: Any = kernel(_plus_one)
    outer: Any = specialise(_template, "refused", step=inner)
    assert outer(1) == 3
    linked = inner.get_overload.__self__
    with pytest.raises(SystemError, match="only linked"):
        linked(1)


def test_a_full_disk_costs_time_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept._KernelLocator, "ensure_cache_path", full)
    assert specialise(_template, "unkept", step=kernel(_plus_one))(1) == 3


@hole
def step(number: int) -> int: ...


def _template(number: int) -> int:
    return step(number) + 1


def _plus_one(number: int) -> int:
    return number + 1


@pytest.fixture
def fresh_folder() -> Callable[[], Path]:
    """The cache folder as a process would find it that has just started."""
    return kept.cache_folder.__wrapped__  # type: ignore[no-any-return, attr-defined]


def _mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def test_nobody_else_can_look_into_the_folder(
    cache: Path, fresh_folder: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERCUT_CACHE", str(cache))
    previous = os.umask(0)
    try:
        folder = fresh_folder()
    finally:
        os.umask(previous)
    ours = [folder, folder.parent, folder.parent.parent]
    assert [_mode(each) for each in ours] == [0o700] * 3
    for each in ours:
        each.chmod(0o755)
    (folder / "kernel.nbi").write_text("kept")
    assert fresh_folder() == folder
    assert [_mode(each) for each in ours] == [0o700] * 3
    assert (folder / "kernel.nbi").read_text() == "kept"


@pytest.mark.parametrize("level", range(3))
def test_a_folder_in_which_others_could_write_is_emptied(
    level: int, cache: Path, fresh_folder: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERCUT_CACHE", str(cache))
    folder = fresh_folder()
    (folder / "planted.nbi").write_text("a pickle of somebody else")
    [folder, *folder.parents][level].chmod(0o777)
    assert fresh_folder() == folder
    assert not any(folder.iterdir())
    assert _mode([folder, *folder.parents][level]) == 0o700


def test_a_folder_of_another_user_is_not_used(
    cache: Path, fresh_folder: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERCUT_CACHE", str(cache))
    folder = fresh_folder()
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    passing = fresh_folder()
    assert not passing.is_relative_to(cache)
    passing.rmdir()


@pytest.mark.parametrize("name", ["XDG_CACHE_HOME", "HOME"])
@pytest.mark.parametrize("given", ["", "here"])
def test_the_working_folder_is_never_used(
    name: str,
    given: str,
    fresh_folder: Callable[[], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    working, home = tmp_path / "working", tmp_path / "home"
    working.mkdir()
    monkeypatch.chdir(working)
    monkeypatch.delenv("UNDERCUT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv(name, given)
    folder = fresh_folder()
    assert folder.is_absolute()
    assert not any(working.iterdir())
    if name == "XDG_CACHE_HOME":
        assert folder.is_relative_to(home / ".cache")


def test_a_relative_folder_that_somebody_names_is_an_error(
    fresh_folder: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERCUT_CACHE", "here")
    with pytest.raises(OptionsError, match="UNDERCUT_CACHE 'here': must be an absolute path"):
        fresh_folder()
