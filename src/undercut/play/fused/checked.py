"""Checks of kernel agents' actions: an illegal action stops its match.

On a CPU fused play checks every action in the first matches of a series; the others only compare
the match's number. With UNDERCUT_CHECKED=1 in the environment it checks all matches, on a GPU too.
"""

import os
from collections.abc import Callable
from functools import cache

from undercut.games.contract import Rules
from undercut.kernels.jit import hole, hole_value, kernel, specialise, specialise_cold
from undercut.kernels.records import Action, Buffer, Options, State

FIRST = 256  # matches of a series that are always checked on a CPU
ALL = 1 << 62


def is_checked() -> bool:
    """Whether this process checks every action of kernel agents."""
    return os.environ.get("UNDERCUT_CHECKED") == "1"


def checked_matches(device: str = "cpu") -> int:
    """The number of matches at the beginning of a series that are checked."""
    if is_checked():
        return ALL
    return FIRST if device == "cpu" else 0


@cache
def checker(rules: Rules, matches: int) -> Callable[..., bool]:
    """The kernel `is_allowed` for a game that checks this number of matches."""
    if matches == 0:
        return trust
    check = specialise_cold(_is_legal, rules.NAME, legal=rules.legal)
    return specialise(_is_allowed, f"{rules.NAME}_{matches}", is_legal=check, limit=matches)


@kernel
def trust(number: int, state: State, options: Options, action: Action, out: Buffer) -> bool:
    """`is_allowed` without checks; the compiler removes it."""
    return True


@hole
def legal(state: State, options: Options, out: Buffer) -> int: ...
@hole
def is_legal(state: State, options: Options, action: Action, out: Buffer) -> bool: ...


limit: int = hole_value()


def _is_allowed(number: int, state: State, options: Options, action: Action, out: Buffer) -> bool:
    return number >= limit or is_legal(state, options, action, out)


def _is_legal(state: State, options: Options, action: Action, out: Buffer) -> bool:
    """Whether an action is legal. Lists them again, since the agent may overwrite its list."""
    found = False
    for i in range(legal(state, options, out)):
        found |= out[i] == action
    return found
