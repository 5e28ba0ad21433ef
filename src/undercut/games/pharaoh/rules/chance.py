"""The chance nodes of a deal of Pharaoh, for callers that choose the cards themselves."""

from collections.abc import Sequence

from undercut.cards.french import NONE, Card
from undercut.games.pharaoh.rules.layout import DRAW, Options, State
from undercut.kernels.records import Action
from undercut.text.errors import OptionsError


def dealt(options: Options) -> int:
    """The number of cards that are dealt before the first action: the hands and the upcard."""
    if options.heart_seven_returns:
        raise OptionsError("heart_seven_returns=1 is not supported: there a play can draw cards")
    players = int(options.players)
    return 1 + players * min(int(options.deal), (32 - 5) // players)


def drawn(state: State, options: Options, action: Action) -> int:
    """The number of unknown cards that an action draws."""
    if action != DRAW or state["ace"] > 0:
        return 0
    return min(int(state["count"]), int(state["stock"]) + int(state["piled"]) - 1)


def next_cards(state: State, before: Sequence[Card]) -> list[Card]:
    """The possible next cards, after those that the same action has drawn `before`.

    When the stock is empty, the pile without its top is shuffled [P 13].
    """
    stock = _stock(state)
    source = stock if len(before) < len(stock) else _under(state)
    return sorted(set(source) - set(before))


def put(state: State, cards: Sequence[Card]) -> None:
    """Move these cards to the place where the action draws them; shuffle the pile if necessary."""
    stock = _stock(state)
    if len(cards) > len(stock):
        under = _under(state)
        state["shuffled"] = sum(1 << card for card in under)
        state["reshuffles"] += 1
        state["pile"][0] = state["pile"][int(state["piled"]) - 1]
        state["pile"][1:] = NONE
        state["piled"] = 1
        stock += under
    rest = [card for card in stock if card not in set(cards)]
    state["deck"][: len(stock)] = [*cards, *rest]
    state["front"], state["stock"] = 0, len(stock)


def _stock(state: State) -> list[Card]:
    front = int(state["front"])
    cards: list[Card] = state["deck"][front : front + int(state["stock"])].tolist()
    return cards


def _under(state: State) -> list[Card]:
    cards: list[Card] = state["pile"][: int(state["piled"]) - 1].tolist()
    return cards


def most_actions(options: Options) -> int:
    """The most actions of a deal."""
    return int(options.max_moves)


def most_draws(options: Options) -> int:
    """The most cards that come by chance."""
    return 32 + 10 * int(options.max_moves)


def most_points(options: Options) -> int:
    """The most points that a deal can bring."""
    return 2 * (int(options.players) - 1)
