"""The ways in which a deal can end, as an evaluation counts them from one seat."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from undercut.games.contract import Game
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Options, Seat, State
from undercut.text.translation import mark


@kernel
def _by_points(state: State, options: Options, seat: Seat, gained: Buffer) -> int:
    """0 if the seat has the most points alone, 2 if another seat has more, otherwise 1."""
    place = 0
    for other in range(len(gained)):
        if other != seat:
            if gained[other] > gained[seat]:
                return 2
            if gained[other] == gained[seat]:
                place = 1
    return place


@kernel
def never_answered(move: Action, reply: Action) -> bool:
    """`is_answer` of a game without answers to a move."""
    return False


@dataclass(frozen=True)
class Endings:
    """The endings of a game, and the reply that takes a thrown card."""

    names: tuple[str, ...]
    ending: Callable[..., int]  # (state, options, seat, gained): the number of a name
    is_answer: Callable[[Action, Action], bool] = never_answered  # (move, reply)
    answer: str = ""  # the name of such a reply
    per_place: int = 0
    """The points for each seat behind, in a game that scores places and nothing else."""


PLAIN = Endings((mark("most points"), mark("equal points"), mark("fewer points")), _by_points)


def endings_of(game: Game) -> Endings:
    """The endings that a family names as `module:name`, by default three by points."""
    path = game.family.endings
    if not path:
        return PLAIN
    module, _, name = path.partition(":")
    found: Endings = getattr(import_module(module), name)
    return found
