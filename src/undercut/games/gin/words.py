"""What a person types at a gin table, read as an action."""

from collections.abc import Sequence

from undercut.games.gin.text import format_action, parse_action
from undercut.games.melding import words

HELP = (
    *words.HELP,
    ("p, pass", "leave the first upcard"),
    ("k 8h", "knock, throwing 8h"),
    ("meld 5h 6h 7h", "lay down a meld after a knock"),
    ("lay 8h on 7h", "lay a card off on a run of the knocker"),
    ("lay 8h on eights", "lay it off on a set"),
    ("done", "lay down no more"),
    ("auto, or Enter", "after a knock: lay down what leaves least deadwood"),
)

_VERBS = {
    "p": "pass",
    "pass": "pass",
    "k": "knock",
    "knock": "knock",
    "gin": "knock",
    "done": "done",
}
_WORDS = words.Words(_VERBS, lambda text: format_action(parse_action(text)))


def read_action(text: str, choices: Sequence[str]) -> str:
    """The action a person means, in its usual words; it need not be one of the choices.

    >>> choices = ["discard 8h", "discard Kd", "knock 8h"]
    >>> read_action("10S", choices), read_action("k", choices)
    ('discard Ts', 'knock 8h')
    """
    return _WORDS.read(text, choices)
