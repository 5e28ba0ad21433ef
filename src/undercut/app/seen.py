"""What a person sees of an action, by game: what records tell of it may be too little."""

from collections.abc import Callable

from undercut.core.records import Action, Seat, View
from undercut.games.contract import Game
from undercut.games.gin import describe as gin_describe
from undercut.games.gin import rules as gin
from undercut.games.pharaoh import describe as pharaoh_describe
from undercut.games.pharaoh import rules as pharaoh
from undercut.games.rummy import describe as rummy_describe
from undercut.games.rummy import rules as rummy

SEEN: dict[str, Callable[[Action, View, View, Seat], str]] = {
    gin.NAME: gin_describe.format_seen,
    rummy.NAME: rummy_describe.format_seen,
    pharaoh.NAME: pharaoh_describe.format_seen,
}
"""By the name of a rules module; a game that is not here tells a person what a record tells."""


def format_seen(game: Game, action: Action, before: View, after: View, seat: Seat) -> str:
    """An action of `seat`, as one who looked on before and after it can tell it."""
    see = SEEN.get(game.rules.NAME)
    return see(action, before, after, seat) if see else game.notation.format_told(action, after)
