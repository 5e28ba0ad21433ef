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
        return self._grid(_Shade)._repr_html_() + html_of(self._legend)

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


class _Shade:
    """A probability in a notebook: the higher, the deeper its colour."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def _repr_html_(self) -> str:
        share = f"{min(self.chance, 1.0):.2f}"
        style = f"background:rgba(31,95,208,{share});padding:.1em .3em"
        return f'<span style="{style}">{_percent(self.chance)}</span>'


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}" if chance >= 0.0005 else "·"
