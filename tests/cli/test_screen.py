"""cli/screen.py: what is told of compiling, and that it is true."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest

from undercut.cli import screen
from undercut.kernels.compiling import Watch, reported, watched

# The game that is compiled soonest.
MATCH = [sys.executable, "-m", "undercut", "match", "rummy", "random", "random", "-n", "2"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "_PATIENCE", 0.0)
    monkeypatch.setattr(screen, "_TICK", 0.01)


def test_a_watch_counts_kernels_and_only_the_time_they_take() -> None:
    watch, started = Watch(), time.perf_counter()
    with watched(watch):
        time.sleep(0.05)
        with reported():
            assert watch.is_busy
            with reported():  # for the sake of the other
                time.sleep(0.05)
        assert not watch.is_busy
    with reported():
        pass
    assert watch.kernels == 2
    assert 0.05 <= watch.seconds < time.perf_counter() - started - 0.05


@pytest.mark.usefixtures("impatient")
def test_a_pipe_is_told_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    with screen.compiling():
        for _ in range(3):
            with reported():
                time.sleep(0.05)
    first, last = capsys.readouterr().err.splitlines()
    assert first == screen._COMPILING
    assert last == "compiled 3 kernels in 0.2 s"


@pytest.mark.usefixtures("impatient")
def test_nothing_is_told_where_nothing_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    with screen.compiling():
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_a_moment_is_not_worth_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with screen.compiling(), reported():
        time.sleep(0.3)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("impatient")
def test_compiling_that_is_broken_off_is_not_told_as_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken_off() -> None:
        with screen.compiling(), reported():
            time.sleep(0.1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert capsys.readouterr().err == f"{screen._COMPILING}\n"


@pytest.mark.compiled
def test_a_cold_and_a_warm_cache_and_at_a_terminal(tmp_path: Path) -> None:
    """The terminal comes last, with other agents: what these need is all that is compiled then."""
    environment = {**os.environ, "UNDERCUT_CACHE": str(tmp_path)}
    started = time.perf_counter()
    cold = subprocess.run(MATCH, env=environment, capture_output=True, text=True, check=True)
    taken = time.perf_counter() - started
    first, last = cold.stderr.splitlines()
    assert first == screen._COMPILING
    figures = re.fullmatch(r"compiled (\d+) kernels in ([\d.]+) s", last)
    assert figures is not None
    of_numba = int(figures[1]) - len(list(tmp_path.rglob("*.nbc")))
    assert 0 < of_numba < 20, "all of ours, and a few of its own"
    assert 0.2 * taken < float(figures[2]) < taken
    warm = subprocess.run(MATCH, env=environment, capture_output=True, text=True, check=True)
    assert warm.stderr == ""
    assert warm.stdout.partition("deals/s")[2] == cold.stdout.partition("deals/s")[2]
    _check_terminal([*MATCH[1:5], "greedy", "random", *MATCH[7:]], environment)


def _check_terminal(arguments: list[str], environment: dict[str, str]) -> None:
    """Somebody at a terminal sees how far compiling is."""
    terminal = pexpect.spawn(
        MATCH[0], arguments, env=environment, encoding="utf-8", timeout=240, dimensions=(24, 80)
    )
    terminal.expect(r"compiling kernels: \d+ done, \d+ s")
    terminal.expect(r"compiled \d+ kernels in [\d.]+ s\r\n")
    terminal.read()
    terminal.wait()
    assert terminal.exitstatus == 0
