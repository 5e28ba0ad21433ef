"""A check of a game's themes with positions in words."""

from positions import Table
from undercut.games.table.themes import themes_of


def themes(
    table: Table, played: str, better: str, answered: tuple[float, float] = (0.0, 0.0)
) -> set[str]:
    """The themes of a legal move beside a better one."""
    assert {played, better} <= {*table.legal()}, table.legal()
    parse = table.game.notation.parse_action
    moves = parse(played), parse(better)
    return {*themes_of(table.game, table.readable(), moves, answered)}
