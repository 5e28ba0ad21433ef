"""The table at the end of a deal: cards that lay face down are turned up."""

from collections.abc import Sequence
from dataclasses import replace

from undercut.games.table.description import Area, Cards, Part, Table


def turn_up(table: Table, hands: Sequence[Cards]) -> Table:
    """A table with the hands of all players, by seat, in place of their cards face down."""
    return replace(table, areas=tuple(_turned(area, hands) for area in table.areas))


def _turned(area: Area, hands: Sequence[Cards]) -> Area:
    if area.kind != "players":
        return area
    return replace(area, parts=tuple(_open(part, hands) for part in area.parts))


def _open(part: Part, hands: Sequence[Cards]) -> Part:
    if not hands or part.seat is None or not part.face_down:
        return part
    return replace(part, cards=hands[part.seat], face_down=0, role="loose")
