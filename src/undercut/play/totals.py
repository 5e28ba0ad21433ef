"""The results of a batch, added up for each round: the matches that share the same deals."""

from math import comb
from typing import NamedTuple

import numpy as np

from undercut.kernels.jit import cold_kernel
from undercut.kernels.records import Buffer, Records
from undercut.play.batch import Batch
from undercut.play.seating import sit_down
from undercut.play.winners import add_wins


class Sums(NamedTuple):
    """The sums of each round, as integers; row i is round i of the batch."""

    wins: Buffer  # for each agent: WIN for a match won alone, a share of it for a tie
    points: Buffer  # for each agent
    beats: Buffer  # for each pair of agents: 2 for a match that the first outscored, 1 for a tie
    deals: Buffer
    tally: Buffer  # the counts that the game keeps


def sum_rounds(batch: Batch) -> Sums:
    """Add up a batch that consists of complete rounds."""
    size, seats = batch.games_in_round, batch.game.seats
    assert len(batch) % size == 0, "a batch of whole rounds"
    count = len(batch) // size
    wins, points = np.zeros((2, count, seats), dtype=np.int64)
    beats = np.zeros((count, comb(seats, 2)), dtype=np.int64)
    deals = np.zeros(count, dtype=np.int64)
    tally = np.zeros((count, len(batch.game.rules.TALLY)), dtype=np.int64)
    scratch = np.zeros((3, seats), dtype=np.int64)
    sums = Sums(wins, points, beats, deals, tally)
    _sum_rounds(batch.series, batch.first, batch.results, scratch, sums)
    return sums


@cold_kernel
def _sum_rounds(series: Records, first: int, results: Records, scratch: Buffer, sums: Sums) -> None:
    agents, lots, scores = scratch[0], scratch[1], scratch[2]
    size = int(series[0].games_in_round)
    for i in range(len(results)):
        row, result = i // size, results[i]
        sit_down(series[0], first + i, agents, lots)
        for seat in range(len(agents)):
            scores[agents[seat]] = result.scores[seat]
        _add_game(scores, sums.wins[row], sums.points[row], sums.beats[row])
        sums.deals[row] += result.deals
        for k in range(sums.tally.shape[1]):
            sums.tally[row, k] += result.tally[k]


@cold_kernel
def _add_game(scores: Buffer, wins: Buffer, points: Buffer, beats: Buffer) -> None:
    add_wins(scores, wins)
    pair = 0
    for agent in range(len(scores)):
        points[agent] += scores[agent]
        for other in range(agent + 1, len(scores)):
            if scores[agent] >= scores[other]:
                beats[pair] += 2 if scores[agent] > scores[other] else 1
            pair += 1
