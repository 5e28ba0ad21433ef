"""The endings of a Pharaoh deal from one seat, for evaluations."""

from undercut.games.pharaoh.rules.layout import PLAY, Options, State
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Seat
from undercut.players.endings import Endings
from undercut.text.translation import mark


@kernel
def ending(state: State, options: Options, seat: Seat, gained: Buffer) -> int:
    """The number of the ending in ENDINGS: no seat is better, no seat is worse, or neither."""
    better = worse = 0
    for other in range(options.players):
        better += int(gained[other] > gained[seat])
        worse += int(gained[other] < gained[seat])
    if better == 0:
        return 0
    return 2 if worse == 0 else 1


@kernel
def is_answer(move: Action, reply: Action) -> bool:
    """Whether the next player has a card for what was played."""
    return move >= PLAY and reply >= PLAY


ENDINGS = Endings(
    (mark("first place"), mark("a place between"), mark("last place")),
    ending,
    is_answer,
    mark("the next player has a card to play"),
    per_place=2,  # [P 17]
)
