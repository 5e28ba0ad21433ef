"""The parser for typed input at a Gin table."""

from collections.abc import Sequence

from undercut.games.gin.table.text import format_action, parse_action
from undercut.games.table.melding import words
from undercut.text.translation import mark

HELP = (
    *words.HELP,
    (mark("p, pass"), mark("leave the first upcard")),
    (mark("k 8h"), mark("knock, throwing 8h")),
    (mark("meld 5h 6h 7h"), mark("lay down a meld after a knock")),
    (mark("lay 8h on 7h"), mark("lay a card off on a run of the knocker")),
    (mark("lay 8h on eights"), mark("lay it off on a set")),
    (mark("done"), mark("lay down no more")),
    (mark("auto, or Enter"), mark("after a knock: lay down what leaves least deadwood")),
)

_VERBS = {"p": "pass", "pass": "pass", "done": "done"}
_VERBS |= dict.fromkeys(("k", "knock", "gin"), "knock")
_WORDS = words.Words(_VERBS, lambda text: format_action(parse_action(text)))


def read_action(text: str, choices: Sequence[str]) -> str:
    """The canonical text of a typed action; it need not be one of the choices.

    >>> choices = ["discard 8h", "discard Kd", "knock 8h"]
    >>> read_action("10S", choices), read_action("k", choices)
    ('discard Ts', 'knock 8h')
    """
    return _WORDS.read(text, choices)
