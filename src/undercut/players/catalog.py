"""Agents by spec: "simple", "thrifty:link=2", "beginner", "python:mybot.py:MyBot", "engine:./bot".

An agent is a file in the folder `players` of its game, and has the name of its file. `random` plays
every game. A level is an agent with settings, under a name of its own.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from undercut.games.contract import Family, Game
from undercut.games.families import parse_game
from undercut.kernels.records import Action, Buffer, Records, View
from undercut.play.agent import (
    AnyAgent,
    BatchedAgent,
    FromSpec,
    KernelAgent,
    Origin,
    Random,
    RecordAgent,
)
from undercut.play.explanation import Explanation
from undercut.players import random_agent
from undercut.players.entry import Declaration
from undercut.players.python_agent import Agent, ReadingAgent
from undercut.text.errors import AgentError, OptionsError, raised
from undercut.text.printable import printable
from undercut.text.spec import one_of, split_spec

PYTHON = "python:"
ENGINES = ("engine:", "engine[")  # an agent in another process: docs/protocol.md
_ENGINE = "undercut.adapters.engine.agent"  # it speaks of matches, so it stands above the players
RANDOM = "random"


def agent_names(family: Family) -> list[str]:
    """The agents of a game, in the order of the alphabet.

    >>> from undercut.games.families import find_family
    >>> agent_names(find_family("rummy"))[:2]
    ['blueprint', 'champion']
    """
    folder = importlib.import_module(f"{family.package}.players")
    found = pkgutil.iter_modules(folder.__path__)
    return sorted([RANDOM, *(module.name for module in found if not module.ispkg)])


def find_agent(family: Family, name: str) -> Declaration:
    """The declaration in the file of an agent."""
    if name == RANDOM:
        return random_agent.AGENT
    entry: Declaration = importlib.import_module(f"{family.package}.players.{name}").AGENT
    return entry


def all_agents(family: Family) -> dict[str, Declaration]:
    """Every agent of a game, by its name."""
    return {name: find_agent(family, name) for name in agent_names(family)}


def is_foreign(spec: str) -> bool:
    """Whether a spec loads a file or runs a command: never one that a stranger may give.

    >>> is_foreign("engine:node bot.js"), is_foreign("python:a.py:A"), is_foreign("simple")
    (True, True, False)
    """
    return spec.startswith((PYTHON, *ENGINES))


def parse_agent(spec: str, game: Game) -> AnyAgent:
    """The agent a spec names, made for a game. It can be pickled, copied and printed.

    >>> parse_agent("simple", parse_game("gin"))
    agent('simple', 'gin')
    """
    agent = _load(spec, game)
    if isinstance(agent, FromSpec):
        agent.come_from(Origin(_make_again, spec, game.name))
    return agent


def _load(spec: str, game: Game) -> AnyAgent:
    if spec.startswith(ENGINES):
        agent: AnyAgent = importlib.import_module(_ENGINE).load_engine(spec, game)
        return agent
    return _load_python(spec, game) if spec.startswith(PYTHON) else _make(spec, game)


def _make_again(spec: str, game: str) -> AnyAgent:
    """An agent that was pickled or copied."""
    return parse_agent(spec, parse_game(game))


def _make(spec: str, game: Game) -> AnyAgent:
    _, entry, fields = entry_of(spec, game)
    return entry.make(spec, game, fields)


def entry_of(spec: str, game: Game) -> tuple[str, Declaration, dict[str, str]]:
    """The name of an agent, what its file declares, and the settings that a spec gives it."""
    name, fields = split_spec(game.family.played_by(spec))
    names = agent_names(game.family)
    if name not in names:
        levels = {level.name: level.spec for level in game.family.levels}
        if name in levels:
            raise OptionsError(f"{spec}: a level has no settings; {name} is {levels[name]}")
        known = one_of([*names, *levels, "python:FILE:CLASS", "engine:COMMAND"], name)
        raise OptionsError(f"unknown agent {name!r} for {game.name}: {known}")
    return name, find_agent(game.family, name), fields


Explain: TypeAlias = Callable[[View, Sequence[Action], Random], Explanation | None]


class PythonAgent(FromSpec):
    """An agent of the user's own, as a spec has made it."""

    def __init__(self, spec: str, agent: RecordAgent) -> None:
        self.name, self.agent = printable(str(getattr(agent, "name", spec))), agent

    def act(self, view: View, legal: Sequence[Action], random: Random) -> Action:
        """Choose one of the legal actions."""
        return self.agent.act(view, legal, random)

    def explain(self, view: View, legal: Sequence[Action], random: Random) -> Explanation | None:
        """A decision and the reasons for it; None from an agent that gives none."""
        explain: Explain | None = getattr(self.agent, "explain", None)
        return None if explain is None else explain(view, legal, random)


class BatchedPythonAgent(FromSpec):
    """One of the user's own that decides for many games at once."""

    def __init__(self, spec: str, agent: BatchedAgent) -> None:
        self.name, self.agent = printable(str(getattr(agent, "name", spec))), agent

    def act_batch(
        self, views: Records, legal: Buffer, counts: Buffer, generators: Records
    ) -> Buffer:
        """One action for each view."""
        return self.agent.act_batch(views, legal, counts, generators)


def _load_python(
    spec: str, game: Game
) -> PythonAgent | BatchedPythonAgent | KernelAgent | ReadingAgent:
    """An agent of the user's own: python:FILE.py:NAME or python:MODULE:NAME."""
    source, _, name = spec.removeprefix(PYTHON).rpartition(":")
    if not source or not name:
        raise OptionsError(f"not an agent: {spec!r} (write python:FILE.py:CLASS)")
    try:
        module = _import(source)
        made = getattr(module, name)
        agent = made() if isinstance(made, type) else made
    except (ImportError, OSError, AttributeError) as error:
        raise OptionsError(f"cannot load {spec!r}: {error}") from None
    except Exception as error:
        raise AgentError(f"loading {spec!r} raised {raised(error)}") from error
    if isinstance(agent, KernelAgent):
        return replace(agent)  # as one of this spec
    if isinstance(agent, Agent):
        return ReadingAgent(agent, game)
    if hasattr(agent, "act_batch"):
        return BatchedPythonAgent(spec, agent)
    if hasattr(agent, "act"):
        return PythonAgent(spec, agent)
    raise OptionsError(f"{spec!r} is not an agent: it has neither act nor act_batch")


def _import(source: str) -> ModuleType:
    if not source.endswith(".py"):
        return importlib.import_module(source)
    location = importlib.util.spec_from_file_location(Path(source).stem, source)
    if location is None or location.loader is None:
        raise ImportError(f"no Python file {source!r}")
    module = importlib.util.module_from_spec(location)
    location.loader.exec_module(module)
    return module
