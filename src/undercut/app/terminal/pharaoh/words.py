"""What a person types at a table of Pharaoh or Prší, read as an action."""

from collections.abc import Sequence

from undercut.app.terminal.pharaoh.drawing import either
from undercut.core.errors import NotationError
from undercut.core.german import (
    OVER,
    SUIT_NAMES,
    format_card,
    list_cards,
    parse_suit,
)
from undercut.games.pharaoh.text import format_action, parse_action

HELP = (
    ("7L, play 7L", "play that card: a value of 7 8 9 10 U O K A, then a suit:"),
    ("", "H hearts, B bells, A acorns, L leaves (X is a 10 too)"),
    ("7L 7A", "several at once: the first must fit, the last is on top"),
    ("OH acorns", "play an over and name a suit; a letter will do: OH A"),
    ("3 acorns", "the same by the number of the choice"),
    ("d, draw", "draw a card, or take the penalty"),
    ("p, pass", "let yourself be skipped"),
)

_WORDS = {"d": "draw", "draw": "draw", "take": "draw", "p": "pass", "pass": "pass", "skip": "pass"}


def read_action(text: str, choices: Sequence[str]) -> str:
    """The action a person means, in its usual words; `choices` are numbered on the screen.

    The action need not be one of the choices; a choice with overs lacks the suit.

    >>> read_action("7l,7a", []), read_action("1 A", ["play OH"])
    ('play 7L 7A', 'play OH suit acorns')
    """
    words = text.lower().replace(",", " ").split()
    if not words:
        raise NotationError("type a number or a word (help lists the words)")
    if words[0].isdecimal():
        words[:1] = _by_number(int(words[0]), choices).lower().split()
    if len(words) == 1 and words[0] in _WORDS:
        return _WORDS[words[0]]
    return _read_play([word for word in words if word not in ("play", "suit")], text)


def offers(choices: Sequence[str]) -> list[str]:
    """The choices that are numbered: single cards, then several at once, then a move without any.

    Overs stand there once, whatever suit they name. Of several cards only as many as can be are
    offered, once for each card that can lie on top; parts and other orders have to be named.

    >>> offers(["draw", "play 7H", "play 7L", "play 7H 7L", "play 7L 7H", "play OB suit bells"])
    ['play 7H', 'play 7L', 'play OB', 'play 7H 7L', 'play 7L 7H', 'draw']
    """
    plays = [*dict.fromkeys(c.partition(" suit ")[0] for c in choices if c.startswith("play "))]
    sets = {frozenset(play.split()) for play in plays}
    several: dict[tuple[frozenset[str], str], str] = {}
    for play in plays:
        cards = frozenset(play.split())
        if len(cards) > 2 and not any(cards < other for other in sets):
            top = play.split()[-1]
            several.setdefault((cards, "" if top.startswith("O") else top), play)
    single = [play for play in plays if len(play.split()) == 2]
    return [*single, *several.values(), *(c for c in choices if not c.startswith("play "))]


def _by_number(number: int, choices: Sequence[str]) -> str:
    if not 1 <= number <= len(choices):
        raise NotationError(f"there is no choice {number}: 1 to {len(choices)}")
    return choices[number - 1]


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
