"""Gin in words: actions, and what a record says of a deal."""

from undercut.cards.french import (
    HIDDEN,
    NONE,
    format_card,
    format_cards,
    parse_card,
)
from undercut.cards.melds import format_meld, parse_meld
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Outcome
from undercut.games.gin.table.position import format_view, parse_view
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

_WORDS = {gin.DRAW: "draw", gin.TAKE: "take", gin.PASS: "pass", gin.DONE: "done"}
_ACTIONS = {word: action for action, word in _WORDS.items()}


def format_action(action: Action) -> str:
    """An action as a card player says it.

    >>> format_action(gin.KNOCK + 51), format_action(gin.LAY_ON_LOWER + parse_card("8h"))
    ('knock Ks', 'lay 8h on 7h')
    """
    action = int(action)
    if action in _WORDS:
        return _WORDS[action]
    if 0 <= action < gin.KNOCK:
        return "discard " + format_card(action)
    if gin.KNOCK <= action < gin.DRAW:
        return "knock " + format_card(action - gin.KNOCK)
    if gin.MELD <= action < gin.LAY_ON_SET:
        return "meld " + format_meld(action - gin.MELD)
    if gin.LAY_ON_SET <= action < gin.ACTIONS and is_layoff(action - gin.LAY_ON_SET):
        return format_layoff(action - gin.LAY_ON_SET)
    raise NotationError(f"not an action of gin: {action} (0 to {gin.ACTIONS - 1})")


def parse_action(text: str) -> Action:
    """Read an action; `lay 8h on 5h-7h` may name the whole run.

    >>> parse_action("lay 8h on 5h-7h") == parse_action("lay 8h on 7h")
    True
    """
    plain = " ".join(text.split())
    verb, _, rest = plain.partition(" ")
    verb = verb.lower()
    if verb in _ACTIONS and not rest:
        return _ACTIONS[verb]
    if verb == "discard":
        return parse_card(rest)
    if verb == "knock":
        return gin.KNOCK + parse_card(rest)
    if verb == "meld":
        return gin.MELD + parse_meld(rest)
    if verb == "lay":
        return gin.LAY_ON_SET + parse_layoff(plain)
    raise NotationError(
        f"not an action: {text!r} (draw, take, pass, done, discard CARD, knock CARD, "
        "meld CARDS, lay CARD on CARD)"
    )


def format_public(action: Action, after: View) -> str:
    """An action as the seat whose view follows it may know it; `knock` is one face down."""
    if gin.KNOCK <= action < gin.DRAW and after.upcard == HIDDEN:
        return "knock"
    return format_action(action)


def format_hand(view: View) -> str:
    """The cards of the seat that looks."""
    return format_cards(int(view.hand))


def hidden_gain(before: View, after: View) -> str:
    """The card a seat drew from the stock, which the others did not see."""
    gained = int(after.hand) & ~int(before.hand)
    return format_cards(gained) if after.taken == NONE else ""


def format_upcard(view: View) -> str:
    """The first upcard, where there is one."""
    return "" if view.first_upcard == NONE else format_card(view.first_upcard)


def format_outcome(view: View) -> str:
    """How the deal ended: knock, gin, undercut or void."""
    return Outcome(int(view.outcome)).name.lower()
