"""Rummy in words: actions, and what a record says of a round."""

from undercut.cards.french import (
    NONE,
    format_card,
    format_cards,
    parse_card,
)
from undercut.cards.melds import format_meld, parse_meld
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Outcome
from undercut.games.rummy.table.position import format_view, parse_view
from undercut.games.table.melding.layoffs import format_layoff, is_layoff, parse_layoff
from undercut.kernels.records import Action, View
from undercut.text.errors import NotationError

__all__ = [
    "format_action",
    "format_hand",
    "format_outcome",
    "format_public",
    "format_upcard",
    "format_view",
    "hidden_gain",
    "parse_action",
    "parse_view",
]

_WORDS = {rummy.DRAW: "draw", rummy.TAKE: "take", rummy.TURN_OVER: "turn over"}
_ACTIONS = {word: action for action, word in _WORDS.items()}


def format_action(action: Action) -> str:
    """An action as a card player says it.

    >>> format_action(rummy.TURN_OVER), format_action(rummy.LAY_ON_LOWER + parse_card("8h"))
    ('turn over', 'lay 8h on 7h')
    """
    action = int(action)
    if action in _WORDS:
        return _WORDS[action]
    if 0 <= action < rummy.DRAW:
        return "discard " + format_card(action)
    if rummy.MELD <= action < rummy.LAY_ON_SET:
        return "meld " + format_meld(action - rummy.MELD)
    if rummy.LAY_ON_SET <= action < rummy.ACTIONS and is_layoff(action - rummy.LAY_ON_SET):
        return format_layoff(action - rummy.LAY_ON_SET)
    raise NotationError(f"not an action of rummy: {action} (0 to {rummy.ACTIONS - 1})")


def parse_action(text: str) -> Action:
    """Read an action; `lay 8h on 5h-7h` may name the whole run.

    >>> parse_action("lay 8h on 5h-7h") == parse_action("lay 8h on 7h")
    True
    """
    plain = " ".join(text.split())
    verb, _, rest = plain.partition(" ")
    verb = verb.lower()
    if plain.lower() in _ACTIONS:
        return _ACTIONS[plain.lower()]
    if verb == "discard":
        return parse_card(rest)
    if verb == "meld":
        return rummy.MELD + parse_meld(rest)
    if verb == "lay":
        return rummy.LAY_ON_SET + parse_layoff(plain)
    raise NotationError(
        f"not an action: {text!r} (draw, take, turn over, meld CARDS, lay CARD on CARD, "
        "discard CARD)"
    )


def format_public(action: Action, after: View) -> str:
    """An action as the seat whose view follows it may know it: nothing is hidden."""
    return format_action(action)


def format_hand(view: View) -> str:
    """The cards of the seat that looks."""
    return format_cards(int(view.hand))


def hidden_gain(before: View, after: View) -> str:
    """The card a seat drew from the first stock, which the other did not see."""
    gained = int(after.hand) & ~int(before.hand)
    is_hidden = after.taken == NONE and after.turnovers == 0
    return format_cards(gained) if is_hidden else ""


def format_upcard(view: View) -> str:
    """The card that begins the discard pile."""
    return format_card(rummy.pile_card(view, 0))


def format_outcome(view: View) -> str:
    """How the round ended: out, rummy or tie."""
    return Outcome(int(view.outcome)).name.lower()
