"""Cards as a picture for notebooks: a row of cards that overlap, in groups such as melds."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Protocol

_INKS = {  # on a light card
    "red": "#c01020",
    "green": "#107030",
    "blue": "#1450b0",
    "yellow": "#8a6a00",
    "purple": "#7a208a",
    "black": "#101010",
}
WIDTH, HEIGHT = 34, 46
STEP, GAP = 30, 12  # from card to card, and between groups


class Drawn(Protocol):
    """A card that can be drawn."""

    @property
    def rank(self) -> str: ...
    @property
    def mark(self) -> tuple[str, str]:
        """The symbol of its suit, and the name of its colour."""
        ...


def draw_cards(groups: Iterable[Sequence[Drawn]]) -> str:
    """Groups of cards side by side, as an SVG element.

    >>> from undercut.cards.card import Cards
    >>> svg = draw_cards([Cards("8h 9h Th"), Cards("Ks")])
    >>> svg.count("<rect"), svg.count(">♥<"), 'aria-label="8♥ 9♥ 10♥ | K♠"' in svg
    (4, 3, True)
    """
    shown = [group for group in groups if group]
    parts, left = list[str](), 1
    for group in shown:
        for place, card in enumerate(group):
            parts.append(_draw(card, left + place * STEP))
        left += (len(group) - 1) * STEP + WIDTH + GAP
    words = " | ".join(" ".join(card.rank + card.mark[0] for card in group) for group in shown)
    width = max(1, left - GAP + 1)
    head = f'xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(words)}"'
    size = f'width="{width}" height="{HEIGHT + 2}" viewBox="0 0 {width} {HEIGHT + 2}"'
    return f'<svg {head} {size} style="vertical-align:middle">{"".join(parts)}</svg>'


def _draw(card: Drawn, left: int) -> str:
    symbol, colour = card.mark
    ink = _INKS[colour]
    middle = left + 14
    return (
        f'<g font-family="system-ui,sans-serif" text-anchor="middle" fill="{ink}">'
        f'<rect x="{left}" y="1" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="#fdfcf7"'
        ' stroke="#8c8c86"/>'
        f'<text x="{middle}" y="20" font-size="15" font-weight="bold">{escape(card.rank)}</text>'
        f'<text x="{middle}" y="39" font-size="17">{escape(symbol)}</text></g>'
    )
