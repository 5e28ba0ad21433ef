"""Lay-offs in words, for all games that have them: `lay 8h on 7h`, `lay 8h on eights`."""

from undercut.core.cards import Card, format_card, parse_card
from undercut.core.errors import NotationError

ON_SET, ON_HIGHER, ON_LOWER = range(3)
"""On three of a kind; as the new lowest card of a run; as the new highest card of a run."""

RANK_NAMES = (
    "aces",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
)


def format_layoff(kind: int, card: Card) -> str:
    """A lay-off as a card player says it.

    >>> format_layoff(ON_LOWER, parse_card("8h")), format_layoff(ON_SET, parse_card("8h"))
    ('lay 8h on 7h', 'lay 8h on eights')
    """
    if kind == ON_SET:
        target = RANK_NAMES[card % 13]
    else:
        target = format_card(card + 1 if kind == ON_HIGHER else card - 1)
    return f"lay {format_card(card)} on {target}"


def parse_layoff(text: str) -> tuple[int, Card]:
    """The kind and the card of a lay-off; the whole run may be named.

    >>> parse_layoff("lay 8h on 5h-7h") == parse_layoff("lay 8h on 7h") == (ON_LOWER, 33)
    True
    """
    card_text, on, target = text.strip()[len("lay") :].partition(" on ")
    if not on:
        raise NotationError(f"not a lay-off: {text!r} (write lay 8h on 7h, or lay 8h on eights)")
    card = parse_card(card_text)
    target = target.strip()
    if target.lower() == RANK_NAMES[card % 13]:
        return ON_SET, card
    ends = [parse_card(end) for end in target.split("-")]
    if card % 13 < 12 and ends[0] == card + 1:
        return ON_HIGHER, card
    if card % 13 > 0 and ends[-1] == card - 1:
        return ON_LOWER, card
    raise NotationError(f"{format_card(card)} cannot be laid on {target!r}")
