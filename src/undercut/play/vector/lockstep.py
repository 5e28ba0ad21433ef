"""Lock-step play: many matches advance together, and an agent decides for all in one call.

Agents in Python play like this too. Every answer is checked. The same seeds give the same matches
as fused play.
"""

import numpy as np
from numpy.typing import NDArray

from undercut.kernels.records import Array, Buffer
from undercut.play.agent import AnyAgent
from undercut.play.ask import ask_many
from undercut.play.job import Job
from undercut.play.vector.table import TableSettings, VectorTable

WIDTH = 1024  # matches advanced together


def play_in_lockstep(job: Job[AnyAgent], is_whole: bool = False) -> Array:
    """Play the matches of a job; returns the traces.

    If `is_whole`, the traces grow to the length of the longest match.
    """
    table = VectorTable(job.game, min(WIDTH, len(job.results)), TableSettings.of(job))
    actions, done = np.zeros(table.width, dtype=np.int64), 0
    while table.playing:
        rows = np.flatnonzero(table.counts)
        players = table.players[rows]
        for player in np.unique(players):
            mine = rows[players == player]
            actions[mine] = ask_rows(table, job.agents[player], mine)
        if is_whole and int(table.matches.choices.max()) > table.traces.shape[1]:
            table.traces = np.pad(table.traces, ((0, 0), (0, table.traces.shape[1])))
        table.apply(actions)
        ended = table.finished - done
        job.report(ended)
        done += ended
    return table.traces


def ask_rows(table: VectorTable, agent: AnyAgent, rows: NDArray[np.intp]) -> Buffer:
    """An agent's actions in the rows of a table where it is on turn."""
    seats = table.seats[rows]
    generators = table.generators[rows, seats]
    answers = ask_many(
        table.game, agent, table.views[rows], table.legal[rows], table.counts[rows], generators
    )
    table.generators[rows, seats] = generators
    return answers
