"""The text of Rummy: actions, positions and the events of records."""

from undercut.cards.french import NONE, format_card, format_cards
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Outcome
from undercut.games.rummy.rules.layout import View
from undercut.games.rummy.table.position import format_view as format_view
from undercut.games.rummy.table.position import parse_view as parse_view
from undercut.games.table.melding.actions import MeldingActions
from undercut.kernels.records import Action

_TEXT = MeldingActions(
    "rummy",
    {rummy.DRAW: "draw", rummy.TAKE: "take", rummy.TURN_OVER: "turn over"},
    {"discard": 0},
    rummy.MELD,
    rummy.LAY_ON_SET,
    rummy.ACTIONS,
    "draw, take, turn over, meld CARDS, lay CARD on CARD, discard CARD",
)
format_action, parse_action = _TEXT.format, _TEXT.parse


def format_public(action: Action, after: View) -> str:
    """An action as every seat may know it: nothing is hidden."""
    return format_action(action)


def format_hand(view: View) -> str:
    """The viewing seat's cards."""
    return format_cards(int(view.hand))


def hidden_gain(before: View, after: View) -> str:
    """The card that the viewing seat drew from the first stock, unseen by the other."""
    gained = int(after.hand) & ~int(before.hand)
    is_hidden = after.taken == NONE and after.turnovers == 0
    return format_cards(gained) if is_hidden else ""


def format_upcard(view: View) -> str:
    """The card that begins the discard pile."""
    return format_card(rummy.pile_card(view, 0))


def format_outcome(view: View) -> str:
    """The end of the round: out, rummy or tie."""
    return Outcome(int(view.outcome)).name.lower()
