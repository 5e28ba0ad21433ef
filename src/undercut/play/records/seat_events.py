"""The event log of one seat, and the protocol of agents that read it."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat, View
from undercut.play.agent import Random
from undercut.play.records.events import Event, Left, Over


class SeatLog:
    """The event log of one seat, forced moves included."""

    def __init__(self, game: Game, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.events: list[Event] = []

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.events) and isinstance(self.events[-1], Over | Left)


@runtime_checkable
class EventAgent(Protocol):
    """An agent that reads every event of a match, and not only the views of its own decisions.

    It may raise `Forfeit`, which loses this match and nothing else.
    """

    name: str

    def act_on_events(
        self, seat_log: SeatLog, view: View, legal: Sequence[Action], random: Random
    ) -> Action:
        """Choose one of the legal actions; `seat_log` is the event log of the agent's seat."""
        ...

    def see_end(self, seat_log: SeatLog) -> None:
        """Read the event log to the end of the match."""
        ...


def reads_events(agent: object) -> bool:
    """Whether an agent is a EventAgent; much faster than `isinstance` with a protocol."""
    return hasattr(agent, "act_on_events")
