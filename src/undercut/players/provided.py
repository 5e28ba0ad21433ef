"""The encoding, the belief and the luck that a family may name."""

from importlib import import_module
from typing import Any

from undercut.games.contract import Game
from undercut.games.families import all_families
from undercut.text.errors import OptionsError
from undercut.text.spec import one_of


def provided(game: Game, field: str, refusal: str) -> Any:
    """The object that a field of the family names as `module:name`; an error for a game without it."""
    path: str = getattr(game.family, field)
    if not path:
        known = [
            name for each in all_families() if getattr(each, field) for name in each.rules.PRESETS
        ]
        raise OptionsError(f"{refusal}: {one_of(known)}")
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
