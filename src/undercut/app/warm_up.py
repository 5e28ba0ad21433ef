"""Compilation before a match, so that nobody waits for the compiler during it."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal

from undercut.app.host import Host
from undercut.app.presentation import Shown
from undercut.app.session import Session, short_name
from undercut.games.contract import Game
from undercut.kernels.cache import cache_folder
from undercut.kernels.jit import COMPILED
from undercut.play.agent import AnyAgent, Random
from undercut.play.ask import ask
from undercut.play.deal import Deal
from undercut.play.records.seat_events import reads_events

_SECRET = "0" * 64  # of the hidden trial deal
ACTIONS = 4  # a draw and a discard, twice

Part = Literal["rules", "opponent", "table"]
Report = Callable[[int, int, Part, str], None]
"""A callback: parts ready, parts in all, the current part, and the name of its opponent."""


def rehearse(
    game: Game, players: Sequence[AnyAgent | None], report: Report = lambda *news: None
) -> None:
    """Play a few hidden actions; None is a person."""
    parts = [*_parts(game, players)]
    for ready, (part, name, prepare) in enumerate(parts):
        report(ready, len(parts), part, name)
        prepare()


def _parts(
    game: Game, players: Sequence[AnyAgent | None]
) -> Iterator[tuple[Part, str, Callable[[], None]]]:
    """The parts to compile, one after the other."""
    yield "rules", "", partial(_ask, game, None)
    agents = [agent for agent in players if agent is not None and not reads_events(agent)]
    for name, agent in {agent.name: agent for agent in agents}.items():
        yield "opponent", short_name(name), partial(_ask, game, agent)
    yield "table", "", partial(_sit_down, game, players)


def _ask(game: Game, agent: AnyAgent | None) -> None:
    """Deal from a secret, as for people, and let an agent act."""
    deal = Deal(game, _SECRET)
    view, legal = deal.observe(), deal.actions
    action = legal[0] if agent is None else ask(game, agent, view, legal, Random.from_seed(0))
    deal.apply(action)


def _sit_down(game: Game, players: Sequence[AnyAgent | None]) -> None:
    host = Host(game, players, seed=0)
    host.advance()
    for _ in range(ACTIONS):
        if host.on_turn is not None:
            session = Session.at(host, host.on_turn)
            Shown(session).rehearse()
            session.play(session.choices()[0])


def note_rehearsed(game: Game, players: Sequence[AnyAgent | None]) -> None:
    """Note beside the compiled kernels that a match with these players needs no other."""
    with suppress(OSError):
        note = _note(game, players)
        note.parent.mkdir(exist_ok=True)
        note.touch()


def is_rehearsed(game: Game, players: Sequence[AnyAgent | None]) -> bool:
    """Whether such a match starts without the compiler: it is off, or has done its work."""
    return not COMPILED or _note(game, players).exists()


def _note(game: Game, players: Sequence[AnyAgent | None]) -> Path:
    agents = sorted({agent.name for agent in players if agent is not None})
    key = "\0".join([game.family.name, *agents])
    return cache_folder() / "rehearsed" / hashlib.sha256(key.encode()).hexdigest()[:16]


def time_answers(game: Game, players: Sequence[AnyAgent | None]) -> float:
    """The seconds of the agents' slowest answer at the start of a hidden deal."""
    host = Host(game, players, seed=0)
    longest = _answer(host)
    for _ in range(ACTIONS):
        if host.on_turn is not None:
            host.play(host.on_turn, str(host.match.deal.legal[0]))
            longest = max(longest, _answer(host))
    return longest


def _answer(host: Host) -> float:
    start = time.monotonic()
    host.advance()
    return time.monotonic() - start
