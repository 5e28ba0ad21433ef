"""The chance nodes of a round of Rummy, for callers that choose the cards themselves."""

from collections.abc import Sequence

from undercut.cards.french import Card
from undercut.games.rummy.rules.layout import DRAW, FIRST, QUEUE, Options, State
from undercut.kernels.records import Action


def dealt(options: Options) -> int:
    """The number of cards that are dealt before the first action."""
    return 21  # the hands and the upcard


def drawn(state: State, options: Options, action: Action) -> int:
    """The number of unknown cards that an action draws: none once the pile has been turned over."""
    return int(action == DRAW and state["turnovers"] == 0)


def next_cards(state: State, before: Sequence[Card]) -> list[Card]:
    """The possible next cards, after those that the same action has drawn `before`."""
    return sorted(int(state["deck"][place]) for place in _stock(state))


def put(state: State, cards: Sequence[Card]) -> None:
    """Move these cards to the place where the action draws them."""
    deck, places = state["deck"], _stock(state)
    other = next(place for place in places if deck[place] == cards[0])
    deck[places[0]], deck[other] = cards[0], deck[places[0]]


def _stock(state: State) -> list[int]:
    """The places of the stock in `deck`, the first drawn first."""
    front, size = int(state["front"]), int(state["stock"])
    return [FIRST + (front + number) % QUEUE for number in range(size)]


def most_actions(options: Options) -> int:
    """The most actions of a round: two in a turn, and each card is put down at most once."""
    return 2 * int(options.max_turns) + 52


def most_draws(options: Options) -> int:
    """The most cards that come by chance."""
    return 52


def most_points(options: Options) -> int:
    """The most points that a round can bring: the cards of a hand, doubled."""
    return 2 * 11 * 10
