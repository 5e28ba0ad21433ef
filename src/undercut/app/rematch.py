"""Another game with the players of an earlier one."""

from collections.abc import Mapping, Sequence
from typing import Literal

from undercut.app.store import Store
from undercut.app.stored_games import PLAYING, Stored, game_of
from undercut.games.contract import Game
from undercut.games.table.description import YOU
from undercut.play.secret_seeds import new_secret
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

How = Literal["rematch", "same", "seats", "weaker", "stronger"]
"""With new cards, the same cards, or those of the previous seat; or against another level."""

_STEPS: Mapping[How, int] = {"weaker": -1, "stronger": 1}


def other_levels(game: Game, players: Sequence[str]) -> tuple[How, ...]:
    """Whether there are weaker and stronger levels than those of the players."""
    return tuple(how for how in _STEPS if _at_level(game, players, how) is not None)


def _at_level(game: Game, players: Sequence[str], how: How) -> tuple[str, ...] | None:
    """The players with agents of the next level; None unless all of them have one."""
    levels = [level.name for level in game.family.levels]
    found = []
    for player in players:
        place = levels.index(player) + _STEPS[how] if player in levels else -1
        if player != YOU and not 0 <= place < len(levels):
            return None
        found.append(player if player == YOU else levels[place])
    return tuple(found) if found != [*players] else None


def begin_again(store: Store, stored: Stored, how: How) -> Stored:
    """Store a new game with the players of another.

    The players know the same cards already, so such a game is training. While a match is in play,
    only a person who trains alone may repeat its cards, and only from the same seat.
    """
    game = game_of(stored)
    alone = stored.training and len(stored.people) == 1
    if stored.state == PLAYING and (not alone or how == "seats"):
        raise IllegalAction(say("the match is still in play: its cards are not shown yet"))
    if how == "rematch":
        return store.begin(game, stored.players, new_secret(), stored.training)
    if how in _STEPS:
        if (others := _at_level(game, stored.players, how)) is None:
            raise IllegalAction(say("there is no other level"))
        return store.begin(game, others, new_secret(), stored.training)
    players = stored.players
    if how == "seats":
        players = (*players[-1:], *players[:-1])
    return store.begin(game, players, stored.seed, True, stored.pledge)
