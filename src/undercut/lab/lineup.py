"""A line-up that can play on another machine: its specs, and the files that they name."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.cache import cache_folder
from undercut.play.agent import AnyAgent, FromSpec
from undercut.players.catalog import PYTHON, is_foreign, parse_agent
from undercut.text import files
from undercut.text.errors import AgentError
from undercut.text.spec import split_spec

CAME_ALONG = "came-along"  # in the cache folder: agents and models from other machines


@dataclass(frozen=True)
class Line:
    """A game and the agents that play it, as text."""

    game: str
    specs: tuple[str, ...]  # of the agents, each once
    order: tuple[int, ...]  # for each place at the table, the index of its spec
    files: tuple[tuple[str, bytes], ...]  # path and content of each file that a spec names

    @classmethod
    def of(cls, game: Game, agents: Sequence[AnyAgent]) -> "Line":
        once = list({id(agent): agent for agent in agents}.values())
        places = [next(i for i, each in enumerate(once) if each is agent) for agent in agents]
        specs = tuple(map(_spec, once))
        named = {path for spec in specs for path in _files(spec)}
        content = tuple((path, Path(path).read_bytes()) for path in sorted(named))
        return cls(game.name, specs, tuple(places), content)


def _spec(agent: AnyAgent) -> str:
    if not isinstance(agent, FromSpec) or agent.origin is None:
        raise AgentError(f"{agent.name}: only an agent made from a spec can play elsewhere")
    return agent.origin.spec


def _files(spec: str) -> Iterator[str]:
    """The files that a spec names; a model without folder or ending belongs to the package."""
    source, model = _sources(spec)
    if source.endswith(".py"):
        yield source
    if ("." in model or os.sep in model) and Path(model).is_file():
        yield model


def _sources(spec: str) -> tuple[str, str]:
    """FILE of python:FILE:CLASS, and FILE of model=FILE; "" if there is none."""
    if spec.startswith(PYTHON):
        return spec.removeprefix(PYTHON).rpartition(":")[0], ""
    return "", "" if is_foreign(spec) else split_spec(spec)[1].get("model", "")


@lru_cache(maxsize=64)
def sit_down(line: Line) -> tuple[Game, list[AnyAgent]]:
    """The game and its agents; places that shared an agent share one again."""
    game = parse_game(line.game)
    names = dict(line.files)
    once = [parse_agent(_with_files(spec, names), game) for spec in line.specs]
    return game, [once[place] for place in line.order]


def _with_files(spec: str, content: dict[str, bytes]) -> str:
    """The spec with the paths of copies of its files."""
    for path in {*_sources(spec)} & content.keys():
        spec = spec.replace(path, str(_copy(Path(path).name, content[path])))
    return spec


def _copy(name: str, content: bytes) -> Path:
    """The path of a copy, which each machine writes once."""
    digest = hashlib.sha256(content).hexdigest()[:32]
    path = cache_folder() / CAME_ALONG / digest / name
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_bytes(path, content)
    return path
