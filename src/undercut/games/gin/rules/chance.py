"""The chance nodes of a deal of Gin, for callers that choose the cards themselves."""

from collections.abc import Sequence

from undercut.cards.french import Card
from undercut.games.gin.rules.layout import DRAW, TURNS, Options, State
from undercut.kernels.records import Action


def dealt(options: Options) -> int:
    """The number of cards that are dealt before the first action."""
    return 21  # the hands, and the upcard or the eleventh card


def drawn(state: State, options: Options, action: Action) -> int:
    """The number of unknown cards that an action draws."""
    return int(action == DRAW)


def next_cards(state: State, before: Sequence[Card]) -> list[Card]:
    """The possible next cards, after those that the same action has drawn `before`."""
    return sorted(int(card) for card in state["deck"][int(state["used"]) :])


def put(state: State, cards: Sequence[Card]) -> None:
    """Move these cards to the place where the action draws them."""
    deck, place = state["deck"], int(state["used"])
    other = deck.tolist().index(cards[0])
    deck[place], deck[other] = cards[0], deck[place]


def most_actions(options: Options) -> int:
    """The most actions of a deal: two in a turn, then melds and lay-offs."""
    return 2 * TURNS + 2 + 2 * 13


def most_draws(options: Options) -> int:
    """The most cards that come by chance."""
    return 52


def most_points(options: Options) -> int:
    """The most points that a deal can bring."""
    return 10 * int(options.face_points) + max(int(options.gin_bonus), int(options.undercut_bonus))
