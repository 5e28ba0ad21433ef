"""The scores of a match in lines of text."""

from collections.abc import Sequence

from rich.text import Text

from undercut.app.presentation import Shown
from undercut.app.session import Session
from undercut.app.terminal.colours import Lines
from undercut.text.translation import say


def totals(session: Session, shown: Shown, width: int) -> str:
    """The deal, the scores and the goal; if they do not fit, only the person's own score."""
    pairs = zip(shown.names, session.scores, strict=True)
    scores = [f"{name} {score}" for name, score in pairs]
    if sum(map(len, scores)) > width // 2:
        scores = [scores[session.person]]
    return " · ".join([say("Deal {deal}", deal=session.deal_number + 1), *scores, shown.goal])


def score_sheet(session: Session, names: Sequence[str], width: int) -> Lines:
    """The points of every deal, a column for each player."""
    rows: list[tuple[str, Sequence[object]]] = [("", names)]
    results = enumerate(session.results, start=1)
    rows += [(say("deal {deal}", deal=number), result.points) for number, result in results]
    rows.append((say("total"), session.scores))
    first = max(9, *(len(label) + 1 for label, _ in rows))
    widths = [max(8, len(name) + 2) for name in names]
    if 2 + first + sum(widths) > width:
        return _standings(session, names)
    lines = []
    for label, cells in rows:
        columns = zip(cells, widths, strict=True)
        cells_shown = "".join(str(cell).rjust(room) for cell, room in columns)
        lines.append(Text(f"  {label.ljust(first)}{cells_shown}"))
    return lines


def _standings(session: Session, names: Sequence[str]) -> Lines:
    """The totals one below the other, if a column for each player does not fit."""
    room = max(len(name) for name in names)
    pairs = zip(names, session.scores, strict=True)
    return [Text(f"  {name.ljust(room)}{score:>6}") for name, score in pairs]
