"""Ctrl-C at any moment: one line, exit code 130, and nothing is damaged."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pytest

from undercut import __main__ as command
from undercut.cli import screen

# Ctrl-C comes some seconds after the command has begun, while it imports, compiles or plays.
PROGRAM = """
import os, signal, sys, threading
stop = threading.Timer({seconds}, os.kill, (os.getpid(), signal.SIGINT))
stop.daemon = True
stop.start()
sys.argv[1:] = {arguments!r}
from undercut.__main__ import main
main()
"""
ENDLESS = {
    "match": ["match", "rummy", "random", "random", "-n", "100000000"],
    "tournament": ["tournament", "rummy", "greedy", "random", "-n", "100000000"],
    "play": ["play", "pharaoh"],
}
SHORT = ["match", "rummy", "random", "random", "-n", "2"]
# A fast machine has compiled all before the last moment, and says so too.
COMPILING = re.compile(rf"{re.escape(screen._COMPILING)}|compiled [\d,]+ kernels in [\d.]+ s")
MOMENTS = {"match": [0.02, 0.8, 2.0, 4.0], "tournament": [3.0], "play": [0.2, 3.0]}


def stop_after(seconds: float, arguments: list[str], cache: Path) -> tuple[int, list[str]]:
    """The exit code and what was said, but for compiling."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(seconds=seconds, arguments=arguments)],
        env={**os.environ, "UNDERCUT_CACHE": str(cache)},
        stdin=subprocess.PIPE,  # nobody types
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = process.stderr.read().splitlines()
    code = process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()
    return code, [line for line in said if not COMPILING.fullmatch(line)]


@pytest.mark.parametrize("name", ENDLESS)
def test_one_line_at_any_moment_and_the_cache_stays_whole(name: str, tmp_path: Path) -> None:
    """What the cache holds is the same matter for every command, so one plays on with it."""
    for seconds in MOMENTS[name]:
        stopped = stop_after(seconds, ENDLESS[name], tmp_path)
        if name == "play" and stopped == (0, []):
            continue  # at the table, where Ctrl-C is a polite way to leave
        assert stopped == (130, ["undercut: stopped"]), f"after {seconds} s"
    if name != "match":
        return
    done = subprocess.run(
        [sys.executable, "-m", "undercut", *SHORT],
        env={**os.environ, "UNDERCUT_CACHE": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout
    assert "Traceback" not in done.stderr


class Ended(Exception):
    """The process would have ended."""


@pytest.fixture
def last_words(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    words: list[bytes] = []

    def end(line: bytes) -> None:
        words.append(line)
        raise Ended

    monkeypatch.setattr(command, "_end_at_once", end)
    return words


def called_in(module: str, function: Callable[[], Any]) -> None:
    """Call a function from code of another module.

    Not by `exec`: Python would end by Ctrl-C itself if that was ever left by one.
    """
    FunctionType(_call.__code__, {"__name__": module})(function)


def _call(function: Callable[[], Any]) -> None:
    function()


@pytest.mark.parametrize("module", ["numba.core.compiler", "importlib._bootstrap", "llvmlite.ir"])
def test_where_raising_is_not_safe_the_process_ends(module: str, last_words: list[bytes]) -> None:
    ctrl_c = command.CtrlC()
    with pytest.raises(Ended):
        called_in(module, lambda: press(ctrl_c))
    assert last_words == [b"undercut: stopped\n"]


def press(ctrl_c: command.CtrlC) -> None:
    frame: FrameType = sys._getframe()
    ctrl_c(signal.SIGINT, frame)


def test_a_command_can_save_and_a_second_time_does_not_wait(last_words: list[bytes]) -> None:
    ctrl_c = command.CtrlC()
    with pytest.raises(KeyboardInterrupt):
        called_in("undercut.lab.tournament", lambda: press(ctrl_c))
    assert last_words == []
    with pytest.raises(Ended):
        press(ctrl_c)
    ctrl_c.is_over = True  # all is said
    with pytest.raises(Ended):
        press(ctrl_c)
    assert last_words == [b"undercut: stopped\n", b""]


def test_where_ctrl_c_is_ignored_it_stays_ignored() -> None:
    program = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "sys.argv[1:] = ['rules']\n"
        "from undercut.__main__ import main\n"
        "try: main()\n"
        "finally: print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("True\n")
