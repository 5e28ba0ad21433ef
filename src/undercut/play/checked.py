"""The checked build of fused play: an illegal answer of a kernel agent stops its match.

Fused play trusts its agents, since a look at every answer would cost time. With UNDERCUT_CHECKED=1
in the environment `is_allowed` in the match loop is another kernel, one that looks.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from undercut.core.errors import AgentError
from undercut.core.jit import UNBOUND, kernel, specialise
from undercut.core.records import (
    Action,
    Buffer,
    Options,
    State,
)
from undercut.games.contract import Game, Rules

WRONG = 2  # what `is_over` says of a match that was stopped

legal: Any = UNBOUND  # bound by `_checker`


def is_checked() -> bool:
    """Whether the answers of kernel agents are looked at."""
    return os.environ.get("UNDERCUT_CHECKED") == "1"


def checker(rules: Rules) -> Callable[..., bool]:
    """What `is_allowed` is in the match loop of a game."""
    return _checker(rules) if is_checked() else trust


def trace_room(rules: Rules) -> int:
    """How long the trace of a match must be, to hold what was legal when it was stopped."""
    return rules.LEGAL + 1 if is_checked() else 0


@kernel
def trust(
    match: Any, state: State, options: Options, action: Action, out: Buffer, trace: Buffer
) -> bool:
    """What `is_allowed` is in the plain build; nothing is left of it there."""
    return True


@cache
def _checker(rules: Rules) -> Callable[..., bool]:
    return specialise(_check, rules.NAME, legal=rules.legal)


def _check(
    match: Any, state: State, options: Options, action: Action, out: Buffer, trace: Buffer
) -> bool:
    """Whether an answer is legal. If not, the match is over, and keeps what `refuse_wrong` tells.

    The rules are asked again, in case that the agent has written over what it was given.
    """
    count = legal(state, options, out)
    for i in range(count):
        if out[i] == action:
            return True
    match.is_over = WRONG
    match.gained[0] = action
    match.gained[1] = state.seat
    if count < len(trace):
        trace[0] = count
        for i in range(count):
            trace[1 + i] = out[i]
    return False


def refuse_wrong(
    game: Game, agents: Sequence[Any], matches: Any, lineups: Any, traces: Any
) -> None:
    """Raise for the first match that was stopped, if there is one."""
    wrong = np.flatnonzero(matches.is_over == WRONG)
    if len(wrong):
        first = wrong[0]
        answer, seat = matches.gained[first, :2].tolist()
        allowed = traces[first, 1 : 1 + traces[first, 0]].tolist()
        raise refusal(game, agents[lineups[first, seat]], answer, allowed)


def refusal(game: Game, agent: Any, answer: Any, allowed: Sequence[Action]) -> AgentError:
    """The error for an agent's answer that is not legal."""
    texts = ", ".join(game.notation.format_action(action) for action in allowed)
    return AgentError(f"{agent.name} answered {answer!r}, which is not legal: {texts}")
