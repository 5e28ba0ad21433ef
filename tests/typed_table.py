"""A terminal of our own: lines go in, everything shown is kept; and deals put together by hand."""

import copy
import io
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from rich.console import Console

from undercut.app.session import Session
from undercut.app.terminal.table import Terminal, invite
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import new, pack
from undercut.play.agent import Random


class Table:
    """A match at a terminal."""

    def __init__(
        self,
        spec: str = "gin:first_starter=0",
        seed: int = 1,
        width: int = 80,
        opponents: Iterable[str] = (),
    ) -> None:
        game, agents = invite(spec, [*opponents] or [parse_game(spec).family.opponent])
        self.session = Session(game, agents, seed)
        self.file = io.StringIO()
        self.console = Console(file=self.file, width=width, highlight=False)

    def run(self, read: Callable[[str], str]) -> str:
        Terminal(self.session, self.console, read).run()
        return self.file.getvalue()

    def type(self, *lines: str) -> str:
        """Type lines, then Ctrl-D; return what was shown after the first question."""
        waiting = iter(lines)
        start = 0

        def read(prompt: str) -> str:
            nonlocal start
            start = start or len(self.file.getvalue())
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        return self.run(read)[start:]

    def place(self, state: Any) -> "Table":
        """Put a position on the table in place of the deal."""
        self.session.events.clear()
        put_down(self.session, Position(self.session.game, state))
        return self


def pressing(key: str) -> Callable[[str], str]:
    """Someone who always gives the same answer, and Enter between deals."""
    return lambda prompt: "" if prompt.startswith("Enter") else key


def reader(lines: Iterable[str]) -> Callable[[str], str]:
    """Someone who types the given lines and then leaves."""
    waiting = iter(lines)
    return lambda prompt: next(waiting, "quit")


class Position:
    """A deal in a position of our own making, in place of a Deal and of a Match."""

    is_left = False

    def __init__(self, game: Game, state: Any) -> None:
        self.game, self._state, self._options = game, state, pack(game.options)

    @property
    def seat(self) -> int:
        return int(self._state["seat"])

    @property
    def actions(self) -> list[int]:
        out = np.zeros(self.game.rules.LEGAL, dtype=np.int64)
        return out[: self.game.rules.legal(self._state, self._options, out)].tolist()

    @property
    def is_over(self) -> bool:
        return not self.actions

    @property
    def legal(self) -> list[str]:
        return [self.game.notation.format_action(action) for action in self.actions]

    def observe(self, seat: int) -> Any:
        view = new(self.game.rules.VIEW, 1)[0]
        self.game.rules.observe(self._state, self._options, seat, view)
        return view

    def apply(self, action: int) -> None:
        self.game.rules.apply(self._state, self._options, action)

    @property
    def deal(self) -> "Position":
        """As a match has it."""
        return self


def put_down(session: Session, position: Position) -> None:
    """Let a session go on from a position."""
    session._host.match = position  # type: ignore[assignment]


def redealt(session: Session, chance: Random) -> Session:
    """The same session, with everything the person cannot know dealt anew."""
    game = session.game
    state = new(game.rules.STATE, 1)[0]
    game.rules.complete(session.view().record, pack(game.options), chance.generator, state)
    twin = copy.copy(session)
    twin._host = copy.copy(session._host)
    twin._host.events = {session.person: [*session.events]}
    put_down(twin, Position(game, state))
    return twin
