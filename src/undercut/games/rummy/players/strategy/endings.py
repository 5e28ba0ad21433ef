"""The endings of a Rummy round from one seat, for evaluations."""

from undercut.games.rummy.rules.layout import DRAW, TAKE, Options, Outcome, State
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Seat
from undercut.players.endings import Endings
from undercut.text.translation import mark


@kernel
def ending(state: State, options: Options, seat: Seat, gained: Buffer) -> int:
    """The number of the ending in ENDINGS."""
    if state.outcome == Outcome.TIE:
        return 4
    is_rummy = int(state.outcome == Outcome.RUMMY)
    return is_rummy if state.winner == seat else 2 + is_rummy


@kernel
def is_answer(move: Action, reply: Action) -> bool:
    """Whether the other seat takes the card that a discard has put on the pile."""
    return move < DRAW and reply == TAKE


ENDINGS = Endings(
    (
        mark("you go out"),
        mark("you go out at once"),
        mark("the other goes out"),
        mark("the other goes out at once"),
        mark("tied round"),
    ),
    ending,
    is_answer,
    mark("the thrown card is taken"),
)
