"""Another game with the players of an earlier one."""

from typing import Literal

from undercut.app.store import Store
from undercut.app.stored_games import PLAYING, Stored, game_of
from undercut.play.secret_seeds import new_secret
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

How = Literal["rematch", "same", "seats"]
"""With new cards, with the same cards, or with those of the previous seat."""


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
    players = stored.players
    if how == "seats":
        players = (*players[-1:], *players[:-1])
    return store.begin(game, players, stored.seed, True, stored.pledge)
