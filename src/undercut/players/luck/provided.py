"""The games whose results can be adjusted for luck."""

from undercut.games.contract import Game
from undercut.play.luck import Luck
from undercut.players.provided import provided


def luck_of(game: Game) -> Luck:
    """The luck of a game; an error for a game without one."""
    luck: Luck = provided(game, "luck", f"results of {game.name} cannot be adjusted for luck")
    return luck
