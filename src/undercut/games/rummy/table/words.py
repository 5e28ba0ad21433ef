"""The parser for typed input at a Rummy table."""

import re
from collections.abc import Sequence

from undercut.cards.french import format_card, parse_card
from undercut.games.rummy.table.text import format_action, parse_action
from undercut.games.table.melding import words
from undercut.games.table.melding.layoffs import is_laid_on, said
from undercut.text.errors import NotationError
from undercut.text.translation import mark, say

HELP = (
    *words.HELP,
    (mark("o, turn over"), mark("turn the pile over and draw, when the stock is empty")),
    (mark("meld 5h 6h 7h"), mark("put down a meld; just the cards will do")),
    (mark("lay 8h on 2"), mark("lay a card off on the meld with that number")),
    (mark("lay 8h on 7h"), mark("the same, by the end of the run")),
    (mark("lay 8h on eights"), mark("the same on a set")),
    (mark("lay 8h"), mark("the same where only one meld fits")),
)

_VERBS = {"o": "turn over", "over": "turn over", "turn": "turn over"}
_WORDS = words.Words(_VERBS, lambda text: format_action(parse_action(text)))


def read_action(text: str, choices: Sequence[str], melds: Sequence[Sequence[str]]) -> str:
    """The canonical text of a typed action; it need not be one of the choices.

    `melds` are the melds on the table in the order of their numbers.

    >>> read_action("lay 8h on 1", [], [("5h", "6h", "7h")]), read_action("O", [], [])
    ('lay 8h on 7h', 'turn over')
    """
    plain = re.sub(r"\bturn( the pile)? over\b", "turn", " ".join(text.lower().split()))
    start, on, target = plain.rpartition(" on ")
    if on and target.isdecimal():
        return _read_numbered(start, int(target), melds)
    return _WORDS.read(plain, choices)


def number_of(layoff: str, melds: Sequence[Sequence[str]]) -> int:
    """The number of the meld that a lay-off names, 0 without such a meld.

    >>> number_of("lay 8h on eights", [("6h", "7h", "8h"), ("8c", "8d", "8s")])
    2
    """
    return next((i for i, meld in enumerate(melds, start=1) if is_laid_on(layoff, meld)), 0)


def _read_numbered(start: str, number: int, melds: Sequence[Sequence[str]]) -> str:
    """A lay-off that names the meld by its number."""
    meld = _meld(number, melds)
    card = format_card(parse_card(start.split()[-1]))
    try:
        return _WORDS.read(f"{start} on {'-'.join(said(meld))}", [])
    except NotationError:
        cards = " ".join(meld)
        message = say(
            "{card} does not fit on {number}: {cards}", card=card, number=number, cards=cards
        )
        raise NotationError(message) from None


def _meld(number: int, melds: Sequence[Sequence[str]]) -> Sequence[str]:
    if not melds:
        raise NotationError(say("there is no meld on the table yet"))
    if not 1 <= number <= len(melds):
        message = say(
            "there is no meld {number} on the table: 1 to {last}", number=number, last=len(melds)
        )
        raise NotationError(message)
    return melds[number - 1]
