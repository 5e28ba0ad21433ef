"""The command as a process: killed, interrupted, piped, and quick to help."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pexpect
import pytest

from lab.tables import GAME
from undercut.kernels.jit import COMPILED

COMMAND = [sys.executable, "-m", "undercut.cli"]

# Plays the first legal action, until the file named in HANG_WHEN gets a result; then it hangs.
SLEEPER = """
import os, time

class Sleeper:
    name = "sleeper"
    first = None

    def act(self, view, legal, random):
        path = os.environ.get("HANG_WHEN")
        if path:
            changed = os.stat(path).st_mtime_ns
            self.first = self.first or changed
            if changed != self.first:
                open(path + ".hangs", "w").close()
                time.sleep(600)
        return legal[0]
"""


@pytest.fixture
def contest(tmp_path: Path) -> list[str]:
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER)
    agents = ["simple", f"python:{bot}:Sleeper"]
    return [*COMMAND, "tournament", GAME, *agents, "-n", "300", "--seed", "2"]


def start_and_wait_until_it_hangs(command: list[str], results: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        command,
        env={**os.environ, "HANG_WHEN": str(results)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    flag = Path(f"{results}.hangs")
    while not flag.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def finish(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True)


def rows_of(results: Path) -> list[tuple[bytes, int]]:
    with closing(sqlite3.connect(results)) as database:
        return database.execute("SELECT body, crc FROM rows").fetchall()


def test_killed_and_run_again_gives_the_same_table(tmp_path: Path, contest: list[str]) -> None:
    results = tmp_path / "results.db"
    command = [*contest, "--resume", str(results)]
    process = start_and_wait_until_it_hangs(command, results)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    kept = rows_of(results)
    assert len(kept) >= 2
    resumed = finish(command)
    assert "going on: 128 of 300 games are done" in resumed.stderr
    assert rows_of(results)[: len(kept)] == kept
    assert resumed.stdout == finish(contest).stdout


def test_ctrl_c(tmp_path: Path, contest: list[str]) -> None:
    results = tmp_path / "results.db"
    command = [*contest, "--resume", str(results)]
    process = start_and_wait_until_it_hangs(command, results)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert "128 games are kept: the same command goes on" in err
    assert err.endswith("undercut: stopped\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [["rules", "gin"], ["match", "--help"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_bad_input_from_a_shell() -> None:
    done = subprocess.run(
        [*COMMAND, "match", "gin", "nobody", "simple"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("undercut: unknown agent 'nobody' for gin: one of ")
    assert done.stderr.count("\n") == 1


def test_help_is_quick_because_nothing_heavy_is_imported() -> None:
    script = (
        "import sys, time\n"
        "from undercut.cli import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit:\n"
        "    heavy = {'numba', 'numpy', 'rich', 'matplotlib', 'scipy'} & set(sys.modules)\n"
        "    print(sorted(heavy), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_a_terminal_sees_progress_and_a_pipe_does_not() -> None:
    games = "60000" if COMPILED else "260"  # enough for a rate
    arguments = ["match", GAME, "simple", "random", "-n"]
    terminal = pexpect.spawn(
        COMMAND[0], [*COMMAND[1:], *arguments, games], encoding="utf-8", timeout=120
    )
    shown = terminal.read()
    terminal.wait()
    assert terminal.exitstatus == 0
    assert "games/s" in shown
    piped = finish([*COMMAND, *arguments, "4", "--json"])
    assert "games/s" not in piped.stderr
    json.loads(piped.stdout)


def test_products_of_numpy_take_one_thread(tmp_path: Path) -> None:
    """Results do not depend on the number of cores; the user's own setting stays."""
    bot = tmp_path / "bot.py"
    note = f"open({str(tmp_path / 'threads')!r}, 'w').write(os.environ['OPENBLAS_NUM_THREADS'])"
    act = f"    def act(self, view, legal, random):\n        {note}\n        return legal[0]\n"
    bot.write_text(f"import os\nclass Bot:\n    name = 'bot'\n{act}")
    words = ["match", "gin:target=1", f"python:{bot}:Bot", "simple", "-n", "2"]
    plain = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for own in ({}, {"OPENBLAS_NUM_THREADS": "3"}):
        command = [sys.executable, "-m", "undercut", *words]
        subprocess.run(command, env=plain | own, check=True, capture_output=True)
        assert (tmp_path / "threads").read_text() == own.get("OPENBLAS_NUM_THREADS", "1")
