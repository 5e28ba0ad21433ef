"""The explanation of a decision by the paper's player, with its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from undercut.cards.french import Card, each, format_card
from undercut.games.gin.players.strategy import thinking
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.rules.layout import View
from undercut.kernels.records import Action, pack
from undercut.play.agent import KernelAgent, Random, Turn
from undercut.play.explanation import Comparison, Explanation, Figure
from undercut.text.errors import OptionsError
from undercut.text.translation import mark

REASONS = {
    thinking.BY_VALUE: mark("the highest value: its hand's utility less the other player's gain"),
    thinking.BY_KNOCK: mark("its highest loose card, since it can knock without it"),
    thinking.BY_GIN: mark("any card that leaves all others melded"),
    thinking.BY_DEADWOOD: mark("the upcard lowers its deadwood or joins its melds"),
    thinking.BY_UTILITY: mark("the draw with the higher utility"),
    thinking.BY_LAYOUT: mark("the melding with the best loose cards"),
}


@dataclass(frozen=True)
class Discard:
    """A possible discard."""

    card: Card
    utility: float  # of the hand without it
    gain: float | None  # the other player's mean gain; None if it was not estimated
    value: float | None


@dataclass(frozen=True)
class Reasoning:
    """An action and its reason."""

    action: Action
    reason: str
    chances: tuple[float, ...]  # the marginals of the other hand
    discards: tuple[Discard, ...] = ()  # best first
    take: float | None = None  # utilities of the two draws
    stock: float | None = None
    their_deadwood: float | None = None  # the mean over the sampled hands


def can_explain(agent: object) -> bool:
    """Whether an agent is a variant of the paper's player."""
    fields = set(thinking.Settings._fields)
    return isinstance(agent, KernelAgent) and fields <= set(agent.settings._fields)


def explain(agent: KernelAgent, view: View, legal: Sequence[Action], random: Random) -> Reasoning:
    """Let the paper's player decide, and return the numbers behind its decision."""
    if not can_explain(agent):
        raise OptionsError(f"{agent.name} has no reasons to show: only the paper's player has")
    workspace = np.zeros(agent.workspace, dtype=np.int64)
    actions = np.asarray(legal, dtype=np.int64)
    packed = pack(agent.options), pack(agent.settings)
    turn = Turn(actions, *packed, random.generator, workspace)
    action = int(agent.choose(view, turn))
    words = np.split(workspace, [thinking.THOUGHT_END, thinking.SCRATCH_END])
    thought, scratch = words[0].view(thinking.THOUGHT)[0], words[1].view(thinking.SCRATCH)[0]
    chances = tuple(scratch["mine"]["chances"].tolist())
    reason = REASONS[int(thought["reason"])]
    if view["phase"] == Phase.DISCARD:
        looked = thought["their_deadwood"] >= 0
        deadwood = float(thought["their_deadwood"]) if looked else None
        discards = _discards(thought, bool(looked))
        return Reasoning(action, reason, chances, discards, their_deadwood=deadwood)
    if view["phase"] in (Phase.OFFER, Phase.DRAW):
        take, stock = float(thought["take_utility"]), float(thought["stock_utility"])
        return Reasoning(action, reason, chances, take=take, stock=stock)
    return Reasoning(action, reason, chances)


def give_reasons(
    agent: KernelAgent, view: View, legal: Sequence[Action], random: Random
) -> Explanation:
    """The same as `explain`, in the form for all agents."""
    reasoning = explain(agent, view, legal, random)
    return Explanation(
        action=reasoning.action,
        reason=reasoning.reason,
        comparisons=(_compare(reasoning.discards),) if reasoning.discards else (),
        figures=_figures(reasoning),
        belief=tuple((format_card(card), each) for card, each in enumerate(reasoning.chances)),
        believed="the other player holds a card",
    )


def _compare(discards: Sequence[Discard]) -> Comparison:
    return Comparison(
        key="discards",
        columns=(
            ("card", "discard"),
            ("utility", "hand utility"),
            ("gain", "opponent's gain"),
            ("value", "value"),
        ),
        rows=tuple(
            (format_card(each.card), each.utility, each.gain, each.value) for each in discards
        ),
    )


def _figures(reasoning: Reasoning) -> tuple[Figure, ...]:
    figures = []
    if reasoning.discards:
        words = "the other player's deadwood, on average"
        figures.append(Figure("their_deadwood", words, reasoning.their_deadwood))
    if reasoning.take is not None:
        figures.append(Figure("take", "expected utility of the upcard", reasoning.take))
        figures.append(Figure("stock", "expected utility of the stock", reasoning.stock))
    return tuple(figures)


def _discards(thought: np.void, looked: bool) -> tuple[Discard, ...]:
    found = [
        Discard(
            card,
            float(thought["utility"][card]),
            float(thought["gain"][card]) if looked else None,
            float(thought["value"][card]) if looked else None,
        )
        for card in each(int(thought["candidates"]))
    ]
    merits = "value" if looked else "utility"
    return tuple(sorted(found, key=attrgetter(merits), reverse=True))
