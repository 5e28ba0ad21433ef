"""What share of the possible gain over counting the beliefs of Gin reach against `simple`.

The best possible guess is the posterior of posterior.py. FOLDER holds matches against `simple`:
undercut generate FOLDER gin --pair blueprint simple 40000 --seed 25
"""

import argparse
from pathlib import Path

import numpy as np

from posterior import PARTICLES, NoParticle, posterior
from undercut.kernels.records import Buffer, Floats, pack
from undercut.lab.statistics import Z, ratio_error
from undercut.learn.candidates import COUNTING, counting, load, shipped
from undercut.learn.decisions import Block, Decisions
from undercut.learn.score import KS, log_losses, recall

AGENT, FILTER = "simple", "filter"
NAMES = (*(f"recall@{k}" for k in KS), "log_loss")


def sample(data: Decisions, count: int, seed: int) -> Block:
    """Some decisions of seats opposite the agent, from all matches."""
    block = data.replay(np.arange(data.matches))
    places = np.flatnonzero(block.opponents == data.agents.index(AGENT))
    rows = np.sort(np.random.default_rng(seed).choice(places, count, replace=False))
    return _chosen(block, rows)


def _chosen(block: Block, rows: Buffer) -> Block:
    views = block.views[rows].view(np.recarray)
    return Block(views, block.hands[rows], block.matches[rows], block.opponents[rows])


def filtered(data: Decisions, block: Block, particles: int) -> tuple[Block, Floats]:
    """The decisions for which the filter finds a fitting deal, and their posteriors."""
    options, kept, found = pack(data.game.options), [], []
    for row, view in enumerate(block.views):
        try:
            found.append(posterior(view, options, row, particles))
        except NoParticle:
            print(f"decision {row} is left out: no particle fits the moves")
        else:
            kept.append(row)
    return _chosen(block, np.array(kept)), np.array(found)


def figures(data: Decisions, block: Block, posteriors: Floats) -> dict[str, Floats]:
    """For each belief a row of NAMES for each decision."""
    game, views, hands = data.game, block.views, block.hands
    unknown = data.belief.unknown(views)
    guesses = {COUNTING: counting(data.belief).marginals(views)}
    guesses |= {name: load(game, name).marginals(views) for name in shipped(game)}
    guesses[FILTER] = posteriors
    return {
        name: np.column_stack(
            [*(recall(chances, hands, k) for k in KS), log_losses(chances, hands, unknown)]
        )
        for name, chances in guesses.items()
    }


def ratio(parts: Floats, wholes: Floats, matches: Buffer) -> tuple[float, float]:
    """A ratio of sums over decisions, and half of its 95 % interval over matches."""
    value = float(parts.sum() / wholes.sum())
    rest = np.bincount(matches, parts - value * wholes)
    squares, played = float((rest**2).sum()), len(np.unique(matches))
    return value, Z * ratio_error(squares, played) / abs(float(wholes.sum()))


def main() -> None:
    """Measure and print a table."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--decisions", type=int, default=400)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--particles", type=int, default=PARTICLES)
    arguments = reader.parse_args()
    data = Decisions([arguments.folder])
    block = sample(data, arguments.decisions, arguments.seed)
    block, posteriors = filtered(data, block, arguments.particles)
    found = figures(data, block, posteriors)
    print(f"{len(block)} decisions of {len(np.unique(block.matches))} matches")
    one = np.ones(len(block))
    for place, name in enumerate(NAMES):
        print(f"\n{name}")
        base, best = found[COUNTING][:, place], found[FILTER][:, place]
        for belief, rows in found.items():
            mean, error = ratio(rows[:, place], one, block.matches)
            share, half = ratio(rows[:, place] - base, best - base, block.matches)
            print(f"{belief:10} {mean:.4f} ± {error:.4f}   share {share:6.1%} ± {half:.1%}")


if __name__ == "__main__":
    main()
