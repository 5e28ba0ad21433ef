"""The text of Gin: actions, positions and the events of records."""

from undercut.cards.french import HIDDEN, NONE, format_card, format_cards
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Outcome
from undercut.games.gin.rules.layout import View
from undercut.games.gin.table.position import format_view as format_view
from undercut.games.gin.table.position import parse_view as parse_view
from undercut.games.table.melding.actions import MeldingActions
from undercut.kernels.records import Action

_TEXT = MeldingActions(
    "gin",
    {gin.DRAW: "draw", gin.TAKE: "take", gin.PASS: "pass", gin.DONE: "done"},
    {"discard": 0, "knock": gin.KNOCK},
    gin.MELD,
    gin.LAY_ON_SET,
    gin.ACTIONS,
    "draw, take, pass, done, discard CARD, knock CARD, meld CARDS, lay CARD on CARD",
)
format_action, parse_action = _TEXT.format, _TEXT.parse


def format_public(action: Action, after: View) -> str:
    """An action as the seat with the view `after` may know it; `knock` is a face-down knock."""
    if gin.KNOCK <= action < gin.DRAW and after.upcard == HIDDEN:
        return "knock"
    return format_action(action)


def format_hand(view: View) -> str:
    """The viewing seat's cards."""
    return format_cards(int(view.hand))


def hidden_gain(before: View, after: View) -> str:
    """The card that the viewing seat drew from the stock, unseen by the other."""
    gained = int(after.hand) & ~int(before.hand)
    return format_cards(gained) if after.taken == NONE else ""


def format_upcard(view: View) -> str:
    """The first upcard, "" without one."""
    return "" if view.first_upcard == NONE else format_card(view.first_upcard)


def format_outcome(view: View) -> str:
    """The end of the deal: knock, gin, undercut or void."""
    return Outcome(int(view.outcome)).name.lower()
