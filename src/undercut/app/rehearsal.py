"""A few actions that nobody sees, so that nothing has to be compiled while a person plays."""

from collections.abc import Sequence

from undercut.app.session import Session
from undercut.app.shown import Shown
from undercut.core.agent import AnyAgent
from undercut.games.contract import Game

REHEARSAL = 4  # a draw, a throw, and the same again after the other's turn


def rehearse(game: Game, opponents: Sequence[AnyAgent]) -> None:
    """Play the beginning of a match with these opponents, and describe it."""
    session = Session(game, opponents, seed=0)
    shown = Shown(session)
    for _ in range(REHEARSAL):
        if not session.is_deal_over:
            shown.rehearse()
            session.play(session.choices()[0])
