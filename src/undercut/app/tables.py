"""The games one can sit down to at a terminal."""

from collections.abc import Callable
from dataclasses import dataclass

from undercut.app.gin_screen import GinScreen
from undercut.app.rummy_screen import RummyScreen
from undercut.app.screen import Screen
from undercut.app.session import Session
from undercut.core.errors import OptionsError
from undercut.core.game import Game
from undercut.core.spec import one_of
from undercut.games import gin, rummy


@dataclass(frozen=True)
class Table:
    """How a game is shown, and whom one meets there if nobody else is asked for."""

    screen: Callable[[Session], Screen]
    opponent: str  # the spec of an agent: strong, and quick enough to wait for


TABLES: dict[str, Table] = {
    gin.NAME: Table(GinScreen, "simple"),
    rummy.NAME: Table(RummyScreen, "heuristic"),
}
"""By the name of a rules module."""


def table_for(game: Game) -> Table:
    """The table of a game."""
    if game.rules.NAME not in TABLES:
        raise OptionsError(f"{game.name} has no terminal table: {one_of(TABLES)}")
    return TABLES[game.rules.NAME]


def open_screen(session: Session) -> Screen:
    """The screen of a session."""
    return table_for(session.game).screen(session)
