"""Agents by spec: "simple", "thrifty:link=2", "python:mybot.py:MyBot"."""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from undercut.core.agent import (
    NO_SETTINGS,
    Agent,
    BatchedAgent,
    KernelAgent,
    Parts,
)
from undercut.core.errors import AgentError, OptionsError
from undercut.core.spec import Option, one_of, options_of, replace_fields, split_spec
from undercut.games import random_agent as random
from undercut.games.contract import Game
from undercut.games.gin.agents import (
    estimator,
    heuristic,
    simple,
    thrifty,
)
from undercut.games.gin.belief.network import load_network
from undercut.games.gin.strategy import parts as heuristic_parts
from undercut.games.pharaoh.agents import annoying as pharaoh_annoying
from undercut.games.pharaoh.agents import heuristic as pharaoh_heuristic
from undercut.games.pharaoh.agents import mcts as pharaoh_mcts
from undercut.games.pharaoh.strategy import tuples as pharaoh_tuples
from undercut.games.rummy.agents import (
    greedy as rummy_greedy,
)
from undercut.games.rummy.agents import (
    heuristic as rummy_heuristic,
)
from undercut.games.rummy.agents import (
    mcts as rummy_mcts,
)
from undercut.games.rummy.agents import (
    restricted as rummy_restricted,
)
from undercut.games.rummy.strategy import restrictions as rummy_restrictions
from undercut.search.timed import TimedAgent

PYTHON = "python:"


@dataclass(frozen=True)
class Entry:
    """A kernel agent that a spec can name."""

    about: str  # how it plays, in a card player's words
    choose: Callable[..., int]
    settings: Any = NO_SETTINGS  # what it plays with unless its spec says otherwise
    workspace: int = 0
    model: str = ""  # the network it plays with unless another is named: model=FILE
    parts: Parts | None = None
    looks: bool = True  # whether it ever reads its view
    presets: Mapping[str, Any] = field(default_factory=dict)
    """Settings that have a name, which a spec may begin from: settings=NAME. What it plays with
    unless its spec says otherwise is among them, if there are any."""

    @property
    def options(self) -> dict[str, Option]:
        """The settings that a spec can change."""
        return options_of(type(self.settings))


_RANDOM = Entry("Plays any legal action.", random.choose, looks=False)
_PAPER_PRESETS = {"printed": heuristic.Settings(), "published": heuristic.PUBLISHED}

ENTRIES: dict[str, dict[str, Entry]] = {
    "gin": {
        "random": _RANDOM,
        "simple": Entry(
            "The competition's SimpleGinRummyPlayer: takes what makes a meld, throws what leaves "
            "least deadwood, knocks at once.",
            simple.choose,
            simple.Settings(),
            simple.WORKSPACE,
        ),
        "patient": Entry(
            "As simple, but goes out only with gin.",
            simple.choose,
            simple.Settings(knock_at=0),
            simple.WORKSPACE,
        ),
        "thrifty": Entry(
            "Takes only what lowers deadwood, throws high cards without friends, knocks at once.",
            thrifty.choose,
            thrifty.Settings(),
            thrifty.WORKSPACE,
        ),
        "heuristic": Entry(
            "The paper's player: keeps cards that may still become melds, throws what its "
            "opponent has least use for, knocks at once.",
            heuristic.choose,
            heuristic.Settings(),
            heuristic.WORKSPACE,
            parts=heuristic_parts.COUNTING,
            presets=_PAPER_PRESETS,
        ),
        "published": Entry(
            "The same with the numbers and rules of the agent that the paper's authors published.",
            heuristic.choose,
            heuristic.PUBLISHED,
            heuristic.WORKSPACE,
            parts=heuristic_parts.COUNTING,
            presets=_PAPER_PRESETS,
        ),
        "estimator": Entry(
            "The paper's final player: as published, but guesses the other hand with a trained "
            "network, model=FILE.",
            estimator.choose,
            estimator.PUBLISHED,
            estimator.WORKSPACE,
            model="paper",
            parts=heuristic_parts.NETWORK,
            presets={"printed": estimator.PRINTED, "published": estimator.PUBLISHED},
        ),
    },
    "rummy": {
        "random": _RANDOM,
        "restricted": Entry(
            "Plays any action that the four agent-only restrictions leave.",
            rummy_restricted.choose,
            rummy_restrictions.ALL,
            rummy_restricted.WORKSPACE,
        ),
        "greedy": Entry(
            "Takes what it can put down at once, puts everything down, throws its highest card.",
            rummy_greedy.choose,
            rummy_restrictions.Restrictions(),
            rummy_greedy.WORKSPACE,
        ),
        "heuristic": Entry(
            "Counts cards: keeps what can still become melds, throws what nobody can use.",
            rummy_heuristic.choose,
            rummy_heuristic.Settings(),
            rummy_heuristic.WORKSPACE,
        ),
        "mcts": Entry(
            "Searches: deals the hidden cards many times over and plays each round to its end.",
            rummy_mcts.choose,
            rummy_mcts.Settings(),
            rummy_mcts.WORKSPACE,
        ),
    },
    "pharaoh": {
        "random": _RANDOM,
        "biggest": Entry(
            "Plays the most cards it can.", pharaoh_tuples.choose_biggest, looks=False
        ),
        "smallest": Entry(
            "Of the values it can play, plays all of the one it has fewest cards of.",
            pharaoh_tuples.choose_smallest,
            looks=False,
        ),
        "annoying": Entry(
            "Leaves the top card that the next player is least likely to match.",
            pharaoh_annoying.choose,
        ),
        "heuristic": Entry(
            "Counts cards: saves overs and leaves-under, and stops players who are close.",
            pharaoh_heuristic.choose,
            pharaoh_heuristic.Settings(),
        ),
        "mcts": Entry(
            "Searches: deals the hidden cards many times over and plays each deal to its end.",
            pharaoh_mcts.choose,
            pharaoh_mcts.DEFAULTS,
            pharaoh_mcts.WORKSPACE,
        ),
    },
}
"""By the name of a rules module, then of the agent."""


def parse_agent(spec: str, game: Game) -> Agent | BatchedAgent | KernelAgent:
    """The agent a spec names, made for a game."""
    if spec.startswith(PYTHON):
        return _load_python(spec)
    name, fields = split_spec(spec)
    entries = ENTRIES[game.rules.NAME]
    if name not in entries:
        raise OptionsError(
            f"unknown agent {name!r} for {game.name}: {one_of(entries)}, or python:FILE:CLASS"
        )
    entry = entries[name]
    model = fields.pop("model", entry.model) if entry.model else ""
    settings = _preset(entry, name, fields.pop("settings", "")) if entry.presets else entry.settings
    settings = replace_fields(settings, fields, name)
    if model:
        settings = settings._replace(weights=load_network(model).weights)
    agent = KernelAgent(
        spec, entry.choose, game.options, settings, entry.workspace, entry.parts, entry.looks
    )
    return TimedAgent(spec, agent) if getattr(settings, "seconds", 0) else agent


def _preset(entry: Entry, owner: str, name: str) -> Any:
    """The settings with a name; without one, what the agent usually plays with."""
    if not name:
        return entry.settings
    if name not in entry.presets:
        raise OptionsError(f"unknown settings {name!r} of {owner}: {one_of(entry.presets)}")
    return entry.presets[name]


def _load_python(spec: str) -> Agent | BatchedAgent:
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
        raise AgentError(f"loading {spec!r} raised {type(error).__name__}: {error}") from error
    if not hasattr(agent, "act") and not hasattr(agent, "act_batch"):
        raise OptionsError(f"{spec!r} is not an agent: it has neither act nor act_batch")
    if not hasattr(agent, "name"):
        agent.name = spec
    return agent


def _import(source: str) -> Any:
    if not source.endswith(".py"):
        return importlib.import_module(source)
    location = importlib.util.spec_from_file_location(Path(source).stem, source)
    if location is None or location.loader is None:
        raise ImportError(f"no Python file {source!r}")
    module = importlib.util.module_from_spec(location)
    location.loader.exec_module(module)
    return module
