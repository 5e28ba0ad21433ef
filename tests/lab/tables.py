"""What several tests of the lab share: quick games, and results made up by chance."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.games.contract import Rate
from undercut.games.families import parse_game
from undercut.kernels.jit import COMPILED
from undercut.kernels.records import new
from undercut.lab.compare import Comparison
from undercut.lab.rounds import Rounds, no_forfeits, no_luck, places_of, rounds_of
from undercut.lab.statistics import Moments
from undercut.play.batch import Batch
from undercut.play.seating import line_ups
from undercut.play.series import make_series, result_layout
from undercut.players.catalog import parse_agent

# A match of one deal: interpreted, a match to 100 points takes a quarter of a second.
GAME = "gin:target=1"
GAMES = 400 if COMPILED else 40
TRIALS = 400  # of a simulation


def quick_agents(*specs: str) -> Any:
    game = parse_game(GAME)
    return game, [parse_agent(spec, game) for spec in specs]


def simulated_shares(chance: np.random.Generator, count: int, win_rate: float, alike: float) -> Any:
    """Pairs of games that go the same way more often than chance would have it."""
    first = chance.random(count) < win_rate
    second = np.where(chance.random(count) < alike, first, chance.random(count) < win_rate)
    return (first + 1.0 * second) / 2


RULES: Any = SimpleNamespace(
    TALLY=("draws", "knocks", "knock_points"),
    RATES=(
        Rate("draws_per_deal", "draws"),
        Rate("knocks_per_deal", "knocks", is_share=True),
        Rate("points_per_knock", "knock_points", "knocks"),
    ),
    NAME="fake",
    SEATS=(2, 8),
    VERSION=1,
)


def rounds_from(shares: Any, points: Any = None, deals: Any = None, tally: Any = None) -> Rounds:
    """Rounds of two agents with these shares of the first."""
    count = len(shares)
    both = np.column_stack([shares, 1 - shares])
    beats = (4 * both[:, :1]).astype(np.int64)
    deals = np.ones(count, dtype=np.int64) if deals is None else deals
    return Rounds(
        shares=both,
        places=places_of(4 * both[:, :1], 2, 2),
        points=np.zeros((count, 2)) if points is None else points,
        dealt=np.tile(deals[:, None], 2),
        beats=beats,
        games=np.full(count, 2),
        deals=deals,
        tally=np.zeros((count, 3), dtype=np.int64) if tally is None else tally,
        luck=no_luck(count),
        forfeits=no_forfeits(count),
        seconds=1.0,
    )


def batch_of(scores_by_agent: list[list[int]], deals: Any = 1) -> Batch:
    """A finished batch: for each match the points of each agent, whatever the seating."""
    scores = np.array(scores_by_agent)
    count, seats = scores.shape
    names = tuple("abcdefgh"[:seats])
    game: Any = SimpleNamespace(name="fake", seats=seats, rules=RULES)
    series = make_series(game, names, 1)
    results = new(result_layout(RULES), count)
    results.scores[:, :seats] = np.take_along_axis(scores, line_ups(series, 0, count), axis=1)
    results.deals = deals
    results.tally = 1
    return Batch(game, names, series, 0, results, None, 2.0)


def compare(batch: Batch) -> Comparison:
    """The result of a batch of whole rounds."""
    return Comparison(batch.game, batch.agents, batch.seed, Moments.of(rounds_of(batch)))
