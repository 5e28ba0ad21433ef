"""Whole hands of gin a second: simple against simple and random play, one thread and two."""

import time
from collections.abc import Callable

from measure import parse_arguments, rates, report
from peers import OpenSpielHands, RLCardHands
from undercut.games.agents import parse_agent
from undercut.games.families import parse_game
from undercut.play.batch import play_batch

SIZES = {"simple": 4096, "random": 512}  # matches in one call


def ours(agent: str, workers: int) -> Callable[[], int]:
    """Matches to 100 of an agent against itself; the work is their hands."""
    game = parse_game("gin")
    agents = [parse_agent(agent, game)] * 2
    # Random players hardly ever score, so that their matches need another end.
    max_deals = 25 if agent == "random" else 0

    def play() -> int:
        batch = play_batch(game, agents, SIZES[agent], workers=workers, max_deals=max_deals)
        return int(batch.results.deals.sum())

    return play


def one_hand(play: Callable[[], int]) -> Callable[[], int]:
    """A peer's hand as one piece of work."""

    def work() -> int:
        play()
        return 1

    return work


def main() -> None:
    """Measure and print."""
    arguments = parse_arguments(__doc__)
    open_spiel, rlcard = OpenSpielHands(), RLCardHands()
    simple = rates(
        {
            "undercut, simple v simple": ours("simple", 1),
            "OpenSpiel from Python, simple bots": one_hand(open_spiel.play_simple),
        },
        arguments,
    )
    report("Hands of simple players, one thread", "a second", simple, arguments.json)
    random = rates(
        {
            "undercut, random": ours("random", 1),
            "OpenSpiel from Python, random": one_hand(open_spiel.play_random),
            "OpenSpiel from a copied state": one_hand(open_spiel.play_random_from_copy),
            "RLCard, random": one_hand(rlcard.play_random),
        },
        arguments,
    )
    report("Random hands, one thread", "a second", random, arguments.json)
    for agent in SIZES:
        threads = {"two threads": ours(agent, 2), "one thread": ours(agent, 1)}
        measured = rates(threads, arguments, time.perf_counter)
        report(f"Threads, {agent} v {agent}", "hands a second", measured, arguments.json)


if __name__ == "__main__":
    main()
