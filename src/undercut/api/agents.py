"""One interface for agents of every kind: kernel, network, search or Python."""

from typing import Any

from undercut.api.belief import Belief
from undercut.api.explanations import Explained
from undercut.games.contract import Game
from undercut.games.table.actions import Action, actions_of
from undercut.games.table.readable import View
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask, ask_why
from undercut.players.catalog import parse_agent
from undercut.players.python_agent import Agent, ReadingAgent
from undercut.text.errors import IllegalAction, OptionsError


def agent(spec: str, game: Game, seed: int = 0) -> "AskedAgent":
    """The agent of a spec, such as "blueprint" or "thrifty:link=2", for a game.

    It has its own random numbers: the same seed and the same views give the same actions.

    >>> import undercut
    >>> gin = undercut.load("gin")
    >>> undercut.agent("simple", gin).act(gin.deal(seed=7).view())
    'pass'
    """
    return AskedAgent(parse_agent(spec, game), game, seed)


class AskedAgent(Agent):
    """An agent of any kind: `act` decides for a view, `explain` adds the reasons."""

    def __init__(self, answering: AnyAgent, game: Game, seed: int = 0) -> None:
        self.name = answering.name
        self.game = game
        self.answering = answering  # the form for batches and matches
        self.random = Random.from_seed(seed)

    def act(self, view: View, random: Random | None = None) -> Action:
        """A checked decision, with random numbers from `random` or from the agent's own stream."""
        self._check(view)
        number = ask(self.game, self.answering, view.record, view.actions, random or self.random)
        return actions_of(self.game.family).texts[number]

    def explain(self, view: View, random: Random | None = None) -> Explained:
        """The same with the agent's reasons, as `undercut hint` prints them."""
        self._check(view)
        chance = random or self.random
        why = ask_why(self.game, self.answering, view.record, view.actions, chance)
        return Explained.of(self.name, self.game, why)

    def belief(self, view: View, random: Random | None = None) -> Belief:
        """For each card, the probability that the other seat holds it, if the agent has one."""
        belief = self.explain(view, random).belief
        if belief is None:
            raise OptionsError(f"{self.name} does not say what the other seat may hold")
        return belief

    def __repr__(self) -> str:
        return f"agent({self.name!r}, {self.game.name!r})"

    def _check(self, view: View) -> None:
        if (view.game.family, view.game.options) != (self.game.family, self.game.options):
            raise OptionsError(
                f"{self.name} plays {self.game.name}, the view is of {view.game.name}"
            )
        if not view.actions:
            raise IllegalAction(f"seat {view.me} has nothing to decide here")


def answering(entrant: "Agent[Any] | AnyAgent | str", game: Game) -> AnyAgent:
    """The agent of a spec, or a given agent, in the form for batches and matches."""
    if isinstance(entrant, str):
        return parse_agent(entrant, game)
    if isinstance(entrant, AskedAgent):
        return entrant.answering
    return ReadingAgent(entrant, game) if isinstance(entrant, Agent) else entrant
