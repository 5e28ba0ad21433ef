"""Small tables as plain text for a terminal and as escaped HTML for a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol, TypeAlias, runtime_checkable

from undercut.text.printable import printable


@runtime_checkable
class HasHtml(Protocol):
    """An object with its own HTML for notebooks."""

    def _repr_html_(self) -> str: ...


Cell: TypeAlias = "str | HasHtml"
_CELL = "padding:.1em .6em;text-align:{side}"


@dataclass(frozen=True)
class Grid:
    """Rows under headings; the first column is left-aligned, the others right-aligned.

    >>> print(Grid(("agent", "win rate"), (("simple", "51.0%"), ("patient", "49.0%"))))
    agent    win rate
    simple      51.0%
    patient     49.0%
    """

    headings: tuple[str, ...]  # empty: no headings
    rows: tuple[tuple[Cell, ...], ...]
    is_ragged: bool = False  # all columns left-aligned, for text

    def __str__(self) -> str:
        rows = [self.headings, *self.rows] if self.headings else [*self.rows]
        texts = [[printable(str(cell)) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        return "\n".join(self._line(row, widths) for row in texts)

    def _repr_html_(self) -> str:
        lines = [self._row("th", self.headings)] if self.headings else []
        lines += [self._row("td", row) for row in self.rows]
        table = f"<table>{''.join(lines)}</table>"
        return f'<div style="overflow-x:auto">{table}</div>'  # a phone scrolls only the table

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1])]
        for text, width in others:
            cells.append(text.ljust(width) if self.is_ragged else text.rjust(width))
        return "  ".join(cells).rstrip()

    def _row(self, tag: str, cells: Sequence[Cell]) -> str:
        sides = ["left"] + ["left" if self.is_ragged else "right;white-space:nowrap"] * (
            len(cells) - 1
        )
        marked = (
            f'<{tag} style="{_CELL.format(side=side)}">{html_of(cell)}</{tag}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(marked)}</tr>"


def html_of(thing: object) -> str:
    """An object as HTML: its own, or its escaped text.

    >>> html_of("<b>")
    '&lt;b&gt;'
    """
    return thing._repr_html_() if isinstance(thing, HasHtml) else escape(str(thing))
