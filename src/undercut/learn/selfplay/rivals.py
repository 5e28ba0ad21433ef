"""The opponents of a learner: itself, earlier selves, kernel agents and other networks."""

import torch

from undercut.games.contract import Game
from undercut.learn.selfplay.network import PolicyNetwork
from undercut.play.agent import KernelAgent
from undercut.players.catalog import parse_agent
from undercut.players.encoding import Encoding, encoding_of
from undercut.players.policy.entry import find_policy
from undercut.players.policy.weights import Policy
from undercut.text.errors import OptionsError

SELF = "self"
PAST = "past"  # earlier selves


def is_network(rival: str, game: Game) -> bool:
    """Whether a rival decides together with the learner, and is not a kernel agent."""
    return rival in (SELF, PAST) or find_policy(rival, game) is not None


def rival_agent(spec: str, game: Game) -> KernelAgent:
    """An agent that can play against a learner, or an error."""
    agent = parse_agent(spec, game)
    if not isinstance(agent, KernelAgent):
        raise OptionsError(f"{spec} cannot be met in self-play: only agents that are kernels can")
    return agent


def rival_network(spec: str, game: Game) -> PolicyNetwork:
    """The network of an agent, in a form for batches."""
    policy, encoding = _policy(spec, game), encoding_of(game)
    network = PolicyNetwork(encoding.inputs, encoding.outputs, 0, policy.width, policy.blocks)
    copy_policy(policy, network, encoding)
    return network


def begin_with(spec: str, game: Game, network: PolicyNetwork) -> None:
    """Initialise a network with the weights of an agent."""
    copy_policy(_policy(spec, game), network, encoding_of(game))


def _policy(spec: str, game: Game) -> Policy:
    policy = find_policy(spec, game)
    if policy is None:
        raise OptionsError(f"{spec} is no network")
    return policy


@torch.no_grad()
def copy_policy(policy: Policy, network: PolicyNetwork, encoding: Encoding) -> None:
    """Copy the weights of a policy into a network; other weights do not change."""
    named: dict[str, torch.Tensor] = dict(network.named_parameters())
    for name, array in sorted(policy.tensors.items()):
        tensor, found = named[name], torch.from_numpy(array.T.copy())
        if name == "entry.weight":
            tensor = tensor[:, : encoding.inputs]
        if name.startswith("heads"):
            tensor = tensor[: encoding.outputs + 1]
        if tensor.shape != found.shape:
            shapes = f"{tuple(found.shape)}, not {tuple(tensor.shape)}"
            raise OptionsError(f"a network of another size: {name} is {shapes}")
        tensor.copy_(found)
