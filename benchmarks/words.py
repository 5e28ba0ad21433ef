"""Steps of random deals of Gin in words and in numbers, in turn: the best of five, in CPU time.

python benchmarks/words.py
"""

import random
import time
from collections.abc import Callable

import undercut
from undercut.games.gin import GinView

DEALS = 400
GAME = undercut.load("gin", view=GinView)


def in_words(deal: undercut.Deal[GinView], chance: random.Random) -> None:
    """A step as a person writes it."""
    deal.play(chance.choice(deal.legal))


def in_numbers(deal: undercut.Deal[GinView], chance: random.Random) -> None:
    """A step as programs take it."""
    deal.apply(chance.choice(deal.actions))


def rate(step: Callable[..., None], deals: int) -> float:
    """Steps a second of CPU time."""
    chance, done, began = random.Random(1), 0, time.process_time()
    for seed in range(deals):
        deal = GAME.deal(seed=seed)
        while not deal.is_over:
            step(deal, chance)
            done += 1
    return done / (time.process_time() - began)


if __name__ == "__main__":
    ways = {"in words": in_words, "in numbers": in_numbers}
    best = {name: rate(step, 5) for name, step in ways.items()}  # compiled now
    for _ in range(5):
        for name, step in ways.items():
            best[name] = max(best[name], rate(step, DEALS))
    for name, found in best.items():
        print(f"{name}: {found:,.0f} steps a second")
