"""How long one waits: a first start with an empty cache, and warm starts of the command."""

import os
import subprocess
import sys
import tempfile
import time

from measure import parse_arguments, report_values

FIRST_MOVE = """
from undercut.agents.catalog import parse_agent
from undercut.core.agent import Random
from undercut.games.catalog import parse_game
from undercut.play.deal import Deal

game = parse_game("gin")
deal = Deal(game, seed=1)
simple = parse_agent("simple", game)
deal.apply(simple.act(deal.view(), deal.legal, Random.from_seed(1)))
"""
COMMAND = "import sys; from undercut.cli import main; sys.argv[0] = 'undercut'; main()"
MATCH = ["match", "gin", "simple", "simple", "-n", "1000"]


def seconds(cache: str, code: str, *words: str) -> float:
    """The wall-clock time of a Python process that uses a cache folder."""
    environment = {**os.environ, "UNDERCUT_CACHE": cache}
    started = time.perf_counter()
    result = subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True
    )
    elapsed = time.perf_counter() - started
    if result.returncode != 0:
        sys.exit(f"undercut {' '.join(words)} failed:\n{result.stderr}")
    return elapsed


def main() -> None:
    """Measure and print."""
    arguments = parse_arguments(__doc__)
    with tempfile.TemporaryDirectory() as cache:
        measured = {"cold cache, first move of a Deal": seconds(cache, FIRST_MOVE)}
        measured["warm, first move of a Deal"] = _best(arguments.rounds, cache, FIRST_MOVE)
    with tempfile.TemporaryDirectory() as cache:
        match = "undercut " + " ".join(MATCH)
        measured[f"cold cache, {match}"] = seconds(cache, COMMAND, *MATCH)
        measured[f"warm, {match}"] = _best(arguments.rounds, cache, COMMAND, *MATCH)
        measured["warm, undercut --help"] = _best(arguments.rounds, cache, COMMAND, "--help")
    values = {name: (value, "s") for name, value in measured.items()}
    report_values("Starting", values, arguments.json)


def _best(rounds: int, cache: str, code: str, *words: str) -> float:
    return min(seconds(cache, code, *words) for _ in range(rounds))


if __name__ == "__main__":
    main()
