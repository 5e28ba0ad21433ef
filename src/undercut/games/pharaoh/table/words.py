"""The parser for typed input at a table of Pharaoh or Prší."""

from undercut.cards.german import OVER, SUIT_NAMES, format_card, list_cards, parse_suit
from undercut.cards.packs import GERMAN
from undercut.games.pharaoh.table.text import format_action, parse_action
from undercut.games.table.description import either, not_understood
from undercut.text.errors import NotationError
from undercut.text.translation import mark, say

HELP = (
    (mark("7L, play 7L"), mark("play that card: a value of 7 8 9 10 U O K A, then a suit:")),
    ("", mark("H hearts, B bells, C acorns, L leaves (X is a 10 too)")),
    (mark("7L 7C"), mark("several at once: the first must fit, the last is on top")),
    (mark("OH acorns"), mark("play an over and name a suit; a letter will do: OH C")),
    (mark("3 acorns"), mark("the same by the number of the choice")),
    (mark("d, draw"), mark("draw a card, or take the penalty")),
    (mark("p, pass"), mark("let yourself be skipped")),
)

_WORDS = {"d": "draw", "draw": "draw", "take": "draw", "p": "pass", "pass": "pass", "skip": "pass"}


def read_action(text: str) -> str:
    """The canonical text of a typed action, legal or not.

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
        raise NotationError(not_understood(text))
    names = " ".join(format_card(card) for card in cards)
    if not suit and all(card // 4 == OVER for card in cards):
        examples = either([f"{names} {GERMAN.name_suit(name)}" for name in SUIT_NAMES])
        raise NotationError(say("name a suit too: {examples}", examples=examples))
    return format_action(parse_action(f"play {names}" + (f" suit {suit}" if suit else "")))


def _suit(word: str) -> str:
    """The suit that a word names, "" without."""
    try:
        return SUIT_NAMES[parse_suit(word)]
    except NotationError:
        return ""
