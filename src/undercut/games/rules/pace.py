"""What a game may say to be quicker on a GPU; one that says nothing plays there all the same."""

from collections.abc import Callable

from undercut.games.contract import Rules
from undercut.kernels.jit import kernel
from undercut.kernels.records import State

LATE = 1 << 20  # the pace of the last stage of a deal, after the turns


@kernel
def no_pace(state: State) -> int:
    """The pace of a game that has none."""
    return 0


def pace_of(rules: Rules) -> Callable[[State], int]:
    """`pace(state)` of a game: it changes where games played side by side should fall into step."""
    pace: Callable[[State], int] = getattr(rules, "pace", no_pace)
    return pace


def lays_down(rules: Rules) -> bool:
    """Whether deals end with a stage of their own, of the pace LATE: LAYS_DOWN of a game."""
    return bool(getattr(rules, "LAYS_DOWN", False))
