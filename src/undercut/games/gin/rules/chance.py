"""Where chance comes in while a deal of gin is played, for those who choose the cards themselves."""

from collections.abc import Sequence

from undercut.cards.french import Card
from undercut.games.gin.rules.layout import DRAW, TURNS, Options, State
from undercut.kernels.records import Action

DEALT = 21  # the hands, and the upcard or the eleventh card


def dealt(options: Options) -> int:
    """How many cards are dealt before the first action."""
    return DEALT


def drawn(state: State, options: Options, action: Action) -> int:
    """How many cards of unknown order an action draws."""
    return int(action == DRAW)


def next_cards(state: State, before: Sequence[Card]) -> list[Card]:
    """The cards that may be drawn next, after those that were drawn before by the same action."""
    return sorted(int(card) for card in state["deck"][int(state["used"]) :])


def put(state: State, cards: Sequence[Card]) -> None:
    """Lay these cards where the action draws them."""
    deck, place = state["deck"], int(state["used"])
    other = deck.tolist().index(cards[0])
    deck[place], deck[other] = cards[0], deck[place]


def most_actions(options: Options) -> int:
    """How many actions a deal has at most: two in a turn, and what is laid down."""
    return 2 * TURNS + 2 + 2 * 13


def most_draws(options: Options) -> int:
    """How many cards come by chance at most."""
    return 52


def most_points(options: Options) -> int:
    """How many points a deal can bring."""
    return 10 * int(options.face_points) + max(int(options.gin_bonus), int(options.undercut_bonus))
