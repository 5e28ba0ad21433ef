"""A tuning killed with kill -9 at many moments, each time taken up again: does it end the same?

Run by test_tune.py in a process of its own, which forks one for every run. A moment is a match that
is being played, or an SQL statement that is about to be executed.
"""

import json
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from undercut.games.families import parse_game
from undercut.learn import tune
from undercut.learn.tune import Range, Task, Tuning
from undercut.text.spec import split_spec

TRIALS = 6  # CMA-ES has a second cloud then
TASK = Task(
    game=parse_game("gin"),
    agent="thrifty",
    opponents=("simple",),
    ranges=(Range("link", 0.0, 4.0, False), Range("edge", 0, 9, True)),
    games=2,
    seed=3,
)
Moments = dict[str, int]  # how many there were of each kind


class Fuse:
    """Kills the process at the moment with a number; until then it counts."""

    def __init__(self, kind: str = "", number: int = 0) -> None:
        self.kind, self.number = kind, number
        self.seen: Moments = {"match": 0, "statement": 0}
        event.listen(Engine, "before_cursor_execute", lambda *_: self.burn("statement"))

    def burn(self, kind: str) -> None:
        self.seen[kind] += 1
        if (kind, self.seen[kind]) == (self.kind, self.number):
            os.kill(os.getpid(), signal.SIGKILL)


def search(path: Path, method: str, fuse: Fuse) -> list[Any]:
    """All trials; a match is won the more often the nearer two settings are to 1 and 3."""

    def play(task: Task, spec: str, *_: object) -> list[SimpleNamespace]:
        fuse.burn("match")
        fields = split_spec(spec)[1]
        rate = 1 - abs(float(fields["link"]) - 1) / 8 - abs(float(fields["edge"]) - 3) / 18
        return [SimpleNamespace(moments=SimpleNamespace(win_rate=lambda seat: rate))]

    tune.play = play  # type: ignore[assignment]
    tuning = Tuning(TASK, path)
    tuning.search(TRIALS, method)
    return [[trial.params, trial.value] for trial in tuning.finished]


def in_a_fork(path: Path, method: str, kind: str = "", number: int = 0) -> Any:
    """What a run in its own process finds, and its moments; None if it was killed."""
    told = path.with_suffix(".json")
    child = os.fork()
    if child == 0:
        fuse = Fuse(kind, number)
        told.write_text(json.dumps([search(path, method, fuse), fuse.seen]))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    assert status == 0
    return json.loads(told.read_text())


def main(folder: Path, method: str, kills: int) -> None:
    """Print at which moments it was killed, and after which of them it ended otherwise."""
    expected, moments = in_a_fork(folder / "whole.db", method)
    found = {}
    for kind, count in moments.items():
        killed = sorted({1 + number * (count - 1) // (kills - 1) for number in range(kills)})
        others = []
        for number in killed:
            path = folder / f"{kind}{number}.db"
            assert in_a_fork(path, method, kind, number) is None
            if in_a_fork(path, method)[0] != expected:
                others.append(number)
        found[kind] = {"killed": killed, "others": others}
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
