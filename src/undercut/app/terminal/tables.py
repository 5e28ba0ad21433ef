"""The games one can sit down to at a terminal: those whose family names a screen."""

import importlib
from collections.abc import Callable

from undercut.app.session import Session
from undercut.app.terminal.screen import Screen
from undercut.core.errors import OptionsError
from undercut.core.spec import one_of
from undercut.games.contract import Game
from undercut.games.families import all_families


def screen_for(game: Game) -> Callable[..., Screen]:
    """How a game is shown: called with a session, and the language where there are any."""
    if not game.family.screen:
        shown = one_of(family.name for family in all_families() if family.screen)
        raise OptionsError(f"{game.name} has no terminal table: {shown}")
    module, _, name = game.family.screen.partition(":")
    screen: Callable[..., Screen] = getattr(importlib.import_module(module), name)
    return screen


def check_language(game: Game, language: str | None) -> None:
    """Raise an error if the cards of a game have no names in a language."""
    languages = game.family.languages
    if language is None or language in languages:
        return
    if languages:
        raise OptionsError(f"unknown language {language!r}: {one_of(languages)}")
    named = ", ".join(family.name for family in all_families() if family.languages)
    raise OptionsError(
        f"language {language!r} is for {named}: the cards of {game.name} have no names"
    )


def open_screen(session: Session, language: str | None = None) -> Screen:
    """The screen of a session; with a language, cards are also called by their names."""
    screen = screen_for(session.game)
    return screen(session, language) if language else screen(session)
