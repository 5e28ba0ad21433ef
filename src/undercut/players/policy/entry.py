"""An agent that plays by a trained network, which its spec may name: model=FILE."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from undercut.games.contract import Game, Notation, Rules
from undercut.play.agent import KernelAgent
from undercut.players.catalog import agent_names, find_agent
from undercut.players.encoding import Encoding
from undercut.players.entry import Entry
from undercut.players.network_files import Shipped
from undercut.players.policy.kernel import Settings, policy_kernel, policy_value, policy_workspace
from undercut.players.policy.lanes import policy_parts
from undercut.players.policy.reasons import policy_reasons
from undercut.players.policy.weights import Policy, load_policy
from undercut.text.spec import split_spec


@dataclass(frozen=True)
class PolicyEntry(Entry):
    """An agent whose settings hold weights, which are read when the agent is made."""

    encoding: Encoding | None = None
    model: Shipped | None = None  # the default network
    kernels: str = ""  # the name of its kernels: another one for each size of shipped networks

    def make(self, spec: str, game: Game, fields: dict[str, str]) -> KernelAgent:
        """The agent with its network."""
        assert self.encoding is not None, "made by `policy_entry`"
        rest = {field: value for field, value in fields.items() if field != "model"}
        agent = self.make_kernel_agent(spec, game, rest)
        policy = self.policy(fields)
        settings = agent.settings._replace(
            weights=policy.weights, width=policy.width, blocks=policy.blocks
        )
        workspace = policy_workspace(self.encoding, policy.width)
        parts = policy_parts(self.encoding, self.kernels, policy.width)
        value = policy_value(self.encoding, self.kernels, policy.scale)
        return replace(agent, settings=settings, workspace=workspace, parts=parts, value=value)

    def policy(self, fields: dict[str, str]) -> Policy:
        """The network that the fields of a spec name."""
        assert self.encoding is not None, "made by `policy_entry`"
        assert self.model is not None, "made by `policy_entry`"
        named = fields.get("model")
        return _read(self.model if named is None else Path(named), self.encoding)


def policy_entry(
    about: str,
    encoding: Encoding,
    rules: Rules,
    notation: Notation,
    model: Shipped,
    temperature: float = 0.0,
    size: str = "",
) -> PolicyEntry:
    """The declaration of an agent with a network, with its default temperature.

    `size` tells networks of the same game apart: their kernels read weights of another length.
    """
    kernels = f"{rules.NAME}_{size}" if size else rules.NAME
    return PolicyEntry(
        about,
        policy_kernel(encoding, kernels),
        Settings(temperature),
        reasons=policy_reasons(encoding, notation.format_action),
        encoding=encoding,
        model=model,
        kernels=kernels,
    )


@lru_cache(maxsize=8)
def _read(source: Path | Shipped, encoding: Encoding) -> Policy:
    return load_policy(source, encoding)


def find_policy(spec: str, game: Game) -> Policy | None:
    """The network of the agent that a spec names; None for other agents."""
    name, fields = split_spec(game.family.played_by(spec))
    if name not in agent_names(game.family):
        return None
    entry = find_agent(game.family, name)
    return entry.policy(fields) if isinstance(entry, PolicyEntry) else None
