"""The text of Pharaoh: actions, positions and the events of records."""

import re

from undercut.cards.german import (
    ACORNS,
    OLD_SUITS,
    OVER,
    SUIT_NAMES,
    SUITS,
    VALUES,
    format_card,
    format_cards,
    list_cards,
    parse_suit,
)
from undercut.games.pharaoh.rules.layout import (
    ACTIONS,
    DRAW,
    PASS,
    PLAY,
    TUPLES,
    Outcome,
    View,
    named_suit,
    played_value,
    slot_of,
    tuple_suits,
)
from undercut.games.pharaoh.table.position import format_view as format_view
from undercut.games.pharaoh.table.position import parse_view as parse_view
from undercut.kernels.records import Action
from undercut.text.errors import NotationError

_WORDS = {DRAW: "draw", PASS: "pass"}
_CARD = re.compile(f"([{VALUES}])([{SUITS}{OLD_SUITS}])")
_ACTIONS = {word: action for action, word in _WORDS.items()}


def format_action(action: Action) -> str:
    """An action in a card player's words.

    >>> format_action(parse_action("play oh suit acorns"))
    'play OH suit acorns'
    """
    action = int(action)
    if action in _WORDS:
        return _WORDS[action]
    if not 0 <= action < ACTIONS:
        raise NotationError(f"not an action of pharaoh: {action} (0 to {ACTIONS - 1})")
    value = int(played_value(action))
    cards = [4 * value + suit for suit in _suits((action - PLAY) % TUPLES)]
    text = " ".join(["play", *map(format_card, cards)])
    return text + (f" suit {SUIT_NAMES[int(named_suit(action))]}" if value == OVER else "")


def parse_action(text: str) -> Action:
    """Read an action: `draw`, `pass`, `play 7L 7C`, `play OH suit acorns`.

    >>> format_action(parse_action("Play 7l,7a"))
    'play 7L 7C'
    """
    plain = " ".join(text.split())
    if plain.lower() in _ACTIONS:
        return _ACTIONS[plain.lower()]
    verb, _, rest = plain.partition(" ")
    if verb.lower() != "play" or not rest:
        raise NotationError(
            f"not an action: {text!r} (draw, pass, play CARDS, play OVERS suit SUIT)"
        )
    names, _, suit = rest.lower().partition(" suit ")
    cards = list_cards(names)
    value = cards[0] // 4 if cards else OVER
    if len(set(cards)) != len(cards) or not cards or {card // 4 for card in cards} != {value}:
        raise NotationError(f"not a play: {text!r} (one to four different cards of one value)")
    if (value == OVER) != bool(suit):
        raise NotationError(f"not a play: {text!r} (overs, and only overs, name a suit)")
    slot = slot_of(value) + (parse_suit(suit) if suit else 0)
    return PLAY + TUPLES * slot + [*map(_suits, range(TUPLES))].index([card % 4 for card in cards])


def renew(text: str) -> str:
    """Convert text with cards from the old notation, in which A stood for acorns.

    >>> renew("play AA AL"), renew("8B8AAHAA")
    ('play AC AL', '8B8CAHAC')
    """
    return _CARD.sub(lambda card: card[1] + card[2].replace("A", SUITS[ACORNS]), text)


def _suits(number: int) -> list[int]:
    """The suits of a tuple."""
    return [int(suit) for suit in tuple_suits(number) if suit >= 0]


def format_public(action: Action, after: View) -> str:
    """An action as every seat may know it: nothing is hidden."""
    return format_action(action)


def format_hand(view: View) -> str:
    """The viewing seat's cards."""
    return format_cards(int(view.hand))


def hidden_gain(before: View, after: View) -> str:
    """The cards that the viewing seat drew, unseen by the others."""
    return format_cards(int(after.hand) & ~int(before.hand))


def format_upcard(view: View) -> str:
    """The card that begins the discard pile."""
    return format_card(int(view.pile[0]))


def format_outcome(view: View) -> str:
    """The end of the deal: out, stop or limit."""
    return Outcome(int(view.outcome)).name.lower()
