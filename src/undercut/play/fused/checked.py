"""The checked build of fused play: an illegal action of a kernel agent stops its match.

By default fused play trusts its agents, because checking every action costs time. With
UNDERCUT_CHECKED=1 in the environment, the match loop is compiled with an `is_allowed` that checks.
"""

import os
from collections.abc import Callable
from functools import cache

from undercut.games.contract import Rules
from undercut.kernels.jit import hole, kernel, specialise
from undercut.kernels.records import Action, Buffer, Options, State


def is_checked() -> bool:
    """Whether this process checks the actions of kernel agents."""
    return os.environ.get("UNDERCUT_CHECKED") == "1"


def checker(rules: Rules, checked: bool | None = None) -> Callable[..., bool]:
    """The kernel `is_allowed` for a game; `checked` overrides the environment."""
    return _checker(rules) if (is_checked() if checked is None else checked) else trust


@kernel
def trust(state: State, options: Options, action: Action, out: Buffer) -> bool:
    """`is_allowed` of the default build; the compiler removes it."""
    return True


@cache
def _checker(rules: Rules) -> Callable[..., bool]:
    return specialise(_check, rules.NAME, legal=rules.legal)


@hole
def legal(state: State, options: Options, out: Buffer) -> int: ...


def _check(state: State, options: Options, action: Action, out: Buffer) -> bool:
    """Whether an action is legal. Lists them again, since the agent may overwrite its list."""
    is_legal = False
    for i in range(legal(state, options, out)):
        is_legal |= out[i] == action
    return is_legal
