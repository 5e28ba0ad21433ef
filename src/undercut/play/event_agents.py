"""Matches of agents that read an event log, one match after another.

Such an agent receives everything its seat may know as events, so it can run in another process.
An agent that fails there forfeits: the match ends at once, the agent comes last, and the others
are ranked by their points. Other agents play as in any other match of the series.
"""

from collections.abc import Callable, Sequence

import numpy as np

from undercut.games.contract import TALLIES, Game
from undercut.kernels.records import Array, Columns, Record, Seat
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.match import Match
from undercut.play.records.seat_events import Story, ToldAgent, is_told
from undercut.play.seating import line_ups
from undercut.play.seeds import Purpose, derive
from undercut.text.errors import Forfeit


def play_told(
    game: Game,
    agents: Sequence[AnyAgent],
    series: Columns,
    first: int,
    results: Columns,
    traces: Array,
    is_whole: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """Play consecutive matches, from number `first`, into `results`; return the traces.

    If `is_whole`, the traces grow to the length of the longest match.
    """
    for place in range(len(results)):
        number = first + place
        players = [agents[each] for each in line_ups(series, number, 1)[0].tolist()]
        told = _Told(game, players, series, number)
        told.play()
        told.write(results[place])
        longest = max(1, traces.shape[1])
        while is_whole and len(told.trace) > longest:
            longest *= 2
        traces = np.pad(traces, ((0, 0), (0, longest - traces.shape[1]))) if is_whole else traces
        kept = told.trace[: traces.shape[1]]
        traces[place, : len(kept)] = kept
        if progress is not None:
            progress(1)
    return traces


class _Told:
    """One match and the event logs of its seats."""

    def __init__(
        self, game: Game, players: Sequence[AnyAgent], series: Columns, number: int
    ) -> None:
        seed, size = int(series.seed[0]), int(series.games_in_round[0])
        self.game, self.players = game, players
        self.stories = {
            seat: Story(game, seat) for seat, player in enumerate(players) if is_told(player)
        }
        self.match = Match.from_seed(
            game,
            seed,
            number // size,
            int(series.max_deals[0]),
            stories=list(self.stories.values()),
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
        self._hear_out()

    def _ask(self, seat: Seat, legal: list[int]) -> int:
        story, deal = self.stories.get(seat), self.match.deal
        if len(legal) == 1:
            return legal[0]
        return ask(self.game, self.players[seat], deal.observe(), legal, self.chances[seat], story)

    def _hear_out(self) -> None:
        """Show the end of the match to every agent that did not forfeit."""
        for seat, story in self.stories.items():
            player = self.players[seat]
            if seat != self.forfeiter and isinstance(player, ToldAgent):
                player.hear_out(story)

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
