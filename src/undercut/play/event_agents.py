"""Matches of agents that read an event log, one match after another.

Such an agent receives everything its seat may know as events, so it can run in another process.
An agent that fails there forfeits: the match ends at once, the agent comes last, and the others
are ranked by their points. Other agents play as in any other match of the series.
"""

from collections.abc import Sequence

import numpy as np

from undercut.games.contract import TALLIES, Game
from undercut.kernels.records import Array, Columns, Record, Seat
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.job import Job
from undercut.play.match import Match
from undercut.play.records.seat_events import EventAgent, SeatLog, reads_events
from undercut.play.seating import line_ups
from undercut.play.seeds import Purpose, derive
from undercut.text.errors import Forfeit


def play_with_events(job: Job[AnyAgent], is_whole: bool = False) -> Array:
    """Play the matches of a job; returns the traces.

    If `is_whole`, the traces grow to the length of the longest match.
    """
    traces = job.traces
    for place, result in enumerate(job.results):
        number = job.first + place
        players = [job.agents[each] for each in line_ups(job.series, number, 1)[0].tolist()]
        match = _EventMatch(job.game, players, job.series, number)
        match.play()
        match.write(result)
        longest = max(1, traces.shape[1])
        while is_whole and len(match.trace) > longest:
            longest *= 2
        traces = np.pad(traces, ((0, 0), (0, longest - traces.shape[1]))) if is_whole else traces
        kept = match.trace[: traces.shape[1]]
        traces[place, : len(kept)] = kept
        job.report(1)
    return traces


class _EventMatch:
    """One match and the event logs of its seats."""

    def __init__(
        self, game: Game, players: Sequence[AnyAgent], series: Columns, number: int
    ) -> None:
        seed, size = int(series.seed[0]), int(series.games_in_round[0])
        self.game, self.players = game, players
        self.seat_logs = {
            seat: SeatLog(game, seat) for seat, player in enumerate(players) if reads_events(player)
        }
        self.match = Match.from_seed(
            game,
            seed,
            number // size,
            int(series.max_deals[0]),
            seat_logs=list(self.seat_logs.values()),
        )
        self.chances = [
            Random.from_seed(derive(seed, Purpose.AGENT, number, seat))
            for seat in range(game.seats)
        ]
        self.trace: list[int] = []
        self.actions = 0
        self.tally = np.zeros(TALLIES, dtype=np.int64)
        self.forfeiter: Seat | None = None

    def play(self) -> None:
        """Play to the end, or until an agent forfeits."""
        match = self.match
        while not match.is_over and self.forfeiter is None:
            deal = match.next_deal() if match.deal.is_over else match.deal
            legal, seat = deal.actions, deal.seat
            try:
                action = self._ask(seat, legal)
            except Forfeit:
                self.forfeiter = seat
                match.leave(seat)
                continue
            if len(legal) > 1:
                self.trace.append(legal.index(action))
            self.actions += 1
            match.apply(action)
            if deal.is_over:
                deal.add_tally(self.tally)
        self._show_end()

    def _ask(self, seat: Seat, legal: list[int]) -> int:
        seat_log, deal = self.seat_logs.get(seat), self.match.deal
        if len(legal) == 1:
            return legal[0]
        return ask(
            self.game, self.players[seat], deal.observe(), legal, self.chances[seat], seat_log
        )

    def _show_end(self) -> None:
        """Show the end of the match to every agent that did not forfeit."""
        for seat, seat_log in self.seat_logs.items():
            player = self.players[seat]
            if seat != self.forfeiter and isinstance(player, EventAgent):
                player.see_end(seat_log)

    def write(self, result: Record) -> None:
        """Write the result of the match."""
        scores = list(self.match.scores)
        if self.forfeiter is not None:
            scores[self.forfeiter] = min(scores) - 1
        result.deals = self.match.deals
        result.actions = self.actions
        result.choices = len(self.trace)
        result.is_stopped = 0 if self.forfeiter is None else self.forfeiter + 1
        result.scores[: len(scores)] = scores
        result.tally[:] = self.tally[: len(result.tally)]
