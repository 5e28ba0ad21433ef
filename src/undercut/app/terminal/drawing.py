"""A table in lines of text."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from rich.text import Text

from undercut.app.terminal.colours import WIDTH, Lines, Painter
from undercut.games.table.description import Area, Cards, Part

CELL = 4  # columns of a card in the hand
_INDENT = 11  # the column where cards begin, at least

Numbers = Mapping[str, int]  # the numbers of the playable cards of a hand


def draw_areas(areas: Iterable[Area], painter: Painter) -> Lines:
    """Areas of the table one below the other; areas of one kind start in the same column."""
    lines: Lines = []
    for kind, group in groupby(areas, key=lambda area: area.kind):
        shown = [area for area in group if any(_is_seen(part) for part in area.parts)]
        indent = max([_INDENT, *(len(area.label) + 2 for area in shown)])
        widths = _column_widths(shown) if kind == "places" else []
        for area in shown:
            if kind == "need":
                lines += _draw_need(area, indent, painter)
                continue
            drawn = [_draw_part(part, area, painter) for part in area.parts if _is_seen(part)]
            for text, width in zip(drawn, widths, strict=False):
                text.pad_right(width - len(text))
            start = _label(area.label, indent)
            lines += _noted(rows(start, _spaced(drawn, area), painter.width), area.note, painter)
    return lines


def draw_hand(
    groups: Sequence[Cards], area: Area, numbers: Numbers | None, painter: Painter
) -> Lines:
    """The person's hand and its count; each playable card has its number below."""
    cells: list[tuple[Text, Text]] = []
    for place, group in enumerate(groups):
        bar = "  │" if place else ""
        for card in group:
            number = 0 if numbers is None else numbers.get(card, 0)
            drawn = painter.choice(number, painter.card(card, CELL))
            above = Text().append(bar, style="dim").append_text(drawn)
            named = Text(str(number or "-").rjust(len(bar) + CELL), style="dim")
            named.pad_right(len(above) - len(named))
            cells.append((above, painter.choice(number, named)))
            bar = ""
    indent = max(_INDENT, len(area.label) + 2)
    start, lines = _label(area.label, indent), list[Text]()
    rows = _in_rows(cells, painter.width - indent)
    for row in rows:
        shown = [start.append_text(_join(above for above, _ in row))]
        if row is rows[-1]:
            shown = _noted(shown, area.note, painter)
        start = _label("", indent)
        if numbers is not None:
            shown.insert(1, start.copy().append_text(_join(below for _, below in row)))
        lines += shown
    return lines


def _in_rows(cells: list[tuple[Text, Text]], width: int) -> list[list[tuple[Text, Text]]]:
    """Cells in rows that fit the width; at least one row."""
    rows: list[list[tuple[Text, Text]]] = [[]]
    for cell in cells:
        used = sum(len(above) for above, _ in rows[-1])
        if rows[-1] and used + len(cell[0]) > width - 1:
            rows.append([])
        rows[-1].append(cell)
    return rows


def draw_names(hand: Iterable[str], painter: Painter) -> Lines:
    """The names of the cards of a hand."""
    named = [f"  {card} {painter.name(card)}" for card in hand]
    return rows(_label(""), [painter.sentence(name) for name in named], painter.width)


def offer(key: str, words: str, painter: Painter) -> Lines:
    """One choice in words, after its key."""
    start = f"  {key:>3}  "
    lines = painter.wrapped(start, words)
    lines[0].stylize("bold", 0, len(start))
    return [painter.choice(int(key), line) for line in lines] if key.isdecimal() else lines


def offer_cards(key: str, cards: Cards, painter: Painter) -> Text:
    """One choice that is only cards, after its key."""
    drawn = Text().append(f"  {key:>3}  ", style="bold").append_text(painter.cards(cards))
    return painter.choice(int(key), drawn)


def rows(start: Text, parts: Iterable[Text], width: int = WIDTH) -> Lines:
    """Parts side by side after `start`, in rows that fit the width."""
    lines: Lines = []
    indent = Text(" " * len(start))
    for piece in (each for part in parts for each in _pieces(part, width - 1 - len(indent))):
        if not lines or len(lines[-1]) + len(piece) > width - 1:
            lines.append((indent if lines else start).copy())
        lines[-1].append_text(piece)
    for line in lines:
        line.rstrip()
    return lines


def _pieces(part: Text, room: int) -> Lines:
    """A part, broken at spaces if it is wider than a row."""
    pieces: Lines = []
    while len(part) > room and (place := part.plain.rfind(" ", 1, room)) > 0:
        first, part = part.divide([place])
        pieces.append(first)
    return [*pieces, part]


def _label(word: str, indent: int = _INDENT) -> Text:
    """The label at the start of a line of the table."""
    return Text(f"  {word}".ljust(indent))


def _draw_need(area: Area, indent: int, painter: Painter) -> Lines:
    """A requirement for the person: words, in as many lines as they need."""
    start = f"  {area.label}".ljust(indent) + "  "
    lines = painter.wrapped(start, " ".join(part.before for part in area.parts))
    if area.is_urgent:
        lines[0].stylize("bold yellow", 0, len(start))
    return lines


def _is_seen(part: Part) -> bool:
    return bool(part.cards or part.before or part.after)


def _draw_part(part: Part, area: Area, painter: Painter) -> Text:
    if area.kind == "piles" and part.cards and not part.before:
        cards = _join(painter.card(card, CELL) for card in part.cards)
        return cards.append_text(painter.sentence(part.after))
    before = part.before.rjust(3) if area.kind == "melds" else part.before
    text = Text("  " if area.kind != "laid" else "").append_text(painter.sentence(before))
    if part.cards:
        text.append(" " if before else "").append_text(painter.cards(part.cards))
    text.append_text(painter.sentence(part.after))
    if part.is_out:
        text.stylize("dim")
    return text


def _spaced(drawn: Lines, area: Area) -> Lines:
    """The parts of an area with the space or bar between them."""
    if area.kind == "laid":
        first, *others = drawn
        bars = [Text().append(" │ ", style="dim").append_text(each) for each in others]
        return [Text("  ").append_text(first), *bars]
    if area.kind == "piles":
        return [Text("  " if place else "").append_text(each) for place, each in enumerate(drawn)]
    if area.kind == "players":
        width = max(len(each) for each in drawn) + 1
        for each in drawn:
            each.pad_right(width - len(each))
    return drawn


def _column_widths(areas: Sequence[Area]) -> list[int]:
    """The widths of the columns of areas that form a table."""
    columns = zip(*(area.parts for area in areas), strict=True)
    return [max(len(part.before) for part in column) + 3 for column in columns]


def _noted(lines: Lines, note: str, painter: Painter) -> Lines:
    """Lines with a note at the end, or below if it does not fit."""
    if not note:
        return lines
    if len(lines[-1]) + 3 + len(note) < painter.width:
        lines[-1].append(f"   {note}", style="bold")
        return lines
    return [*lines, _label("").append(f" {note}", style="bold")]


def _join(texts: Iterable[Text]) -> Text:
    return Text().join(texts)
