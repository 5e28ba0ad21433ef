"""Which games can say what their cards were worth, so that luck can be taken out of results."""

from importlib import import_module

from undercut.games.contract import Game
from undercut.games.families import all_families
from undercut.play.luck import Luck
from undercut.text.errors import OptionsError
from undercut.text.spec import one_of


def luck_of(game: Game) -> Luck:
    """What takes luck out of the results of a game; an error for a game that has nothing for it."""
    if not game.family.luck:
        known = [name for each in all_families() if each.luck for name in each.rules.PRESETS]
        raise OptionsError(f"results of {game.name} cannot be adjusted for luck: {one_of(known)}")
    module, _, name = game.family.luck.partition(":")
    luck: Luck = getattr(import_module(module), name)
    return luck
