"""A Ray cluster of two processes plays what this one plays, also while a process is killed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from undercut.adapters import cluster as adapter
from undercut.adapters.cluster import Cluster, ClusterError
from undercut.cli import main
from undercut.games.families import parse_game
from undercut.lab.compare import play_match
from undercut.lab.workers import Setup
from undercut.players.catalog import parse_agent
from undercut.text.errors import AgentError, UndercutError

pytestmark = pytest.mark.compiled

RAY_LOG = re.compile(r"\[\d{4}-\d\d-\d\d .*\.cc:\d+: ")  # a thread of Ray's, rarely, after all
GAME = "gin:target=1"  # a match of one deal
BOT = """
import os, pathlib, signal, time
FLAG = pathlib.Path({flag!r})

class Last:
    def act(self, view, legal, random):
        if random.below(50) == 0 and not FLAG.exists():
            FLAG.write_text(str(os.getpid()))
            {misdeed}
        return legal[random.below(2) - 1]
"""


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two processes, as quick as this one: they find what they need compiled."""
    game = parse_game(GAME)
    harmless, _ = bot(tmp_path_factory.mktemp("harmless"), "pass")
    for other in ("simple", "random"):
        play_match(game, [parse_agent(each, game) for each in (harmless, other)], 2)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("RAY_USAGE_STATS_ENABLED", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
            patch.setenv(name, "")  # so that it is as before afterwards
            patch.delenv(name)
        patch.setenv("RAY_worker_niceness", "0")
        with Cluster("local", workers=2) as crew:
            yield crew


def bot(folder: Path, misdeed: str) -> tuple[str, Path]:
    """A player of one's own that does something once, and the file that says which process did."""
    path, flag = folder / "bot.py", folder / "flag"
    path.write_text(BOT.format(flag=str(flag), misdeed=misdeed))
    return f"python:{path}:Last", flag


def plain(text: str) -> dict[str, object]:
    return {**json.loads(text), "deals_per_second": 0}


def command(*words: str) -> Result:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.stderr
    return done


def test_a_killed_worker_loses_nothing(crew: Cluster, tmp_path: Path) -> None:
    spec, flag = bot(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    words = ["match", GAME, "simple", spec, "-n", "60", "--seed", "7", "--json"]
    away = command(*words, "--cluster", "auto")
    killed = int(flag.read_text())
    assert killed != os.getpid()
    assert plain(away.stdout) == plain(command(*words).stdout)


def test_a_tournament_is_the_same(crew: Cluster, tmp_path: Path) -> None:
    words = ["tournament", GAME, "simple", "patient", "random", "-n", "300", "--json"]
    kept = tmp_path / "kept.db"
    here = command(*words)
    away = command(*words, "--cluster", "auto", "--resume", str(kept))
    assert away.stdout == here.stdout
    assert away.stdout == command(*words, "--resume", str(kept)).stdout  # all is kept


def test_decisions_are_the_same(crew: Cluster, tmp_path: Path) -> None:
    words = [GAME, "simple", "random", "--decisions", "20000", "--json"]
    command("generate", str(tmp_path / "here"), *words)
    command("generate", str(tmp_path / "away"), *words, "--cluster", "auto")
    away, here = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("away", "here")
    )
    assert away == here
    assert len(here) > 3


def test_tuning_is_the_same(crew: Cluster, tmp_path: Path) -> None:
    words = ["tune", GAME, "thrifty", "--against", "simple", "--vary", "link", "--trials", "4"]
    words += ["-n", "40", "--keep", "2", "--validate", "40", "--json"]
    here = command(*words, "--study", str(tmp_path / "here.db"))
    away = command(*words, "--study", str(tmp_path / "away.db"), "--cluster", "auto")
    assert _without_speed(json.loads(away.stdout)) == _without_speed(json.loads(here.stdout))


def _without_speed(tuned: dict[str, Any]) -> dict[str, Any]:
    for strategy in tuned["strategies"]:
        for result in strategy["against"]:
            del result["deals_per_second"]
    return tuned


def test_ctrl_c_stops_the_workers(crew: Cluster, tmp_path: Path) -> None:
    """Another process joins the cluster by its address, and leaves."""
    import ray

    spec, flag = bot(tmp_path, "time.sleep(600)")
    address = ray.get_runtime_context().gcs_address
    words = ["match", GAME, spec, "random", "-n", "200", "--cluster", address]
    process = subprocess.Popen(
        [sys.executable, "-m", "undercut", *words], stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: flag.exists() and flag.read_text() != "")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    ours = [line for line in said.splitlines() if not RAY_LOG.match(line)]
    assert ours == ["undercut: stopped"], said
    assert process.returncode == 130
    wait_for(lambda: not Path(f"/proc/{flag.read_text()}").exists())


def test_what_ray_reports_while_it_ends_is_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    """Its threads write to the file descriptor, once its log file is closed."""
    os.write(2, b"before\n")
    cluster = object.__new__(Cluster)
    cluster._is_ours = True
    cluster._ray = SimpleNamespace(shutdown=lambda: os.write(2, b"Failed to push error\n"))
    cluster.close()
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "before\nafter\n"


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(1800):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("not within three minutes")


def test_what_goes_wrong_there_is_said_in_one_line(
    crew: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parse_game(GAME)
    spec, _ = bot(tmp_path, "raise OSError('no cards')")
    with pytest.raises(AgentError, match=r"^[^\n]*no cards[^\n]* \(on [^\n]*\)$"):
        play_match(
            game,
            [parse_agent(each, game) for each in (spec, "random")],
            200,
            setup=Setup(crew=crew),
        )
    with pytest.raises(ClusterError, match="the cluster at 'auto' has no GPU"):
        Cluster("auto", "cuda")
    monkeypatch.setattr(adapter, "identity", lambda: "9.9.9 (another)")
    simple = parse_agent("simple", game)
    with pytest.raises(ClusterError, match=r"undercut \S+ \(\w+\) on .*, not 9\.9\.9 \(another\)"):
        play_match(game, [simple, simple], 2, setup=Setup(crew=crew))


def test_who_cannot_be_reached_or_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("127.0.0.1:1", "nonsense"):
        done = CliRunner().invoke(main, ["match", GAME, "simple", "random", "--cluster", address])
        assert done.exit_code == 2
        assert "no Ray cluster at" in done.stderr
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UndercutError, match=r"pip install 'undercut\[cluster\]'"):
        Cluster("auto")
