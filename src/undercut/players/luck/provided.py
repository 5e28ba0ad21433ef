"""Which games can say what their cards were worth, so that luck can be taken out of results."""

from undercut.games.contract import Game
from undercut.play.luck import Luck
from undercut.players.provided import provided


def luck_of(game: Game) -> Luck:
    """The luck of a game, by which results are adjusted; an error for a game that has none."""
    luck: Luck = provided(game, "luck", f"results of {game.name} cannot be adjusted for luck")
    return luck
