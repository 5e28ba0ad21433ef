"""The endings of a Gin deal from one seat, for evaluations."""

from undercut.games.gin.rules.layout import KNOCK, TAKE, Options, Outcome, State
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Seat
from undercut.players.endings import Endings
from undercut.text.translation import mark


@kernel
def ending(state: State, options: Options, seat: Seat, gained: Buffer) -> int:
    """The number of the ending in ENDINGS."""
    if state.outcome == Outcome.VOID:
        return 6
    is_mine = int(state.knocker == seat)
    if state.outcome == Outcome.GIN:
        return 3 - 3 * is_mine
    if state.outcome == Outcome.KNOCK:
        return 4 - 3 * is_mine
    return 2 + 3 * is_mine  # an undercut is won by the seat that did not knock


@kernel
def is_answer(move: Action, reply: Action) -> bool:
    """Whether the other seat takes the card that a discard has put on the pile."""
    return move < KNOCK and reply == TAKE


ENDINGS = Endings(
    (
        mark("own gin"),
        mark("own knock"),
        mark("undercut by you"),
        mark("the other's gin"),
        mark("the other's knock"),
        mark("undercut by the other"),
        mark("void deal"),
    ),
    ending,
    is_answer,
    mark("the thrown card is taken"),
)
