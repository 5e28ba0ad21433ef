"""Many matches advanced together, so that an agent decides for all of them in one call.

This is also how agents written in Python play: every answer is checked. The same seeds give the
same matches as fused play.
"""

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.agent import (
    Agent,
    BatchedAgent,
    KernelAgent,
    Random,
)
from undercut.core.cards import NONE
from undercut.core.errors import AgentError
from undercut.core.jit import UNBOUND, specialise
from undercut.core.records import new, pack
from undercut.games.contract import Game, Rules
from undercut.play.checked import refusal
from undercut.play.fused import fuse_rules

WIDTH = 1024  # matches advanced together

# Bound by `_lockstep_kernels`.
begin_match: Any = UNBOUND
advance: Any = UNBOUND
observe: Any = UNBOUND


def _begin_all(matches: Any, options: Any, generators: Any) -> None:
    for i in range(len(matches)):
        begin_match(matches[i], options, generators[i])


def _advance_all(
    matches: Any,
    states: Any,
    views: Any,
    options: Any,
    generators: Any,
    actions: Any,
    out: Any,
    counts: Any,
    traces: Any,
) -> None:
    """Apply one action in each match that goes on, and observe its next choice."""
    for i in range(len(matches)):
        if matches[i].is_over:
            continue
        counts[i] = advance(
            matches[i], states[i], options, generators[i], actions[i], out[i], traces[i]
        )
        if counts[i]:
            observe(states[i], options, int(states[i].seat), views[i])


@cache
def _lockstep_kernels(rules: Rules) -> SimpleNamespace:
    bound = vars(fuse_rules(rules))
    return SimpleNamespace(
        begin_all=specialise(_begin_all, rules.NAME, **bound),
        advance_all=specialise(_advance_all, rules.NAME, **bound),
    )


def play_in_lockstep(
    game: Game,
    agents: Sequence[Agent | BatchedAgent | KernelAgent],
    matches: Any,
    lineups: Any,
    traces: Any,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play an array of matches to their end; matches and traces are changed in place."""
    for first in range(0, len(matches), WIDTH):
        part = slice(first, first + WIDTH)
        _play_part(game, agents, matches[part], lineups[part], traces[part])
        if progress is not None:
            progress(len(matches[part]))


def _play_part(game: Game, agents: Sequence[Any], matches: Any, lineups: Any, traces: Any) -> None:
    rules, width, options = game.rules, len(matches), pack(game.options)
    kernels = _lockstep_kernels(rules)
    states, views = new(rules.STATE, width), new(rules.VIEW, width)
    generators = np.zeros((width, game.seats + 1), dtype=rng.GENERATOR).view(np.recarray)
    out = np.zeros((width, rules.LEGAL), dtype=np.int64)
    counts = np.zeros(width, dtype=np.int64)
    actions = np.full(width, NONE, dtype=np.int64)
    kernels.begin_all(matches, options, generators)
    while True:
        kernels.advance_all(
            matches, states, views, options, generators, actions, out, counts, traces
        )
        waiting = np.flatnonzero(matches.is_over == 0)
        if len(waiting) == 0:
            return
        seats = states.seat[waiting].astype(np.int64)
        players = lineups[waiting, seats]
        for player in np.unique(players):
            chosen = players == player
            rows, seat = waiting[chosen], seats[chosen]
            asked = (views[rows], out[rows], counts[rows], generators[rows, seat])
            actions[rows] = _ask(game, agents[player], *asked)
            generators[rows, seat] = asked[3]


def _ask(game: Game, agent: Any, views: Any, legal: Any, counts: Any, generators: Any) -> Any:
    """One agent's answers, checked; `generators` moves on."""
    try:
        if hasattr(agent, "act_batch"):
            answers = np.asarray(agent.act_batch(views, legal, counts, generators))
        else:
            answers = np.array(
                [
                    agent.act(view, row[:count].tolist(), Random(generator))
                    for view, row, count, generator in zip(
                        views, legal, counts, generators, strict=True
                    )
                ]
            )
    except Exception as error:
        raise AgentError(f"{agent.name} raised {type(error).__name__}: {error}") from error
    return _checked(game, agent, answers, legal, counts)


def _checked(game: Game, agent: Any, answers: Any, legal: Any, counts: Any) -> Any:
    if answers.shape != counts.shape:
        raise AgentError(
            f"{agent.name} answered with shape {answers.shape}, not with {len(counts)} actions"
        )
    places = np.arange(legal.shape[1])
    matching = (legal == answers[:, None]) & (places < counts[:, None])
    wrong = np.flatnonzero(~matching.any(axis=1))
    if len(wrong):
        first = wrong[0]
        allowed = legal[first, : counts[first]].tolist()
        raise refusal(game, agent, answers.tolist()[first], allowed)
    return answers
