"""Optional hooks of a game that make it faster on a GPU."""

from collections.abc import Callable

from undercut.games.contract import Rules
from undercut.kernels.jit import kernel
from undercut.kernels.records import State

LATE = 1 << 20  # the pace of a deal's last stage, after the turns


@kernel
def no_pace(state: State) -> int:
    """The default pace: deals never synchronise."""
    return 0


def pace_of(rules: Rules) -> Callable[[State], int]:
    """A game's kernel `pace(state)`: its value changes where parallel games should synchronise."""
    pace: Callable[[State], int] = getattr(rules, "pace", no_pace)
    return pace


def lays_down(rules: Rules) -> bool:
    """A game's LAYS_DOWN: whether its deals end with a separate stage, of the pace LATE."""
    return bool(getattr(rules, "LAYS_DOWN", False))
