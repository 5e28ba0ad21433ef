"""Lock-step play: many matches advance together, and an agent decides for all in one call.

Agents in Python play like this too. Every answer is checked. The same seeds give the same matches
as fused play.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from undercut.games.contract import Game
from undercut.kernels.records import Array, Buffer, Records
from undercut.play.agent import AnyAgent
from undercut.play.ask import ask_many
from undercut.play.vector.table import VectorTable

WIDTH = 1024  # matches advanced together


def play_in_lockstep(
    game: Game,
    agents: Sequence[AnyAgent],
    series: Records,
    first: int,
    results: Records,
    traces: Array,
    is_whole: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """Play consecutive matches, from number `first`, into `results`; return the traces.

    If `is_whole`, the traces grow to the length of the longest match.
    """
    table = VectorTable(
        game,
        min(WIDTH, len(results)),
        first=first,
        count=len(results),
        series=series,
        results=results,
        traces=traces,
    )
    actions, done = np.zeros(table.width, dtype=np.int64), 0
    while table.playing:
        rows = np.flatnonzero(table.counts)
        players = table.players[rows]
        for player in np.unique(players):
            mine = rows[players == player]
            actions[mine] = ask_rows(table, agents[player], mine)
        if is_whole and int(table.matches.choices.max()) > table.traces.shape[1]:
            table.traces = np.pad(table.traces, ((0, 0), (0, table.traces.shape[1])))
        table.apply(actions)
        ended = table.finished - done
        if ended and progress is not None:
            progress(ended)
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
