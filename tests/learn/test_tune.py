"""Tuning: the same deals in every trial, trials that survive kill -9, and distinct strategies."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import optuna
import pytest

from lab.here import Here
from positions import scaled
from undercut.games.families import parse_game
from undercut.lab.workers import HERE, Pace, Setup
from undercut.learn import tune
from undercut.learn.tune import Range, Task, Tuning, parse_ranges, play
from undercut.text.errors import OptionsError
from undercut.text.spec import split_spec

GAME = parse_game("gin:target=10")
GAMES = scaled(40, 2)


def task(**changes: object) -> Task:
    values = {
        "game": GAME,
        "agent": "thrifty",
        "opponents": ("simple", "random"),
        "ranges": (Range("link", 0.0, 4.0, False),),
        "games": GAMES,
        "seed": 3,
        **changes,
    }
    return Task(**values)  # type: ignore[arg-type]


def test_trials_add_up_to_strategies(tmp_path: Path) -> None:
    tuning = Tuning(task(), tmp_path / "study.db")
    told: list[int] = []
    tuning.search(4, "paper", progress=lambda count, text: told.append(count))
    tuning.search(6, "paper", progress=lambda count, text: told.append(count))
    assert len(tuning.finished) == 6
    assert told == [0, 1, 1, 1, 1, 4, 1, 1]
    links = [trial.params["link"] for trial in tuning.finished]
    assert len(set(links)) == 6
    best = max(tuning.finished[:2], key=lambda trial: trial.value).params["link"]
    assert links[2] == pytest.approx(min(best + 0.4, 4), abs=0.001)  # the grid begins beside it
    kept = tuning.strategies(2, GAMES)
    assert len(kept) == 2
    assert kept[0].win_rate >= kept[1].win_rate
    assert abs(float(kept[0].spec[13:]) - float(kept[1].spec[13:])) >= 0.4
    trial = tuning.finished[0]
    again = play(task(), f"thrifty:link={trial.params['link']:g}", GAMES, 3, HERE)
    assert trial.user_attrs["win_rates"] == [result.moments.win_rate(0) for result in again]


def test_tpe_searches_too(tmp_path: Path) -> None:
    tuning = Tuning(task(opponents=("random",)), tmp_path / "study.db")
    tuning.search(2, "tpe")
    assert len(tuning.finished) == 2
    with pytest.raises(OptionsError, match="unknown method 'luck': one of paper, random"):
        tuning.search(3, "luck")


@pytest.mark.parametrize("method", ["paper", "tpe"])
def test_a_crew_makes_the_same_trials(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next", lambda pace, left, crew: min(7, left))
    crew, made = Here(), []
    for name, who in (("away", crew), ("here", None)):
        tuning = Tuning(task(), tmp_path / f"{name}.db")
        tuning.search(8, method, Setup(crew=who))
        kept = tuning.strategies(2, GAMES, Setup(crew=who))
        made.append(
            (
                [(trial.params, trial.user_attrs) for trial in tuning.finished],
                [(each.spec, each.win_rate) for each in kept],
            )
        )
    assert made[0] == made[1]
    needed = (8 + 2) * 2 * 3  # pieces: trials and strategies, opponents, 20 rounds by seven
    assert len(crew.sent) == needed if method == "tpe" else needed < len(crew.sent)


def hill(spec: str) -> list[SimpleNamespace]:
    """A game that is won the more often the nearer two settings are to 1 and 3."""
    fields = split_spec(spec)[1]
    rate = 1 - abs(float(fields["link"]) - 1) / 8 - abs(float(fields["edge"]) - 3) / 8
    return [SimpleNamespace(moments=SimpleNamespace(win_rate=lambda seat: rate))]


def test_cma_es_climbs_and_goes_on_as_if_it_had_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "play", lambda task, spec, *others: hill(spec))
    ranges = (Range("link", 0.0, 4.0, False), Range("edge", 0.0, 4.0, False))
    points = []
    for name, parts in (("parts", (3, 12)), ("whole", (24,))):
        for trials in parts:
            tuning = Tuning(task(ranges=ranges), tmp_path / f"{name}.db")
            tuning.search(trials, "cmaes")
        points.append([trial.params for trial in tuning.finished])
    assert points[0] == points[1][:12]
    rates = [trial.value for trial in tuning.finished]
    assert sum(rates[-8:]) > sum(rates[:8]) + 0.8
    with pytest.raises(OptionsError, match="cmaes needs two settings to tune or more, not one"):
        Tuning(task(), tmp_path / "one.db").search(1, "cmaes")


def test_a_study_of_another_task_is_refused(tmp_path: Path) -> None:
    Tuning(task(), tmp_path / "study.db")
    with pytest.raises(OptionsError, match="its seed is 3, not 4"):
        Tuning(task(seed=4), tmp_path / "study.db")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (["lnk=0:1"], "unknown setting 'lnk' of thrifty: one of link"),
        (["link=1"], "not a range"),
        (["link=3:2"], "must lie within 0 and 20"),
        (["link=0:21"], "must lie within 0 and 20"),
    ],
)
def test_impossible_ranges_are_refused(wanted: list[str], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        parse_ranges(GAME, "thrifty", wanted)
    with pytest.raises(OptionsError, match="no settings to tune"):
        parse_ranges(GAME, "random", [])


def test_ranges_are_those_of_the_settings() -> None:
    assert parse_ranges(GAME, "thrifty", []) == (Range("link", 0.0, 20.0, False),)
    assert parse_ranges(GAME, "simple", ["knock_at=0:10"]) == (Range("knock_at", 0, 10, True),)
    assert task(agent="thrifty:link=2").spec({"link": 1.5}) == "thrifty:link=1.5"


SLEEPER = """
import os, time

class Sleeper:
    name = "sleeper"

    def act(self, view, legal, random):
        if os.environ.get("HANG"):
            open(os.environ["HANG"], "w").close()
            time.sleep(600)
        return legal[0]
"""


def test_a_killed_trial_is_made_again(tmp_path: Path) -> None:
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER)
    flag, study = tmp_path / "hangs", tmp_path / "study.db"
    command = [sys.executable, "-m", "undercut.cli", "tune", "gin:target=1", "thrifty"]
    command += ["--against", f"python:{bot}:Sleeper", "--vary", "link=0:4", "--study", str(study)]
    command += ["--trials", "2", "-n", "2", "--validate", "2", "--json"]
    process = subprocess.Popen(
        command, env={**os.environ, "HANG": str(flag)}, stderr=subprocess.DEVNULL
    )
    while not flag.exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"trials": 2' in done.stdout
    with sqlite3.connect(study) as connection:
        states = connection.execute("select state from trials order by number").fetchall()
    assert states == [("COMPLETE",)] * 2  # the trial it was killed in has left no trace


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["paper", "tpe"])
def test_killed_at_any_moment_it_ends_as_if_it_had_not_been(method: str, tmp_path: Path) -> None:
    script = Path(__file__).with_name("killed_tuning.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), method, "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for kind in ("match", "statement"):
        assert len(found[kind]["killed"]) == 2
        assert found[kind]["others"] == []


def test_a_study_of_an_older_version_goes_on(tmp_path: Path) -> None:
    """Trials that it left waiting, running or failed count for nothing."""
    whole = Tuning(task(), tmp_path / "whole.db")
    whole.search(4, "random")
    parts = Tuning(task(), tmp_path / "parts.db")
    parts.search(2, "random")
    parts.study.enqueue_trial({"link": 3.0})
    parts.study.ask()  # runs, and is never heard of again
    parts.study.tell(parts.study.ask(), state=optuna.trial.TrialState.FAIL)
    parts.study.enqueue_trial({"link": 1.0})
    Tuning(task(), tmp_path / "parts.db").search(4, "random")
    found = [[(t.params, t.value) for t in each.finished] for each in (whole, parts)]
    assert found[0] == found[1]


def test_two_runs_do_not_share_a_study(tmp_path: Path) -> None:
    tuning = Tuning(task(), tmp_path / "study.db")
    in_use = pytest.raises(OptionsError, match=r"study.db' is in use by another tuning")
    with tune.only_run_on(tmp_path / "study.db"), in_use:
        tuning.search(1, "paper")
    tuning.search(1, "paper")
