"""What a person types at a table of Pharaoh or Prší, read as an action."""

from undercut.core.errors import NotationError
from undercut.core.german import (
    OVER,
    SUIT_NAMES,
    format_card,
    list_cards,
    parse_suit,
)
from undercut.games.description import either
from undercut.games.pharaoh.text import format_action, parse_action

HELP = (
    ("7L, play 7L", "play that card: a value of 7 8 9 10 U O K A, then a suit:"),
    ("", "H hearts, B bells, C acorns, L leaves (X is a 10 too)"),
    ("7L 7C", "several at once: the first must fit, the last is on top"),
    ("OH acorns", "play an over and name a suit; a letter will do: OH C"),
    ("3 acorns", "the same by the number of the choice"),
    ("d, draw", "draw a card, or take the penalty"),
    ("p, pass", "let yourself be skipped"),
)

_WORDS = {"d": "draw", "draw": "draw", "take": "draw", "p": "pass", "pass": "pass", "skip": "pass"}


def read_action(text: str) -> str:
    """The action a person means, in its usual words; it need not be allowed.

    >>> read_action("7l,7a"), read_action("OH C")
    ('play 7L 7C', 'play OH suit acorns')
    """
    words = text.lower().replace(",", " ").split()
    if len(words) == 1 and words[0] in _WORDS:
        return _WORDS[words[0]]
    return _read_play([word for word in words if word not in ("play", "suit")], text)


def _read_play(words: list[str], text: str) -> str:
    suit = _suit(words[-1]) if len(words) > 1 else ""
    try:
        cards = list_cards(" ".join(words[:-1] if suit else words))
    except NotationError:
        cards = []
    if not cards:
        raise NotationError(f"not understood: {text.strip()!r} (help lists the words)")
    names = " ".join(format_card(card) for card in cards)
    if not suit and all(card // 4 == OVER for card in cards):
        raise NotationError(f"name a suit too: {either([f'{names} {s}' for s in SUIT_NAMES])}")
    return format_action(parse_action(f"play {names}" + (f" suit {suit}" if suit else "")))


def _suit(word: str) -> str:
    """The suit that a word names, if it does."""
    try:
        return SUIT_NAMES[parse_suit(word)]
    except NotationError:
        return ""
