"""A game that has ended, played once more."""

from typing import Literal

from undercut.app.store import Store
from undercut.app.stored_games import PLAYING, Stored, game_of
from undercut.play.secret_seeds import new_secret
from undercut.text.errors import IllegalAction
from undercut.text.translation import say

How = Literal["rematch", "same", "seats"]
"""With other cards, with the same, or with those of the seat before."""


def begin_again(store: Store, stored: Stored, how: How) -> Stored:
    """Keep a new game like another.

    Who plays the same cards again knows them, whoever had them: that is training. While a match is
    in play, only its one person may have them again, in training, and not from another seat.
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
