"""The reasons of a network: the probability of each choice under its policy."""

from collections.abc import Callable, Sequence

import numpy as np

from undercut.kernels.records import Action, Array, Floats, View
from undercut.play.agent import KernelAgent, Random, Reasons
from undercut.play.explanation import Comparison, Explanation
from undercut.players.encoding import Encoding

SHOWN = 12  # choices at most

COLUMNS = (("action", "choice"), ("chance", "would play it, in per cent"))


def policy_reasons(encoding: Encoding, format_action: Callable[[Action], str]) -> Reasons:
    """The reasons that `undercut hint` shows for an agent with a network."""

    def reasons(
        agent: KernelAgent, view: View, legal: Sequence[Action], random: Random
    ) -> Explanation:
        action = agent.act(view, legal, random)
        if len(legal) == 1 or not encoding.is_asked(view, 0):
            return Explanation(action)
        chances = 100 * move_chances(agent, encoding, legal)
        best = np.argsort(-chances, kind="stable")[:SHOWN]
        rows = tuple((format_action(legal[place]), float(chances[place])) for place in best)
        return Explanation(action, comparisons=(Comparison("choices", COLUMNS, rows),))

    return reasons


def move_chances(agent: KernelAgent, encoding: Encoding, legal: Sequence[Action]) -> Floats:
    """The chance of each action under the policy of the agent's last decision."""
    answers = _answers(agent, encoding)
    found = np.array([answers[encoding.output_of(int(each))] for each in legal], dtype=np.float64)
    chances: Floats = np.exp(found - found.max())
    chances /= chances.sum()
    return chances


def _answers(agent: KernelAgent, encoding: Encoding) -> Array:
    """The outputs of the network for the last decision, from the workspace."""
    numbers = agent.packed[2][len(encoding.planes) :].view(np.float32)
    return numbers[3 * int(agent.settings.width) :]
