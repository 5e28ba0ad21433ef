"""What one seat may know of a match from its beginning, for agents that are told what happens."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from undercut.games.contract import Game
from undercut.kernels.records import Action, Seat, View
from undercut.play.agent import Random
from undercut.play.records.events import Event, Left, Over


class Story:
    """The events of a match as one seat hears of them, in order, also those nobody chose."""

    def __init__(self, game: Game, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.events: list[Event] = []

    @property
    def is_over(self) -> bool:
        """Whether nothing can follow."""
        return bool(self.events) and isinstance(self.events[-1], Over | Left)


@runtime_checkable
class ToldAgent(Protocol):
    """An agent that is told what happens, not only shown where it has a choice.

    It may fail with `Forfeit`, which loses that game and nothing else.
    """

    name: str

    def act_told(self, story: Story, view: View, legal: Sequence[Action], random: Random) -> Action:
        """Choose one of the legal actions, knowing all that its seat has heard."""
        ...

    def hear_out(self, story: Story) -> None:
        """Hear how a match has ended."""
        ...


def is_told(agent: object) -> bool:
    """Whether an agent is told what happens: far quicker than isinstance of a protocol."""
    return hasattr(agent, "act_told")
