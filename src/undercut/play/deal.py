"""One deal, played through a checked door: an illegal action raises and changes nothing.

A call from Python into a kernel costs microseconds for each record it is given, but a tenth of one
for an array of plain numbers. So a deal is one array of words, its table, that the kernels here
read as a record.
"""

from functools import cache
from operator import index
from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.cards import NONE
from undercut.core.errors import IllegalAction, OptionsError
from undercut.core.jit import hole_value, specialise
from undercut.core.records import (
    Action,
    Buffer,
    Layout,
    Options,
    Record,
    Seat,
    View,
    new,
    pack,
)
from undercut.core.rng import Seed
from undercut.games.contract import MAX_SEATS, Game, Rules
from undercut.play.loop import apply, deal, legal, next_starter, observe, score
from undercut.play.seeds import check_seed

# Bound by `_kernels`, as are the kernels of a game.
layout: Layout = hole_value()
view_layout: Layout = hole_value()


def _start(words: Buffer, seed: Seed, starter: Seat) -> None:
    """Deal; the table has its options and scores."""
    table = words.view(layout)[0]
    rng.start(table.dealer, seed)
    deal(table.state, table.options, table.dealer, starter, table.scores)


def _step(words: Buffer, out: Buffer, action: Action) -> int:
    """Apply an action, except NONE, the first of all, and list what is legal then.

    Returns how many actions that are, and whose turn it is, in one number; NONE if the action was
    not legal.
    """
    table = words.view(layout)[0]
    if action != NONE:
        is_legal = False
        for i in range(table.count):
            is_legal |= out[i] == action
        if not is_legal:
            return NONE
        apply(table.state, table.options, action)
    table.count = legal(table.state, table.options, out)
    return int(table.count * MAX_SEATS + table.state.seat)


def _observe(words: Buffer, seat: Seat, view_words: Buffer) -> None:
    """Fill a cleared view."""
    table = words.view(layout)[0]
    observe(table.state, table.options, seat, view_words.view(view_layout)[0])


def _settle(words: Buffer) -> int:
    """Score a deal that is over; return who plays first in the next."""
    table = words.view(layout)[0]
    score(table.state, table.options, table.gained)
    return next_starter(table.state, table.options)


@cache
def _door(rules: Rules, options: Options) -> SimpleNamespace:
    """A table with these options, and the kernels that play at it."""
    packed = pack(options)
    fields = [
        ("state", rules.STATE),
        ("options", packed.dtype),
        ("dealer", rng.GENERATOR),
        ("count", "i8"),  # legal actions
        ("scores", "i8", MAX_SEATS),  # before the deal
        ("gained", "i8", MAX_SEATS),
    ]
    bound = _kernels(rules, np.dtype((np.record, np.dtype(fields, align=True))))
    words = np.zeros(bound.layout.itemsize // 8, dtype=np.int64)
    words.view(bound.layout)[0]["options"] = packed
    return SimpleNamespace(words=words, **vars(bound))


@cache
def _kernels(rules: Rules, layout: Layout) -> SimpleNamespace:
    names = ("deal", "legal", "apply", "observe", "score", "next_starter")
    bound: dict[str, Any] = {name: getattr(rules, name) for name in names}
    bound |= {"layout": layout, "view_layout": np.dtype((np.record, rules.VIEW))}
    made = {
        name: specialise(template, rules.NAME, **bound)
        for name, template in (
            ("start", _start),
            ("step", _step),
            ("observe", _observe),
            ("settle", _settle),
        )
    }
    return SimpleNamespace(layout=layout, view_layout=bound["view_layout"], **made)


def legal_actions(game: Game, view: View) -> list[Action]:
    """What the seat of a view may do: the same in every position that looks like it."""
    if view["seat"] != view["me"]:
        raise IllegalAction(f"seat {view['me']} has no choice here: it is the other seat's turn")
    options, state = pack(game.options), new(game.rules.STATE, 1)[0]
    generator = new(rng.GENERATOR, 1)[0]
    rng.start(generator, 0)
    game.rules.complete(view, options, generator, state)
    if game.rules.is_over(state):
        raise IllegalAction("the deal is over: nothing can be played")
    out = np.zeros(game.rules.LEGAL, dtype=np.int64)
    return out[: game.rules.legal(state, options, out)].tolist()


class Deal:
    """A deal in progress. Seats get views; the state stays inside.

    >>> from undercut.games.families import parse_game
    >>> deal = Deal(parse_game("gin"), seed=1, starter=0)
    >>> deal.texts()
    ['take', 'pass']
    >>> deal.play("pass")
    >>> deal.seat
    1
    """

    def __init__(
        self, game: Game, seed: Seed, starter: Seat = 0, scores: tuple[int, ...] | None = None
    ) -> None:
        out = np.zeros(game.rules.LEGAL, dtype=np.int64)
        self._put(game, _door(game.rules, game.options).words.copy(), out, 0, starter)
        if scores is not None:
            if len(scores) != game.seats:
                raise OptionsError(f"{len(scores)} scores: {game.name} has {game.seats} seats")
            self._table["scores"][: game.seats] = scores
        first = self._check_seat(starter, "starter")
        self._door.start(self._words, index(check_seed(seed)), first)
        result = self._step(self._words, self._out, NONE)
        self._count, self._seat = divmod(result, MAX_SEATS)

    def _put(self, game: Game, words: Buffer, out: Buffer, count: int, seat: Seat) -> None:
        """Lay out a table."""
        self.game = game
        self._door = _door(game.rules, game.options)
        self._step = self._door.step
        self._actions = game.rules.ACTIONS
        self._words, self._out, self._count, self._seat = words, out, count, seat

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self._seat

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self._count == 0

    @property
    def legal(self) -> list[Action]:
        """What the seat on turn may do."""
        return self._out[: self._count].tolist()

    def texts(self) -> list[str]:
        """What the seat on turn may do, in words."""
        return [self.game.notation.format_action(action) for action in self.legal]

    def view(self, seat: Seat | None = None) -> View:
        """What a seat may know; by default the seat on turn."""
        layout = self._door.view_layout
        words = np.zeros(layout.itemsize // 8, dtype=np.int64)
        viewer = self._seat if seat is None else self._check_seat(seat, "seat")
        self._door.observe(self._words, viewer, words)
        return np.frombuffer(words, layout)[0]  # far quicker than words.view

    def apply(self, action: Action) -> None:
        """Play an action of the seat on turn."""
        try:
            number = index(action)
        except TypeError:  # an agent may answer anything
            number = NONE
        result = NONE
        if 0 <= number < self._actions:  # any other might not fit in a kernel's 64 bits
            result = self._step(self._words, self._out, number)
        if result == NONE:
            raise IllegalAction(self._refusal(action))
        self._count, self._seat = divmod(result, MAX_SEATS)

    def play(self, text: str) -> None:
        """Play an action given in words."""
        self.apply(self.game.notation.parse_action(text))

    def points(self) -> list[int]:
        """Each seat's points for a deal that is over."""
        self._settle()
        return self._table["gained"][: self.game.seats].tolist()

    def next_starter(self) -> Seat:
        """Who plays first in the next deal of a match, once this deal is over."""
        return self._settle()

    def copy(self) -> "Deal":
        """An independent deal in the same position."""
        twin = object.__new__(Deal)
        twin.__dict__.update(self.__dict__)
        twin._words = self._words.copy()
        twin._out = self._out.copy()
        return twin

    def __copy__(self) -> "Deal":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "Deal":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.game, self._words, self._out, self._count, self._seat)

    def __repr__(self) -> str:
        if self.is_over:
            return f"<{self.game.name}: a deal that is over, {_counted(self.points())}>"
        choices = self.texts()
        more = ", …" if len(choices) > _SHOWN else ""
        return f"<{self.game.name}: seat {self.seat} to play, {', '.join(choices[:_SHOWN])}{more}>"

    @property
    def _table(self) -> Record:
        return np.frombuffer(self._words, self._door.layout)[0]

    def _settle(self) -> Seat:
        if not self.is_over:
            raise IllegalAction("the deal is not over: it has no points yet")
        return int(self._door.settle(self._words))

    def _check_seat(self, seat: Seat, role: str) -> Seat:
        if not 0 <= seat < self.game.seats:
            raise OptionsError(f"{role} {seat}: must be from 0 to {self.game.seats - 1}")
        return index(seat)

    def _refusal(self, action: Action) -> str:
        if self.is_over:
            return f"the deal is over: {action} cannot be played"
        try:
            given = repr(self.game.notation.format_action(action))
        except (TypeError, ValueError):
            given = repr(action)
        return f"{given} is not legal for seat {self.seat} now: " + ", ".join(self.texts())


_SHOWN = 4  # choices that fit into a line


def _counted(points: list[int]) -> str:
    return " : ".join(map(str, points))


def _restore(game: Game, words: Buffer, out: Buffer, count: int, seat: Seat) -> Deal:
    """A deal that was pickled."""
    deal = object.__new__(Deal)
    deal._put(game, words, out, count, seat)
    return deal
