"""Cards in colour: each suit has its own, and its symbol tells it apart without colour too."""

import re
from collections.abc import Iterable

from rich.text import Text

from undercut.core.cards import SUITS, SYMBOLS

Lines = list[Text]

STYLES = {"c": "bold green", "d": "bold bright_blue", "h": "bold bright_red", "s": "bold"}
_SYMBOL = dict(zip(SUITS, SYMBOLS, strict=True))
_CARD = re.compile(r"\b([A2-9TJQK])([cdhs])\b")

# For terminals that cannot show them.
_PLAIN = str.maketrans(
    dict(zip(SYMBOLS, SUITS, strict=True)) | {"│": "|", "─": "-", "·": "-", "“": '"', "”": '"'}
)


def paint_card(card: str, width: int = 0) -> Text:
    """A card given as text, in the colour of its suit; a ten is written 10.

    >>> paint_card("Th").plain, paint_card("8s", width=3).plain
    ('10♥', ' 8♠')
    """
    rank, suit = card[0].replace("T", "10"), card[1]
    return Text((rank + _SYMBOL[suit]).rjust(width), style=STYLES[suit])


def paint_cards(cards: Iterable[str]) -> Text:
    """Cards given as text, side by side."""
    return Text(" ").join(paint_card(card) for card in cards)


def paint(sentence: str, style: str = "") -> Text:
    """A sentence in which every card, written as 8h, becomes a card in colour.

    >>> paint("You take Th.").plain
    'You take 10♥.'
    """
    painted = Text(style=style)
    place = 0
    for match in _CARD.finditer(sentence):
        painted.append(sentence[place : match.start()])
        painted.append_text(paint_card(match.group()))
        place = match.end()
    painted.append(sentence[place:])
    return painted


def to_ascii(line: Text) -> Text:
    """The same line in letters that every terminal can show.

    >>> to_ascii(paint("You take Th.")).plain
    'You take 10h.'
    """
    plain = line.copy()
    plain.plain = line.plain.translate(_PLAIN)
    return plain
