"""An agent with a network, which its spec can replace: model=FILE."""

from dataclasses import dataclass, replace

from undercut.games.contract import Game
from undercut.games.gin.players.belief.network import load_network
from undercut.play.agent import KernelAgent
from undercut.players.entry import Entry


@dataclass(frozen=True)
class NetworkEntry(Entry):
    """An agent whose settings have the field `weights`, for its network."""

    model: str = "paper"  # the default network

    def make(self, spec: str, game: Game, fields: dict[str, str]) -> KernelAgent:
        """The agent with its network."""
        rest = {field: value for field, value in fields.items() if field != "model"}
        agent = self.make_kernel_agent(spec, game, rest)
        weights = load_network(fields.get("model", self.model)).weights
        return replace(agent, settings=agent.settings._replace(weights=weights))
