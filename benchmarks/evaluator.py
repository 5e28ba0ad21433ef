"""How long an evaluation takes: hidden hands, a first answer, a search, decisions of networks.

Wall time on an idle machine, over positions in which `blueprint` plays itself.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import count, islice

import numpy as np

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import View
from undercut.play.agent import Random
from undercut.play.batch import play_batch
from undercut.play.deal import Deal
from undercut.players.catalog import parse_agent
from undercut.players.search.evaluate import PART, Evaluator

Position = tuple[int, View, list[int]]


def positions(game: Game) -> Iterator[Position]:
    """Unforced decisions: the number of the deal, the view and the legal moves."""
    player = parse_agent("blueprint", game)
    for seed in count():
        deal, random = Deal(game, seed), Random.from_seed(seed)
        while not deal.is_over:
            view, legal = deal.observe(), deal.actions
            if len(legal) > 1:
                yield seed, view.copy(), legal
            deal.apply(player.act(view, legal, random) if len(legal) > 1 else legal[0])


def milliseconds(
    what: str, of: list[Position], do: Callable[[int, View, list[int]], object]
) -> None:
    """Print the median and the 95th percentile over positions; the first call compiles."""
    do(*of[0])
    taken = []
    for position in of:
        begin = time.perf_counter()
        do(*position)
        taken.append(1000 * (time.perf_counter() - begin))
    half, most = np.percentile(taken, [50, 95])
    print(f"{what:34} {half:8.1f} ms median, {most:8.1f} ms for 95 % ({len(of)} decisions)")


def decisions_a_second(game: Game, name: str, deals: int) -> None:
    """Print how many unforced decisions a network makes against itself, on all cores."""
    agents = [parse_agent(name, game)] * game.seats
    for number in (game.seats, deals):  # the first compiles
        begin = time.perf_counter()
        play_batch(game, agents, number, 1, max_deals=1)
        taken = time.perf_counter() - begin
    rate = deals * _decisions_a_deal(game) / taken
    print(f"{f'{name} against itself':34} {rate:8,.0f} decisions a second ({deals:,} deals)")


def _decisions_a_deal(game: Game, decisions: int = 4000) -> float:
    """The mean number of unforced decisions of a deal between two of `blueprint`."""
    found = [seed for seed, *_ in islice(positions(game), decisions)]
    return decisions / (found[-1] + 1)


def main() -> None:
    """Measure one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gin")
    parser.add_argument("--decisions", type=int, default=200)
    arguments = parser.parse_args()
    game = parse_game(arguments.game)
    found = list(islice(positions(game), arguments.decisions))
    evaluator, champion = Evaluator(game), parse_agent("champion", game)
    if evaluator.belief is not None:
        sample = evaluator.belief.sample
        milliseconds("256 hidden hands", found, lambda seed, view, _: sample(view, 256, seed))
    milliseconds(
        "first answer of the evaluator",
        found,
        lambda seed, view, legal: evaluator.evaluate(view, legal, PART, seed, 1.0),
    )
    milliseconds(
        "a decision of champion",
        found,
        lambda seed, view, legal: champion.act(view, legal, Random.from_seed(seed)),
    )
    for name in ("small", "blueprint"):
        decisions_a_second(game, name, 10 * arguments.decisions)


if __name__ == "__main__":
    main()
