"""Do the evaluator's intervals hold? Each is compared with one from a hundred times the samples.

An interval of 95 % should hold the value of the same estimator without noise, which the long
evaluation approaches; its own error is taken into account. Positions are unforced decisions in
which `blueprint` plays itself, each from another deal. Moves of a position share their samples, so
the interval of a share is over positions.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from math import hypot

import numpy as np

from evaluator import Position, positions
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.players.search.evaluate import Evaluation, Evaluator

FAR = 1.96  # standard errors on each side of an interval
FIELDS = ("points", "win", "behind")


def apart(game: Game) -> Iterator[Position]:
    """One position of each deal, later and later in it."""
    last = -1
    for place, position in enumerate(positions(game)):
        seed = position[0]
        if seed != last and place % 7 == seed % 7:
            last = seed
            yield position


def held(short: Evaluation, long: Evaluation) -> Iterator[tuple[str, bool]]:
    """For each number of each move whether its interval holds the long evaluation's number."""
    same_best = short.best.action == long.best.action
    others = {move.action: move for move in long.moves}
    for move in short.moves:
        other = others[move.action]
        for field in FIELDS:
            value, error = getattr(move, field), getattr(move, f"{field}_error")
            if value is None or (field == "behind" and (not same_best or move is short.best)):
                continue
            far = FAR * hypot(error, getattr(other, f"{field}_error"))
            yield field, abs(value - getattr(other, field)) <= far


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    evaluator = Evaluator(parse_game(arguments.game))
    counts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, (_, view, legal) in enumerate(islice(apart(evaluator.game), arguments.positions)):
        seed = arguments.seed + 2 * number
        short = evaluator.evaluate(view, legal, arguments.samples, seed)
        long = evaluator.evaluate(view, legal, arguments.samples * arguments.times, seed + 1)
        found = [*held(short, long)]
        for field in FIELDS:
            inside = [is_held for name, is_held in found if name == field]
            if inside:
                counts[field].append((sum(inside), len(inside)))
        if number % 10 == 9:
            print(f"{number + 1} positions", *(line(name, each) for name, each in counts.items()))


def line(name: str, counts: list[tuple[int, int]]) -> str:
    """The share of intervals that held, with its interval over positions."""
    rows = np.array(counts, dtype=np.float64)
    share = rows[:, 0].sum() / rows[:, 1].sum()
    rest = rows[:, 0] - share * rows[:, 1]
    around = FAR * rest.std(ddof=1) * np.sqrt(len(rows)) / rows[:, 1].sum()
    return f"| {name}: {100 * share:.1f} ± {100 * around:.1f} % of {rows[:, 1].sum():,.0f}"


if __name__ == "__main__":
    main()
