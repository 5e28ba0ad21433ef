"""What is done before a person sits down, so that nothing has to be compiled during a match."""

from collections.abc import Sequence

from undercut.app.host import Host
from undercut.app.session import Session
from undercut.app.shown import Shown
from undercut.core.agent import AnyAgent
from undercut.games.contract import Game

ACTIONS = 4  # a draw, a throw, and the same again after the other's turn


def rehearse(game: Game, players: Sequence[AnyAgent | None]) -> None:
    """Play a few actions that nobody sees; None is a person."""
    host = Host(game, players, seed=0)
    host.advance()
    for _ in range(ACTIONS):
        if host.on_turn is not None:
            session = Session.at(host, host.on_turn)
            Shown(session).rehearse()
            session.play(session.choices()[0])
