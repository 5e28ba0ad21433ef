"""Agents for many tables, which share their settings in memory.

The settings of a network are megabytes. Every table has an agent with its own workspace, so that
agents can think at the same time. All agents of a spec share the rest.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.play.agent import AnyAgent, KernelAgent
from undercut.players.catalog import is_foreign, parse_agent

KINDS = 64  # the most specs whose settings stay in memory


def seat_agent(spec: str, game: Game) -> AnyAgent:
    """The agent of a spec, for one table."""
    if is_foreign(spec):
        return parse_agent(spec, game)  # its file may have changed, and a process cannot be shared
    shared = _shared(spec, game.name)
    return _with_own_space(shared) if isinstance(shared, KernelAgent) else parse_agent(spec, game)


@lru_cache(maxsize=KINDS)
def _shared(spec: str, game: str) -> AnyAgent:
    return parse_agent(spec, parse_game(game))


def _with_own_space(shared: KernelAgent) -> KernelAgent:
    agent = replace(shared)
    if shared.origin is not None:
        agent.come_from(shared.origin)
    options, settings, space = shared.packed
    vars(agent)["packed"] = options, settings, np.zeros_like(space)
    return agent
