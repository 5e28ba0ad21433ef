"""The checked build of fused play: an illegal answer of a kernel agent stops its match.

Fused play trusts its agents, since a look at every answer would cost time. With UNDERCUT_CHECKED=1
in the environment `is_allowed` in the match loop is another kernel, one that looks.
"""

import os
from collections.abc import Callable
from functools import cache

from undercut.games.contract import Rules
from undercut.kernels.jit import hole, kernel, specialise
from undercut.kernels.records import Action, Buffer, Options, State


def is_checked() -> bool:
    """Whether the answers of kernel agents are looked at."""
    return os.environ.get("UNDERCUT_CHECKED") == "1"


def checker(rules: Rules, checked: bool | None = None) -> Callable[..., bool]:
    """What `is_allowed` is in the match loop of a game, by default that of the build."""
    return _checker(rules) if (is_checked() if checked is None else checked) else trust


@kernel
def trust(state: State, options: Options, action: Action, out: Buffer) -> bool:
    """What `is_allowed` is in the plain build; nothing is left of it there."""
    return True


@cache
def _checker(rules: Rules) -> Callable[..., bool]:
    return specialise(_check, rules.NAME, legal=rules.legal)


@hole
def legal(state: State, options: Options, out: Buffer) -> int: ...


def _check(state: State, options: Options, action: Action, out: Buffer) -> bool:
    """Whether an answer is legal; the rules are asked again, in case the agent wrote over it."""
    is_legal = False
    for i in range(legal(state, options, out)):
        is_legal |= out[i] == action
    return is_legal
