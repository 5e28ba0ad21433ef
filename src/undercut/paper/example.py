"""An example like the paper's figure 2: a position in which the network changes the discard."""

from collections.abc import Iterable
from typing import Any

from undercut.cards.french import Card, each, format_card, format_cards, size
from undercut.cards.melds import MELDS, meld_cards
from undercut.games.contract import Game
from undercut.games.gin.players.strategy.reasoning import Discard, Reasoning, explain
from undercut.games.table.position import format_position
from undercut.kernels.records import View
from undercut.play.agent import KernelAgent, Random
from undercut.play.deal import legal_actions

Result = dict[str, Any]


def find_example(
    game: Game, views: Iterable[View], even: KernelAgent, network: KernelAgent, seed: int
) -> Result:
    """Among some discards, find the clearest one that the network changes.

    One agent has the belief of a network, the other a uniform belief over the unseen cards. Both
    sample hands from the same seed, like `undercut hint --seed`.
    """
    result: Result = {"discards": 0, "changed": 0, "found": None}
    surest = 0.0
    for view in views:
        legal = legal_actions(game, view)
        reasons = [explain(agent, view, legal, Random.from_seed(seed)) for agent in (even, network)]
        if not all(_is_weighed(reasoning) for reasoning in reasons):
            continue
        result["discards"] += 1
        one, other = (reasoning.discards[0].card for reasoning in reasons)
        result["changed"] += one != other
        sure = min(_lead(reasons[0], other), _lead(reasons[1], one))
        if sure > surest:
            surest, result["found"] = sure, _describe(game, view, *reasons)
    return result


def _is_weighed(reasoning: Reasoning) -> bool:
    return bool(reasoning.discards) and reasoning.discards[0].value is not None


def _lead(reasoning: Reasoning, card: Card) -> float:
    """The value of the best discard minus that of another."""
    values = {discard.card: discard.value or 0.0 for discard in reasoning.discards}
    return max(values.values()) - values.get(card, max(values.values()))


def _describe(game: Game, view: View, even: Reasoning, network: Reasoning) -> Result:
    chosen = [reasoning.discards[0].card for reasoning in (even, network)]
    greedy = max(even.discards, key=lambda discard: discard.utility).card
    return {
        "position": format_position(game, view),
        "hand": format_cards(int(view["hand"])),
        "pile": format_cards(int(view["pile"])),
        "greedy": format_card(greedy),
        "even": _rows(even.discards),
        "network": _rows(network.discards),
        "partners": {format_card(card): _partners(card, even, network) for card in chosen},
    }


def _rows(discards: Iterable[Discard]) -> list[Result]:
    numbers = ("utility", "gain", "value")
    return [
        {"card": format_card(each.card), **{name: getattr(each, name) for name in numbers}}
        for each in discards
    ]


def _partners(card: Card, even: Reasoning, network: Reasoning) -> list[Result]:
    """The cards that meld with a card and that the other player may hold."""
    together = 0
    for cards in map(meld_cards, range(MELDS)):
        if size(cards) == 3 and cards >> card & 1:
            together |= int(cards)
    return [
        {
            "card": format_card(partner),
            "even": even.chances[partner],
            "network": network.chances[partner],
        }
        for partner in each(together & ~(1 << card))
        if even.chances[partner] > 0
    ]
