"""Estimates with their intervals as a picture for notebooks."""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _ROW, _LABELS, _MARGIN = 320, 24, 150, 26
_INK = "#1f5fd0"


class Row(NamedTuple):
    """A named value with its interval; None if there is too little data for one."""

    name: str
    value: float
    interval: tuple[float, float] | None


def draw_intervals(rows: Sequence[Row], reference: float, written: Callable[[float], str]) -> str:
    """A line from end to end of each interval, a dot at its value, and a line at the reference.

    >>> svg = draw_intervals([Row("simple", 0.52, (0.48, 0.56))], 0.5, "{:.0%}".format)
    >>> svg.count("<circle"), "52%" in svg, 'aria-label="simple 52% (48% to 56%)"' in svg
    (1, True, True)
    """
    ends = [end for row in rows for end in (row.value, *(row.interval or ()))] + [reference]
    low, high = min(ends), max(ends)
    spread = (high - low) or 1.0

    def place(value: float) -> float:
        share = (value - low) / spread
        return float(round(_LABELS + _MARGIN + share * (_WIDTH - 2 * _MARGIN), 1))

    bottom = len(rows) * _ROW + 4
    parts = [
        f'<line x1="{place(reference)}" x2="{place(reference)}" y1="2" y2="{bottom}"'
        ' stroke="currentColor" stroke-dasharray="3 3" opacity=".6"/>',
        *(_draw(row, 4 + number * _ROW, place, written) for number, row in enumerate(rows)),
        *(
            f'<text x="{place(value)}" y="{bottom + 13}" text-anchor="middle" font-size="11"'
            f' fill="currentColor" opacity=".75">{escape(written(value))}</text>'
            for value in dict.fromkeys((low, reference, high))
            if value == reference or abs(place(value) - place(reference)) > 40
        ),
    ]
    words = ", ".join(_in_words(row, written) for row in rows)
    width, height = _LABELS + _WIDTH, bottom + 20
    head = f'xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(words)}"'
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    font = 'font-family="system-ui,sans-serif" font-size="13"'
    return f"<svg {head} {size} {font}>{''.join(parts)}</svg>"


def _draw(
    row: Row, top: float, place: Callable[[float], float], written: Callable[[float], str]
) -> str:
    middle = top + _ROW / 2
    name = row.name if len(row.name) <= 20 else f"{row.name[:19]}…"
    title = f"<title>{escape(_in_words(row, written))}</title>"
    drawn = f'<text x="0" y="{middle + 4}" fill="currentColor">{escape(name)}</text>'
    if row.interval is not None:
        low, high = map(place, row.interval)
        drawn += (
            f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="{_INK}"'
            ' stroke-width="3" stroke-linecap="round" opacity=".55"/>'
        )
    return f'<g>{title}{drawn}<circle cx="{place(row.value)}" cy="{middle}" r="4.5" fill="{_INK}"/></g>'


def _in_words(row: Row, written: Callable[[float], str]) -> str:
    if row.interval is None:
        return f"{row.name} {written(row.value)}"
    low, high = map(written, row.interval)
    return f"{row.name} {written(row.value)} ({low} to {high})"
