"""What has happened at a table, in sentences."""

from collections.abc import Callable, Sequence
from itertools import groupby

from undercut.app.session import YOU, Event
from undercut.app.terminal.painting import (
    FRENCH,
    Lines,
    Pack,
    paint,
)

_OWN_SENTENCE = ("lay", "meld")  # a draw and a throw share one


def tell(
    events: Sequence[Event],
    names: Sequence[str],
    phrase: Callable[[str, bool], str],
    pack: Pack = FRENCH,
) -> Lines:
    """What was done, in sentences; `names` are by seat, the person is YOU.

    `phrase` makes an action part of a sentence, its verb for the person or for another.
    """
    lines = []
    for (seat, _), group in groupby(events, key=lambda event: (event.seat, _topic(event))):
        is_you = names[seat] == YOU
        phrases = [part for event in group if (part := phrase(event.text, is_you))]
        if phrases:
            who = "You" if is_you else names[seat]
            lines.append(paint(f"{who} {' and '.join(phrases)}.", pack=pack))
    return lines


def phrase_action(action: str, is_you: bool) -> str:
    """An action that many games have as part of a sentence; nothing for any other.

    >>> phrase_action("draw", False), phrase_action("take 8h", True)
    ('draws from the stock', 'take 8h from the pile')
    """
    verb, _, rest = action.partition(" ")
    ending = "" if is_you else "s"
    if verb == "draw":
        return f"draw{ending} {rest + ' ' if rest else ''}from the stock"
    if verb == "take":
        return f"take{ending} {rest} from the pile"
    if verb == "discard":
        return f"throw{ending} {rest}"
    if verb == "lay":
        return f"lay{ending} off {rest}"
    return ""


def counted(number: int, word: str) -> str:
    """A number of things.

    >>> counted(1, "card"), counted(5, "point")
    ('1 card', '5 points')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _topic(event: Event) -> str:
    return event.text if event.text.startswith(_OWN_SENTENCE) else ""
