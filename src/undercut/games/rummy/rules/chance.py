"""Where chance comes in while a round of rummy is played, for those who choose the cards themselves."""

from collections.abc import Sequence

from undercut.cards.french import Card
from undercut.games.rummy.rules.layout import DRAW, FIRST, QUEUE, Options, State
from undercut.kernels.records import Action

DEALT = 21  # the hands and the upcard


def dealt(options: Options) -> int:
    """How many cards are dealt before the first action."""
    return DEALT


def drawn(state: State, options: Options, action: Action) -> int:
    """How many cards of unknown order an action draws: none once the pile has been turned over."""
    return int(action == DRAW and state["turnovers"] == 0)


def next_cards(state: State, before: Sequence[Card]) -> list[Card]:
    """The cards that may be drawn next, after those that were drawn before by the same action."""
    return sorted(int(state["deck"][place]) for place in _stock(state))


def put(state: State, cards: Sequence[Card]) -> None:
    """Lay these cards where the action draws them."""
    deck, places = state["deck"], _stock(state)
    other = next(place for place in places if deck[place] == cards[0])
    deck[places[0]], deck[other] = cards[0], deck[places[0]]


def _stock(state: State) -> list[int]:
    """The places of the stock in `deck`, the first drawn first."""
    front, size = int(state["front"]), int(state["stock"])
    return [FIRST + (front + number) % QUEUE for number in range(size)]


def most_actions(options: Options) -> int:
    """How many actions a round has at most: two in a turn, and every card is put down once."""
    return 2 * int(options.max_turns) + 52


def most_draws(options: Options) -> int:
    """How many cards come by chance at most."""
    return 52


def most_points(options: Options) -> int:
    """How many points a round can bring: the cards of a hand, doubled."""
    return 2 * 11 * 10
