"""The games one can sit down to at a terminal."""

from collections.abc import Callable
from dataclasses import dataclass

from undercut.app.session import Session
from undercut.app.terminal.gin.screen import GinScreen
from undercut.app.terminal.pharaoh.screen import PharaohScreen
from undercut.app.terminal.rummy.screen import RummyScreen
from undercut.app.terminal.screen import Screen
from undercut.core.errors import OptionsError
from undercut.core.german import LANGUAGES
from undercut.core.spec import one_of
from undercut.games.contract import Game
from undercut.games.gin import rules as gin
from undercut.games.pharaoh import rules as pharaoh
from undercut.games.rummy import rules as rummy


@dataclass(frozen=True)
class Table:
    """How a game is shown, and whom one meets there if nobody else is asked for."""

    screen: Callable[..., Screen]  # (session), and the language where there are any
    opponent: str  # the spec of an agent: strong, and quick enough to wait for
    languages: tuple[str, ...] = ()  # in which its cards have names


TABLES: dict[str, Table] = {
    gin.NAME: Table(GinScreen, "simple"),
    rummy.NAME: Table(RummyScreen, "heuristic"),
    pharaoh.NAME: Table(PharaohScreen, "heuristic", LANGUAGES),
}
"""By the name of a rules module."""


def table_for(game: Game) -> Table:
    """The table of a game."""
    if game.rules.NAME not in TABLES:
        raise OptionsError(f"{game.name} has no terminal table: {one_of(TABLES)}")
    return TABLES[game.rules.NAME]


def check_language(game: Game, language: str | None) -> None:
    """Raise an error if the cards of a game have no names in a language."""
    table = table_for(game)
    if language is None or language in table.languages:
        return
    if table.languages:
        raise OptionsError(f"unknown language {language!r}: {one_of(table.languages)}")
    named = ", ".join(name for name, other in TABLES.items() if other.languages)
    raise OptionsError(
        f"language {language!r} is for {named}: the cards of {game.name} have no names"
    )


def open_screen(session: Session, language: str | None = None) -> Screen:
    """The screen of a session; with a language, cards are also called by their names."""
    screen = table_for(session.game).screen
    return screen(session, language) if language else screen(session)
