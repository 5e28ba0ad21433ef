"""How strong the agents are: each against the reference of its game, every deal in both seatings.

Writes src/undercut/players/strengths.json, which `undercut agents` shows, and the table of
docs/results.md. What was measured with the same settings and seed and enough games is not measured
again: stopped or killed, the same command goes on.
"""

import argparse
from pathlib import Path

from undercut.games.families import FAMILIES
from undercut.lab.strengths import is_slow, measure, put_between_marks
from undercut.players.strengths import (
    FILE,
    load_ladders,
    save_ladders,
    to_markdown,
)

_PAGE = Path(__file__).parents[1] / "docs" / "results.md"


def main() -> None:
    """Measure and write down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="*", help="only these; by default all")
    parser.add_argument("--rules", choices=list(FAMILIES), action="append", help="only these games")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument(
        "--slow-games", type=int, default=20_000, help="of agents that sample or search"
    )
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--workers", type=int)
    arguments = parser.parse_args()

    def games(rules: str, spec: str) -> int:
        return int(arguments.slow_games if is_slow(rules, spec) else arguments.games)

    ladders = load_ladders() if FILE.exists() else {}
    for found in measure(
        ladders,
        arguments.rules or list(FAMILIES),
        games,
        arguments.seed,
        device=arguments.device,
        workers=arguments.workers,
        only=arguments.agents,
        announce=print,
    ):
        save_ladders(found)
    table = to_markdown(load_ladders())
    _PAGE.write_text(put_between_marks(_PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
