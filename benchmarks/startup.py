"""How long one waits: a first start with an empty cache, and warm starts of the command."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from measure import parser, report

FIRST_MOVE = """
from undercut.players.catalog import parse_agent
from undercut.play.agent import Random
from undercut.games.families import parse_game
from undercut.play.deal import Deal

game = parse_game("gin")
deal = Deal(game, seed=1)
simple = parse_agent("simple", game)
deal.apply(simple.act(deal.observe(), deal.actions, Random.from_seed(1)))
"""
COMMAND = "import sys; from undercut.cli import main; sys.argv[0] = 'undercut'; main()"
MATCH = ["match", "gin", "simple", "simple", "-n", "1000"]


class Wait(NamedTuple):
    """Seconds on the clock, and of processor time, which other programs change little."""

    wall: float
    processor: float


def run(cache: str, code: str, *words: str) -> Wait:
    """How long a Python process takes that uses a cache folder."""
    environment = {**os.environ, "UNDERCUT_CACHE": cache}
    started, used = time.perf_counter(), _processor_time()
    result = subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True
    )
    wait = Wait(time.perf_counter() - started, _processor_time() - used)
    if result.returncode != 0:
        sys.exit(f"failed: {' '.join(words)}\n{result.stderr}")
    return wait


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _best(rounds: int, cache: str, code: str, *words: str) -> Wait:
    return min(run(cache, code, *words) for _ in range(rounds))


def main() -> None:
    """Measure and print."""
    words = parser(__doc__)
    words.add_argument("--rounds", type=int, default=3, help="warm starts; the best one counts")
    arguments = words.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        waits = {"cold cache, first move of a Deal": run(cache, FIRST_MOVE)}
        waits["warm, first move of a Deal"] = _best(arguments.rounds, cache, FIRST_MOVE)
    with tempfile.TemporaryDirectory() as cache:
        match = "undercut " + " ".join(MATCH)
        waits[f"cold cache, {match}"] = run(cache, COMMAND, *MATCH)
        waits[f"warm, {match}"] = _best(arguments.rounds, cache, COMMAND, *MATCH)
        waits["warm, undercut --help"] = _best(arguments.rounds, cache, COMMAND, "--help")
    values = {}
    for name, wait in waits.items():
        values[name] = (wait.wall, "s")
        values[f"{name}: processor time"] = (wait.processor, "s")
    report("Starting", values, arguments.json)


if __name__ == "__main__":
    main()
