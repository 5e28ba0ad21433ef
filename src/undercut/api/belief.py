"""The belief of an agent about hidden cards: a probability for each card, as an array."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from undercut.cards.card import Card, deck_of
from undercut.cards.packs import Pack
from undercut.kernels.records import Floats
from undercut.text.errors import OptionsError
from undercut.text.tables import Cell, Grid, html_of


class Belief:
    """For each card, an agent's probability that the other seat holds it.

    `array` has a row for each suit and a column for each rank: 4 × 13 in a French pack, in the
    order of `suits` and `ranks`.
    """

    def __init__(self, pack: Pack, chances: Iterable[tuple[str, float]], about: str) -> None:
        self._pack = pack
        self._chances = dict(chances)
        self.about = about  # the event: "the other player holds a card"
        self.suits = tuple(suit.name for suit in pack.suits)
        self.ranks = tuple(shown for _, shown in pack.ranks)

    @property
    def array(self) -> Floats:
        """The probabilities: row i is suit i, column j is rank j."""
        return np.array([[self._chances[card] for card in row] for row in self._rows()])

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> NDArray[np.generic]:
        return self.array if dtype is None else self.array.astype(dtype)

    def __getitem__(self, card: str) -> float:
        if card not in self._chances:
            raise OptionsError(f"not a card of the {self._pack.name} pack: {card!r}")
        return self._chances[card]

    def likeliest(self, count: int = 10) -> list[tuple[Card, float]]:
        """The cards with the highest probabilities, as pairs."""
        known = ((card, self._chances[card]) for card in deck_of(self._pack))
        return sorted(known, key=lambda each: -each[1])[:count]

    def __str__(self) -> str:
        return f"{self._grid(_percent)}\n{self._legend}"

    def __repr__(self) -> str:
        best = ", ".join(f"{card} {_percent(chance)} %" for card, chance in self.likeliest(3))
        return f"<belief that {self.about}: {best}, …>"

    def _repr_html_(self) -> str:
        scale = Scale(max(self._chances.values()))
        grid = self._grid(scale.shade)._repr_html_()
        return f"{grid}{scale.draw()}<br>{html_of(self._legend)}"

    @property
    def _legend(self) -> str:
        return f"in per cent, that {self.about}; · impossible"

    def _grid(self, cell: Callable[[float], Cell]) -> Grid:
        rows = (
            (suit.symbol, *(cell(self._chances[card]) for card in row))
            for suit, row in zip(self._pack.suits, self._rows(), strict=True)
        )
        return Grid(("", *self.ranks), tuple(rows))

    def _rows(self) -> list[list[str]]:
        letters = [letter for letter, _ in self._pack.ranks]
        return [[letter + suit.letter for letter in letters] for suit in self._pack.suits]


class Scale:
    """A colour for each probability from 0 to the highest one: light to dark blue."""

    def __init__(self, most: float) -> None:
        self._most = most or 1.0

    def shade(self, chance: float) -> "_Shade":
        """A probability as a cell of a table."""
        return _Shade(chance, self._colour(chance / self._most))

    def draw(self) -> str:
        """The scale from 0 to the highest probability, as an SVG element."""
        stops = "".join(
            f'<stop offset="{place / 4}" stop-color="{_rgb(colour)}"/>'
            for place, colour in enumerate(_STOPS)
        )
        marks = "".join(
            f'<text x="{1 + 200 * share}" y="28" text-anchor="{anchor}">'
            f"{100 * share * self._most:.0f} %</text>"
            for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
        )
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="204" height="32" role="img"'
            f' aria-label="0 to {_percent(self._most)} %" font-size="11" fill="currentColor"'
            ' font-family="system-ui,sans-serif">'
            f'<defs><linearGradient id="undercut-scale">{stops}</linearGradient></defs>'
            '<rect x="1" y="1" width="200" height="14" fill="url(#undercut-scale)"'
            f' stroke="#888"/>{marks}</svg>'
        )

    def _colour(self, share: float) -> tuple[int, int, int]:
        place = min(max(share, 0.0), 1.0) * (len(_STOPS) - 1)
        below = min(int(place), len(_STOPS) - 2)
        part = place - below
        red, green, blue = (
            round(low + part * (high - low))
            for low, high in zip(_STOPS[below], _STOPS[below + 1], strict=True)
        )
        return red, green, blue


_STOPS = ((247, 251, 255), (198, 219, 239), (107, 174, 214), (33, 113, 181), (8, 48, 107))
"""The colours of a scale, from none to the highest: ever darker, also in print."""


class _Shade:
    """A probability in a notebook, in its colour of the scale."""

    def __init__(self, chance: float, colour: tuple[int, int, int]) -> None:
        self._chance, self._colour = chance, colour

    def _repr_html_(self) -> str:
        red, green, blue = self._colour
        ink = "#fff" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else "#111"
        style = f"background:{_rgb(self._colour)};color:{ink};padding:.1em .3em"
        return f'<span style="{style}">{_percent(self._chance)}</span>'


def _rgb(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}" if chance >= 0.0005 else "·"
