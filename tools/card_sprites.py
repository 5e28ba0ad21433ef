"""The cards as pictures: an SVG sprite for the French pack and one for the German.

Everything is drawn here, with lines and curves and without fonts, so a card looks the same on every
machine. `python tools/card_sprites.py FOLDER` writes the two files that the package ships.
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from undercut.cards.packs import FRENCH, GERMAN

COLOURS = {
    "suit-clubs": "#1d2126",
    "suit-diamonds": "#c8102e",
    "suit-hearts": "#c8102e",
    "suit-spades": "#1d2126",
    "suit-bells": "#b55f00",
    "suit-acorns": "#55290f",
    "suit-leaves": "#1c7a36",
    "card-paper": "#fffefa",
    "card-panel": "#fbf4e2",
    "card-line": "#b9b4a6",
    "card-gold": "#f0bb3f",
    "card-skin": "#f7dfc3",
    "card-linen": "#fffefa",
    "card-feature": "#3a2a22",
    "card-outline": "currentColor",
    "card-acorn": "#cf9450",
    "card-back": "#7d1f2f",
    "card-back-line": "#e8c9a0",
}
"""The CSS custom properties that colour the cards, and what they are where a page sets none."""

_HEADER = """\
<!-- Undercut: the cards of the {pack} pack. Drawn for this project; licence: Apache-2.0, as the project.
     Written by tools/card_sprites.py: change that file, not this one. -->
<desc>
One symbol a card, 100 by 140 units, named as cards are written ({examples}), and the symbol back.
Use: &lt;svg viewBox="0 0 100 140"&gt;&lt;use href="cards/{pack}.svg#{example}"/&gt;&lt;/svg&gt;
There is no style and no script; a Content-Security-Policy must allow img-src 'self'.
{notes}
Colours are CSS custom properties, which reach the pictures by inheritance from the page:
{properties}
Paper and line are a card and its edge. A panel lies behind each figure; gold, skin, linen (collars),
feature (eyes, mouths) and outline belong to the figures. cards.css sets all of them, for two and
four colours, light and dark.
</desc>
"""
_FRENCH_NOTES = "Pips alone: pip-clubs, pip-diamonds, pip-hearts, pip-spades, 20 by 20 units."
_GERMAN_NOTES = """\
An over has its sign above, an under below, in the corner and in the picture.
Czech and Slovak players know these two by the place of the sign alone: {signs}
show a small figure where the others have the letters O and U. All other cards are the same there.
Pips alone: pip-hearts, pip-bells, pip-acorns, pip-leaves, 20 by 20 units."""

# Shapes take the colour of their card, `currentColor`. A pip lies in a box from -10 to 10.
_PIPS = {
    "clubs": (
        '<circle cy="-4.9" r="4.7"/><circle cx="-4.9" cy="2.3" r="4.7"/><circle cx="4.9" cy="2.3" r="4.7"/>'
        '<path d="M-1.6-2.5H1.6L1.4 2C1.6 5.6 2.5 8 4.4 9.6H-4.4C-2.5 8-1.6 5.6-1.4 2Z"/>'
    ),
    "diamonds": '<path d="M0-10C2-6.2 4.6-2.8 7.8 0C4.6 2.8 2 6.2 0 10C-2 6.2-4.6 2.8-7.8 0C-4.6-2.8-2-6.2 0-10Z"/>',
    "hearts": (
        '<path d="M0 9.6C-2.4 5.6-9.4 2-9.4-3.9C-9.4-7-7.2-9.2-4.5-9.2C-2.4-9.2-.7-7.9 0-5.8'
        'C.7-7.9 2.4-9.2 4.5-9.2C7.2-9.2 9.4-7 9.4-3.9C9.4 2 2.4 5.6 0 9.6Z"/>'
    ),
    "spades": (
        '<path d="M0-9.8C2.4-5.8 9-2.4 9 2.5C9 5.2 7.1 7 4.9 7C3.4 7 2.1 6.2 1.3 4.8C1.5 7 2.5 8.7 4.2 9.7'
        'H-4.2C-2.5 8.7-1.5 7-1.3 4.8C-2.1 6.2-3.4 7-4.9 7C-7.1 7-9 5.2-9 2.5C-9-2.4-2.4-5.8 0-9.8Z"/>'
    ),
    "bells": (
        '<g fill="none" stroke="currentColor" stroke-width="1.5"><circle cy="-8" r="1.5"/>'
        '<circle cy="1.4" r="7.8" fill="{card-gold}"/><path d="M-7.7-.6H7.7M-7.6 2.5H7.6M0 2.5V6"/></g>'
        '<circle cy="6" r="1.5"/>'
    ),
    "acorns": (
        '<path d="M-6.3-1.6C-6.3 4.4-3.4 7.2 0 9.8C3.4 7.2 6.3 4.4 6.3-1.6Z" fill="{card-acorn}"'
        ' stroke="currentColor" stroke-width="1.2"/>'
        '<path d="M-.9-7L-1.4-9.8H1.2L.9-7C5-6.8 8.2-4.4 8.2-1.2C8.2-.3 7.6.2 6.8.2H-6.8'
        'C-7.6.2-8.2-.3-8.2-1.2C-8.2-4.4-5-6.8-.9-7Z"/>'
        '<path d="M-5.6-2.6H5.6M-3.6-4.7H3.6" stroke="{card-acorn}" stroke-dasharray="1.6 1.2"/>'
    ),
    "leaves": (
        '<path d="M0-10C1.8-6.6 8.8-5 8.8.4C8.8 3.6 6.4 5.6 3.9 5.6C2.5 5.6 1.4 5.1.7 4.4'
        "C.8 6.6 1.8 8.2 3.6 9L2.6 10C.2 9.2-.9 7-.8 4.4C-1.5 5.1-2.5 5.6-3.9 5.6"
        'C-6.4 5.6-8.8 3.6-8.8.4C-8.8-5-1.8-6.6 0-10Z"/>'
        '<path d="M0-6.5V4M0 2.6L-5.6-.2M0 2.6L5.6-.2M0-1.4L-4-3.8M0-1.4L4-3.8"'
        ' fill="none" stroke="{card-paper}" stroke-width=".9"/>'
    ),
}

# The lettering of the corners: lines of one width, 24 units high, around x = 0.
_LETTERS = {
    "A": "M-6.5 24L-.9 1.7H.9L6.5 24M-4.4 17H4.4",
    "2": "M-5.6 7.6C-5.6 3.8-3.2 1.7 0 1.7C3.3 1.7 5.6 3.8 5.6 7.1C5.6 9.8 4.2 11.7 2 14.2L-4.6 22.3H6.9",
    "3": "M-5.6 6.6C-5.1 3.3-2.8 1.7 0 1.7C3.2 1.7 5.3 3.7 5.3 6.5C5.3 9.5 3.2 11.3-.2 11.3H-2"
    "M-.2 11.3C3.7 11.3 5.9 13.4 5.9 16.7C5.9 20.2 3.5 22.3 0 22.3C-3.4 22.3-5.6 20.4-6 17",
    "4": "M3 24V1.7H2.4L-5.6 17.4H7.4",
    "5": "M5.6 1.7H-4.3L-4.9 11.9C-3.6 10.3-1.9 9.6 .1 9.6C3.6 9.6 5.9 12.1 5.9 15.9"
    "C5.9 19.7 3.5 22.3-.1 22.3C-3.2 22.3-5.4 20.6-6 17.4",
    "6": "M3.6 .3C-1.8 5.3-5.9 10.6-5.9 15.8A5.9 6.5 0 1 0 5.9 15.8A5.9 6.5 0 1 0-5.9 15.8",
    "7": "M-6.6 1.7H5L-2.6 24",
    "8": "M0 1.7A4.9 4.9 0 1 0 0 11.5A4.9 4.9 0 1 0 0 1.7M0 11.5A5.9 5.4 0 1 0 0 22.3A5.9 5.4 0 1 0 0 11.5",
    "9": "M-3.6 23.7C1.8 18.7 5.9 13.4 5.9 8.2A5.9 6.5 0 1 0-5.9 8.2A5.9 6.5 0 1 0 5.9 8.2",
    "10": "M-8.8 4.8L-5 1.7V24M4.8 1.7C7.6 1.7 8.7 4 8.7 8V16C8.7 20 7.6 22.3 4.8 22.3C2 22.3.9 20 .9 16V8C.9 4 2 1.7 4.8 1.7Z",
    "J": "M4.2 0V15.6C4.2 20 2.3 22.3-.9 22.3C-3.7 22.3-5.4 20.6-5.9 17.4",
    "Q": "M0 1.7C4 1.7 6 4.2 6 8.4V15.6C6 19.8 4 22.3 0 22.3C-4 22.3-6 19.8-6 15.6V8.4C-6 4.2-4 1.7 0 1.7ZM1 15L7.4 23.6",
    "K": "M-5 0V24M6.2 0L-4.4 13.6M-1.4 9.8L6.8 24",
    "O": "M0 1.7C4 1.7 6 4.2 6 8.4V15.6C6 19.8 4 22.3 0 22.3C-4 22.3-6 19.8-6 15.6V8.4C-6 4.2-4 1.7 0 1.7Z",
    "U": "M-5.8 0V15.4C-5.8 19.9-3.7 22.3 0 22.3C3.7 22.3 5.8 19.9 5.8 15.4V0",
    "bust": "M0 1.6A4.8 4.8 0 1 0 0 11.2A4.8 4.8 0 1 0 0 1.6M-6.8 24V21.6C-6.8 17.6-4 16 0 16C4 16 6.8 17.6 6.8 21.6V24",
    "VII": "M-8.2 0L-4.2 21.6H-3.8L.2 0M3.6 0V23M8 0V23",
    "VIII": "M-10.2 0L-6.4 21.6H-6L-2.2 0M1.2 0V23M5.5 0V23M9.8 0V23",
    "IX": "M-6.8 0V23M-2.6 0L7.2 23M7.2 0L-2.6 23",
    "X": "M-5.4 0L5.4 23M5.4 0L-5.4 23",
}
_ENLARGED = ' transform="scale(1.1)"'  # all but the Roman numerals, which are wide already
_ROMAN = {"7": "VII", "8": "VIII", "9": "IX", "X": "X"}

# Half the figure of a court card: x from -24 to 24, y from 0 at the top to 57 at the card's middle.
_ROBE = '<path d="M-23.6 57V50C-23.6 45-17 41-9 39H9C17 41 23.6 45 23.6 50V57Z"/>'
_BELT = (
    '<path d="M-23.6 53H23.6V57H-23.6Z" fill="{card-gold}"/>'
    '<path d="M-18 57L-14 53.6L-10 57ZM-4 57L0 53.6L4 57ZM10 57L14 53.6L18 57Z" stroke="none"/>'
)
_FACE = (
    '<path d="M-7 17H7V27C7 32.5 3.4 36 0 36C-3.4 36-7 32.5-7 27Z" fill="{card-skin}"/>'
    '<path d="M-5 22.2H-2M2 22.2H5M.6 24.4V28.6H-1.2" fill="none" stroke="{card-feature}"/>'
    '<path d="M-3.5 24.9h0M3.5 24.9h0" stroke="{card-feature}" stroke-width="1.9" stroke-linecap="round"/>'
)
_MOUTH = '<path d="M-1.9 31.8C-.8 32.4.8 32.4 1.9 31.8" fill="none" stroke="{card-feature}"/>'
_FIGURES = {
    "king": (
        '<path d="M-17.5 9V57" stroke="{card-gold}" stroke-width="2.4"/>'
        '<path d="M-17.5 2.5L-14.5 8L-17.5 13.5L-20.5 8Z" fill="{card-gold}"/>'
        '<path d="M-9 18C-12.5 25-10 32-13 38H13C10 32 12.5 25 9 18Z"/>'
        + _ROBE
        + '<path d="M-12 39L-15.6 43C-9 51 9 51 15.6 43L12 39Z" fill="{card-linen}"/>'
        '<path d="M-11 42.6V44.8M-6 45V47.2M6 45V47.2M11 42.6V44.8" fill="none" stroke="{card-feature}"/>'
        + _BELT
        + _FACE
        + '<path d="M-7 26.5C-5 30-2.6 29.4 0 29.4C2.6 29.4 5 30 7 26.5C8.4 35 5 42.5 0 46.6C-5 42.5-8.4 35-7 26.5Z"/>'
        '<path d="M-2 32.2H2" fill="none" stroke="{card-skin}" stroke-width="1.2"/>'
        '<path d="M-8.6 19L-10.4 7.6L-5 12.2L0 4.6L5 12.2L10.4 7.6L8.6 19Z" fill="{card-gold}"/>'
        '<path d="M-8.4 16H8.4" fill="none"/>'
        '<circle cx="-10.4" cy="6.6" r="1.4"/><circle cy="3.6" r="1.4"/><circle cx="10.4" cy="6.6" r="1.4"/>'
    ),
    "queen": (
        '<path d="M-17.5 12V57M-17.5 25L-14 20M-17.5 31L-21 26" fill="none" stroke="currentColor" stroke-width="1.4"/>'
        '<g fill="{card-gold}"><circle cx="-17.5" cy="5.6" r="2.6"/><circle cx="-14" cy="8.2" r="2.6"/>'
        '<circle cx="-21" cy="8.2" r="2.6"/><circle cx="-15.4" cy="12" r="2.6"/><circle cx="-19.6" cy="12" r="2.6"/></g>'
        '<circle cx="-17.5" cy="9" r="1.6"/>'
        '<path d="M0 11C-9 11-11.4 18-11.4 26C-11.4 34-12.6 39-14.4 43H14.4C12.6 39 11.4 34 11.4 26C11.4 18 9 11 0 11Z"/>'
        + _ROBE
        + _BELT
        + '<path d="M-11.4 39.4C-6 40-3 40-3 35H3C3 40 6 40 11.4 39.4C10 46 4 49.4 0 49.4C-4 49.4-10 46-11.4 39.4Z" fill="{card-skin}"/>'
        '<path d="M-12.6 39.4C-11 47-5 50.6 0 50.6C5 50.6 11 47 12.6 39.4" fill="none" stroke="{card-linen}" stroke-width="2.2"/>'
        + _FACE
        + _MOUTH
        + '<path d="M-7 25C-6.6 20.4-4 19 0 17.6C4 19 6.6 20.4 7 25L9 24V16H-9V24Z"/>'
        '<path d="M-4.6 40.6C-3 43 3 43 4.6 40.6" fill="none" stroke="{card-gold}"/><circle cy="43.4" r="1.5" fill="{card-gold}"/>'
        '<path d="M-8.4 17.4L-9.4 9.4L-5.4 12.6L-3 7.4L0 11.6L3 7.4L5.4 12.6L9.4 9.4L8.4 17.4C4 15.6-4 15.6-8.4 17.4Z" fill="{card-gold}"/>'
        '<circle cx="-3" cy="6.8" r="1.2"/><circle cx="3" cy="6.8" r="1.2"/>'
        '<circle cx="-9.4" cy="8.8" r="1.2"/><circle cx="9.4" cy="8.8" r="1.2"/>'
    ),
    "jack": (
        '<path d="M-17.5 4V57" fill="none" stroke="currentColor" stroke-width="1.6"/>'
        '<path d="M-17.5 1.5L-15.6 7V16.4L-13.4 18.4H-17.5L-22.4 19C-20.6 15-20.6 11-22.4 7.4L-19.4 8Z" fill="{card-gold}"/>'
        '<path d="M-9 16C-9.6 24-9.4 29-11.4 34C-8 35.6-5 35-4 34V16ZM9 16C9.6 24 9.4 29 11.4 34C8 35.6 5 35 4 34V16Z"/>'
        + _ROBE
        + '<path d="M-3.4 41V57M3.4 41V57" fill="none" stroke="{card-gold}" stroke-width="2"/>'
        + _BELT
        + _FACE
        + _MOUTH
        + '<path d="M-10.4 36L-13.4 41L-8.6 40.4L-6 44.4L-2.6 41.4L0 45.4L2.6 41.4L6 44.4L8.6 40.4L13.4 41L10.4 36C5 38.6-5 38.6-10.4 36Z" fill="{card-linen}"/>'
        '<path d="M-9.6 18C-13 10-5 6 1 7C8 8 11.6 12 9.6 18Z"/>'
        '<path d="M-9.6 16.4C-4 14.4 4 14.4 9.6 16.4L9.4 19.4C4 17.6-4 17.6-9.4 19.4Z" fill="{card-gold}"/>'
        '<path d="M7.6 15C3 11-1.6 5.6-7.4 4.6C-5.6 2-1.6 1.6 2 4C5.6 6.4 7.6 10.6 7.6 15Z" fill="{card-linen}"/>'
    ),
    "over": (
        '<path d="M-9 18C-9.8 26-8.6 31-10.6 35H10.6C8.6 31 9.8 26 9 18Z"/>'
        + _ROBE
        + '<path d="M-9 39L0 50L9 39L4 35H-4Z" fill="{card-linen}"/>'
        '<path d="M-23.6 49C-22.6 45-18 42-12.6 40.2L-10 44.6C-14 45.6-17.4 47-18.6 51ZM23.6 49C22.6 45 18 42 12.6 40.2L10 44.6C14 45.6 17.4 47 18.6 51Z" fill="{card-gold}"/>'
        + _BELT
        + _FACE
        + '<path d="M0 29.6C-3 29-5 30.6-8 29.4C-6.4 33-2.4 33.4 0 31.4C2.4 33.4 6.4 33 8 29.4C5 30.6 3 29 0 29.6Z"/>'
        '<path d="M14 18.6C9 20 8 9 1 9C-7 9-8 20-15 17C-14 21.6-8 21 0 21C8 21 13 22 14 18.6Z"/>'
        '<path d="M-4 13.4C-7 5-14 1.6-22 3C-21 6.6-19 6.6-18 9.4C-16 9-15.6 12-13.6 12.4C-11 12-9 15.4-4 13.4Z" fill="{card-gold}"/>'
    ),
    "under": (
        '<path d="M-8.6 16C-9.2 24-8.6 30-10 34H10C8.6 30 9.2 24 8.6 16Z"/>'
        + _ROBE
        + '<path d="M-11 38.4H11V57H-11Z" fill="{card-linen}"/>'
        '<path d="M-14 40V57M14 40V57" fill="none" stroke="{card-gold}" stroke-width="2"/>'
        + _FACE
        + _MOUTH
        + '<path d="M-9.4 17V13C-9.4 6 9.4 6 9.4 13V17Z"/>'
        '<path d="M-11 15H11V19H-11Z" fill="{card-gold}"/>'
        '<circle cy="6.6" r="2" fill="{card-gold}"/>'
    ),
}

_FACE_OF_A_CARD = (
    '<rect id="face" x=".6" y=".6" width="98.8" height="138.8" rx="7.4" fill="{card-paper}"'
    ' stroke="{card-line}" stroke-width="1.2"/>\n'
)
_PANEL = (
    '<rect x="26" y="12.5" width="48" height="115" rx="2" fill="{card-panel}"'
    ' stroke="currentColor" stroke-width="1"/>'
)
_PETALS = "".join(
    f'<ellipse cy="-7" rx="3.2" ry="5.6" transform="rotate({angle})"/>'
    for angle in range(0, 360, 45)
)
_BACK = (
    '<symbol id="back" viewBox="0 0 100 140"><use href="#face"/>'
    '<rect x="6" y="6" width="88" height="128" rx="4" fill="{card-back}"/>'
    '<g fill="none" stroke="{card-back-line}"><rect x="9.5" y="9.5" width="81" height="121" rx="2"/>'
    '<g transform="translate(14 10)"><path d="LATTICE" stroke-width=".6" opacity=".7"/>'
    '<path d="DOTS" stroke-width="2.2" stroke-linecap="round"/></g></g>'
    '<g transform="translate(50 70)" stroke="{card-back-line}"><circle r="16" fill="{card-back}"/>'
    '<g fill="{card-back-line}" stroke="{card-back}" stroke-width=".8">'
    + _PETALS
    + "</g></g></symbol>\n"
)
Place: TypeAlias = tuple[float, float]
_CORNER = 14.0  # the middle of an index, from the card's left edge


def french_sprite() -> str:
    """The 52 cards of the French pack and a back."""
    cards = [
        _french_card(rank, shown, suit.letter, suit.name)
        for suit in FRENCH.suits
        for rank, shown in FRENCH.ranks
    ]
    letters = [shown for _, shown in FRENCH.ranks]
    shapes = _shapes([suit.name for suit in FRENCH.suits], letters, ["jack", "queen", "king"])
    return _sprite("french", "Ah, Td, Ks", _FRENCH_NOTES, [*shapes, *cards])


def german_sprite() -> str:
    """The 32 cards of the German pack, overs and unders also without letters, and a back."""
    cards, signs = [], []
    for suit in GERMAN.suits:
        cards += [_german_card(value, suit.letter, suit.name) for value, _ in GERMAN.ranks]
        for value in "UO":
            signs.append(f"{value}{suit.letter}-cs")
            cards.append(_german_court(signs[-1], value, suit.name, "bust"))
    letters = [_ROMAN.get(value, value) for value, _ in GERMAN.ranks]
    suits = [suit.name for suit in GERMAN.suits]
    shapes = _shapes(suits, [*letters, "bust"], ["under", "over", "king"])
    notes = _GERMAN_NOTES.format(signs=", ".join(signs))
    return _sprite("german", "7H, UL, XB", notes, [*shapes, *cards])


def _french_card(rank: str, shown: str, letter: str, suit: str) -> str:
    corner = _CORNER + (0.6 if rank == "T" else 0)
    index = _letter(shown, corner, 7) + _pip(suit, (_CORNER, 45.5), 17)
    courts = {"J": "jack", "Q": "queen", "K": "king"}
    if rank in courts:
        half = _figure(courts[rank]) + _pip(suit, (67, 21.5), 12)
        return _card(rank + letter, suit, _PANEL, half + index)
    if rank == "A":
        return _card(rank + letter, suit, _pip(suit, (50, 70), 48), index)
    turned, upright = _places(int(shown), 13, 27)
    return _card(rank + letter, suit, _pips(suit, upright, 17.5), index + _pips(suit, turned, 17.5))


def _german_card(value: str, letter: str, suit: str) -> str:
    if value in "UOK":
        return _german_court(value + letter, value, suit, value)
    if value == "A":  # the old deuce: it has two signs
        half = _letter("A", _CORNER, 7) + _pip(suit, (_CORNER, 45.5), 17) + _pip(suit, (50, 45), 40)
        return _card(value + letter, suit, "", half)
    roman = _ROMAN[value]
    corner = 15.5 if roman == "VIII" else _CORNER + 0.6
    turned, upright = _places(10 if value == "X" else int(value), 13, 28)
    half = _letter(roman, corner, 7) + _pip(suit, (_CORNER, 42), 16) + _pips(suit, turned, 17)
    return _card(value + letter, suit, _pips(suit, upright, 17), half)


def _german_court(name: str, value: str, suit: str, letter: str) -> str:
    """An over has its sign above, an under below: in the index and in the picture."""
    if value == "O":
        index = _pip(suit, (_CORNER, 15.5), 17) + _letter(letter, _CORNER, 27.5)
    else:
        index = _letter(letter, _CORNER, 7) + _pip(suit, (_CORNER, 45.5), 17)
    figure = {"U": "under", "O": "over", "K": "king"}[value]
    sign = _pip(suit, (50, 60.5), 15) if value == "U" else _pip(suit, (67, 21.5), 13)
    return _card(name, suit, _PANEL, _figure(figure) + sign + index)


def _places(count: int, across: float, top: float) -> tuple[list[Place], list[Place]]:
    """Where pips stand: those of the upper half, which is turned for the lower, and the others."""
    step = (140 - 2 * top) / 3
    left, right = 50 - across, 50 + across
    corners: list[Place] = [(left, top), (right, top)]
    sides: list[Place] = [(left, 70), (right, 70)]
    inner: list[Place] = [(left, top + step), (right, top + step)]
    high: Place = (50, (top + 70) / 2)
    layouts: dict[int, tuple[list[Place], list[Place]]] = {
        2: ([(50, top)], []),
        3: ([(50, top)], [(50, 70)]),
        4: (corners, []),
        5: (corners, [(50, 70)]),
        6: (corners, sides),
        7: (corners, [*sides, high]),
        8: ([*corners, high], sides),
        9: (corners + inner, [(50, 70)]),
        10: ([*corners, *inner, (50, top + step / 2)], []),
    }
    return layouts[count]


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _pip(suit: str, place: Place, size: float) -> str:
    x, y = (_number(middle - size / 2) for middle in place)
    side = _number(size)
    return f'<use href="#pip-{suit}" x="{x}" y="{y}" width="{side}" height="{side}"/>'


def _pips(suit: str, places: Iterable[Place], size: float) -> str:
    return "".join(_pip(suit, place, size) for place in places)


def _letter(name: str, x: float, y: float) -> str:
    return f'<use href="#letter-{name}" x="{_number(x)}" y="{_number(y)}"/>'


def _figure(name: str) -> str:
    return f'<use href="#figure-{name}" x="50" y="13"/>'


def _card(name: str, suit: str, whole: str, half: str) -> str:
    """A card from what is drawn once, and its upper half, which is turned for the lower."""
    return (
        f'<symbol id="{name}" viewBox="0 0 100 140" color="{{suit-{suit}}}"><use href="#face"/>{whole}'
        f'<g id="half-{name}">{half}</g><use href="#half-{name}" transform="rotate(180 50 70)"/></symbol>\n'
    )


def _back() -> str:
    """A lattice with a dot in each field and a rosette in the middle: the same upside down."""
    width, height, field = 72, 120, 12
    lattice = []
    for start in range(field - height, width, field):
        begin, end = max(start, 0), min(height + start, width)
        lattice.append(f"M{begin} {begin - start}L{end} {end - start}")
        lattice.append(f"M{width - begin} {begin - start}L{width - end} {end - start}")
    dots = []
    for row in range(1, height // (field // 2)):
        indent = field if row % 2 else field // 2
        dots += [f"M{x} {row * field // 2}h0" for x in range(indent, width, field)]
    return _BACK.replace("LATTICE", "".join(lattice)).replace("DOTS", "".join(dots))


def _shapes(suits: Sequence[str], letters: Sequence[str], figures: Sequence[str]) -> list[str]:
    pips = [
        f'<symbol id="pip-{suit}" viewBox="-10 -10 20 20" color="{{suit-{suit}}}">'
        f'<g fill="currentColor">{_PIPS[suit]}</g></symbol>\n'
        for suit in suits
    ]
    lettering = [
        f'<path id="letter-{letter}" d="{_LETTERS[letter]}" fill="none" stroke="currentColor"'
        f' stroke-width="3.5"{"" if letter in _ROMAN.values() else _ENLARGED}/>\n'
        for letter in letters
    ]
    court = [
        f'<g id="figure-{figure}" fill="currentColor" stroke="{{card-outline}}" stroke-width=".8"'
        f' stroke-linejoin="round">{_FIGURES[figure]}</g>\n'
        for figure in figures
    ]
    return [_FACE_OF_A_CARD, *pips, *lettering, *court]


def _sprite(pack: str, examples: str, notes: str, drawings: Sequence[str]) -> str:
    paints = {name: f"var(--{name},{colour})" for name, colour in COLOURS.items()}
    drawn = "".join([*drawings, _back()]).format_map(paints)
    properties = [f"  --{name}: {COLOURS[name]}" for name in COLOURS if paints[name] in drawn]
    header = _HEADER.format(
        pack=pack,
        examples=examples,
        example=examples[:2],
        notes=notes,
        properties="\n".join(properties),
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{header}<defs>\n{drawn}</defs>\n</svg>\n'


def main() -> None:
    """Write both sprites into the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Write the pictures of the cards.")
    parser.add_argument("folder", type=Path, help="where french.svg and german.svg go")
    folder = parser.parse_args().folder
    (folder / "french.svg").write_text(french_sprite(), encoding="utf-8")
    (folder / "german.svg").write_text(german_sprite(), encoding="utf-8")


if __name__ == "__main__":
    main()
