"""The base class of a user's agent: it reads a view with cards and words, and answers in text."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic

from undercut.games.contract import Game
from undercut.games.table.actions import actions_of
from undercut.games.table.readable import View
from undercut.kernels import records
from undercut.play.agent import FromSpec, Random
from undercut.text.errors import NotationError

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Looked = TypeVar("Looked", bound=View, default=View, contravariant=True)
else:
    from typing import TypeVar

    Looked = TypeVar("Looked", bound=View, contravariant=True)


class Agent(ABC, Generic[Looked]):
    """A player: override `act`, and it plays wherever an agent does.

    Agents keep no memory between decisions: the view carries what has happened. Chance comes from
    `random` alone, so that a seed plays the same match again.

    >>> from undercut import Agent, Random, View
    >>> class Stubborn(Agent):
    ...     def act(self, view: View, random: Random) -> str:
    ...         return "pass" if "pass" in view.legal else random.choice(view.legal)
    >>> Stubborn().name
    'stubborn'
    """

    name: str = ""  # by default the name of its class

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = cls.__name__.lower()

    @abstractmethod
    def act(self, view: Looked, random: Random) -> str:
        """Choose one of `view.legal`."""


class ReadingAgent(FromSpec):
    """An agent that reads views, as one that is given records and answers with numbers."""

    def __init__(self, agent: Agent[Any], game: Game) -> None:
        self.name, self.agent, self.game = agent.name, agent, game

    def act(
        self, view: records.View, legal: Sequence[records.Action], random: Random
    ) -> records.Action:
        """Put the question in words; an answer that is no action is returned as it is."""
        answer = self.agent.act(self.game.family.view(self.game, view, legal), random)
        try:
            return actions_of(self.game.family).read(answer)
        except (NotationError, AttributeError, TypeError):  # it may answer anything
            return answer  # type: ignore[return-value]  # whoever asked refuses it
