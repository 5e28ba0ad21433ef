"""One deal with checked actions: an illegal action raises an error and changes nothing.

Actions and views have two forms. `legal`, `play` and `view` use text and cards, for people.
`actions`, `apply` and `observe` use numbers and records, for kernels and agents.

A call from Python into a kernel costs microseconds for each record argument, but only a tenth of
one for an array of numbers. So a deal is one int64 array: first the table, which the kernels here
read as a record, then the legal actions.
"""

from collections.abc import Callable
from functools import cache
from operator import index, itemgetter
from pathlib import Path
from struct import Struct
from types import SimpleNamespace
from typing import Any, Generic

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import MAX_SEATS, Game, Rules
from undercut.games.rules.holes import apply, is_over, legal, observe, score
from undercut.games.table.actions import Action as ActionText
from undercut.games.table.actions import actions_of
from undercut.games.table.position import parse_position
from undercut.games.table.readable import Seen
from undercut.kernels import rng
from undercut.kernels.jit import hole_value, specialise, undispatched
from undercut.kernels.records import (
    Action,
    Buffer,
    Layout,
    Options,
    Record,
    Seat,
    State,
    View,
    new,
    pack,
)
from undercut.kernels.rng import Seed
from undercut.play.desk import deal, next_starter
from undercut.play.known_decks import lay_secret
from undercut.play.seeds import AnySeed, check_seed
from undercut.text.errors import IllegalAction, OptionsError, RulesError
from undercut.text.tables import html_of

# Bound by `_kernels`, as are the kernels of a game.
layout: Layout = hole_value()
table_end: int = hole_value()  # the index of the first legal action
view_layout: Layout = hole_value()

BROKEN = -2  # the result of a step if `legal` and `is_over` contradict each other


def _start(words: Buffer, seed: Seed, starter: Seat) -> None:
    """Deal; the options and scores are already in the table."""
    table = words[:table_end].view(layout)[0]
    rng.start(table.dealer, seed)
    deal(table.state, table.options, table.dealer, starter, table.scores)


def _step(words: Buffer, action: Action) -> int:
    """Apply an action (NONE applies nothing) and list the legal actions after it.

    Returns their number times MAX_SEATS, plus the seat on turn. NONE: the action was illegal.
    BROKEN: the rules contradict themselves.
    """
    table = words[:table_end].view(layout)[0]
    out = words[table_end:]
    if action != NONE:
        is_legal = False
        for i in range(table.count):
            is_legal |= out[i] == action
        if not is_legal:
            return NONE
        apply(table.state, table.options, action)
    table.count = legal(table.state, table.options, out)
    if is_over(table.state) != (table.count == 0):
        return BROKEN
    return int(table.count * MAX_SEATS + table.state.seat)


def _observe(words: Buffer, seat: Seat, view_words: Buffer) -> None:
    """Fill a cleared view."""
    table = words[:table_end].view(layout)[0]
    observe(table.state, table.options, seat, view_words.view(view_layout)[0])


def _settle(words: Buffer) -> int:
    """Score a deal that is over; return the starter of the next deal."""
    table = words[:table_end].view(layout)[0]
    score(table.state, table.options, table.gained)
    return next_starter(table.state, table.options)


@cache
def _door(rules: Rules, options: Options) -> SimpleNamespace:
    """An empty table with these options, and the kernels for it."""
    packed = pack(options)
    fields = [
        ("state", rules.STATE),
        ("options", packed.dtype),
        ("dealer", rng.GENERATOR),
        ("count", "i8"),  # of legal actions
        ("scores", "i8", MAX_SEATS),  # before the deal
        ("gained", "i8", MAX_SEATS),
    ]
    bound = _kernels(rules, np.dtype((np.record, np.dtype(fields, align=True))))
    words = np.zeros(bound.table_end + rules.LEGAL, dtype=np.int64)
    words[: bound.table_end].view(bound.layout)[0]["options"] = packed
    return SimpleNamespace(words=words, **vars(bound))


@cache
def _kernels(rules: Rules, layout: Layout) -> SimpleNamespace:
    names = ("deal", "legal", "apply", "observe", "is_over", "score", "next_starter")
    bound: dict[str, object] = {name: getattr(rules, name) for name in names}
    bound |= {"layout": layout, "table_end": layout.itemsize // 8}
    bound |= {"view_layout": np.dtype((np.record, rules.VIEW))}
    made = {
        name: specialise(template, rules.NAME, **bound)
        for name, template in (
            ("start", _start),
            ("step", _step),
            ("observe", _observe),
            ("settle", _settle),
        )
    }
    shapes = {name: bound[name] for name in ("layout", "table_end", "view_layout")}
    return SimpleNamespace(**shapes, **made)


class _Readers(dict[int, Callable[..., tuple[int, ...]]]):
    """Readers of the legal actions, by the result of `_step`; twice as fast as a slice."""

    def __missing__(self, turn: int) -> Callable[..., tuple[int, ...]]:
        self[turn] = Struct(f"={turn // MAX_SEATS}q").unpack_from
        return self[turn]


_READERS = _Readers()


def legal_actions(game: Game, view: View) -> list[Action]:
    """The legal actions of the seat of a view; its hidden cards do not matter."""
    if view["seat"] != view["me"]:
        raise IllegalAction(f"seat {view['me']} has no choice here: it is the other seat's turn")
    options, state = pack(game.options), new(game.rules.STATE, 1)[0]
    generator = new(rng.GENERATOR, 1)[0]
    rng.start(generator, 0)
    game.rules.complete(view, options, generator, state)
    if game.rules.is_over(state):
        raise IllegalAction("the deal is over: nothing can be played")
    out = np.zeros(game.rules.LEGAL, dtype=np.int64)
    legal: list[Action] = out[: game.rules.legal(state, options, out)].tolist()
    return legal


class Deal(Generic[Seen]):
    """A deal in progress. Seats get views; the state stays inside.

    >>> from undercut.games.families import parse_game
    >>> deal = parse_game("gin").deal(seed=7)
    >>> deal.legal
    ['take', 'pass']
    >>> deal.play("pass")
    >>> deal.seat
    1
    >>> deal.view(0).hand
    Cards('3c 8c 9c Tc Ad Jd As 4s Js Qs')
    """

    def __init__(
        self,
        game: Game[Seen],
        seed: AnySeed,
        starter: Seat = 0,
        scores: tuple[int, ...] | None = None,
    ) -> None:
        """Deal the cards of a seed, or of a deal's secret."""
        self._put(game, _door(game.rules, game.options).words.copy(), starter)
        if scores is not None:
            if len(scores) != game.seats:
                raise OptionsError(f"{len(scores)} scores: {game.name} has {game.seats} seats")
            self._table["scores"][: game.seats] = scores
        first = self._check_seat(starter, "starter")
        check_seed(seed)
        if isinstance(seed, str):
            self._table["state"] = lay_secret(game, seed, first, self._table["scores"])
        else:
            self._door.start(self._words, index(seed), first)
        self._begin()

    @classmethod
    def from_position(cls, text: str, seed: Seed = 0) -> "Deal[Any]":
        """A determinization of a position, which is one seat's view as a line of text.

        A position has no hidden cards. The seed chooses them: all deals that fit the view are
        equally likely.

        >>> from undercut import Deal
        >>> deal = Deal.from_position("gin.00.0-0.4c5c6cKc8d7hKhAsQsKs.Jh.-", seed=3)
        >>> deal.legal, deal.view(0).upcard
        (['take', 'pass'], 'Jh')
        """
        game, view = parse_position(text.strip())
        generator = new(rng.GENERATOR, 1)[0]
        rng.start(generator, index(check_seed(seed)))
        return cls._of_view(game, view, generator)

    @classmethod
    def from_record(cls, path: str | Path, ply: int) -> "Deal[Any]":
        """The deal of a record after `ply` actions of the match."""
        from undercut.play.records.record import read_record, replay_to

        return replay_to(read_record(Path(path)), ply).deal

    @classmethod
    def _of_view(cls, game: Game, view: View, generator: Record) -> "Deal[Any]":
        """A determinization of a view, with random hidden cards."""
        state = new(game.rules.STATE, 1)[0]
        game.rules.complete(view, pack(game.options), generator, state)
        return cls._of_state(game, state)

    @classmethod
    def _of_state(cls, game: Game, state: State) -> "Deal[Any]":
        """A deal that continues from a state; for `play` only."""
        deal: Deal[Any] = object.__new__(cls)
        deal._put(game, _door(game.rules, game.options).words.copy(), int(state["seat"]))
        deal._table["state"] = state
        if not game.rules.is_over(state):
            deal._begin()
        return deal

    @property
    def _state(self) -> State:
        """The state in the deal's own memory, hidden cards included; for `play` only."""
        state: State = self._table["state"]
        return state

    def _put(self, game: Game[Seen], words: Buffer, turn: int) -> None:
        """Set the attributes; `turn` is the result of the last `_step`."""
        self.game = game
        self._door = _door(game.rules, game.options)
        self._step = self._door.step
        self._end = 8 * self._door.table_end  # in bytes
        known = actions_of(game.family)
        self._texts, self._numbers, self._read = known.texts, known.numbers, known.read
        self._words, self._turn = words, turn

    def _begin(self) -> None:
        """List the first legal actions."""
        self._turn = self._step(self._words, NONE)
        if self._turn < 0:
            raise self._error(NONE, self._turn)
        self._step = self._door.step = undispatched(self._step)

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self._turn % MAX_SEATS

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self._turn < MAX_SEATS  # nothing is legal

    @property
    def legal(self) -> list[ActionText]:
        """The legal actions of the seat on turn, as text."""
        numbers, texts = _READERS[self._turn](self._words, self._end), self._texts
        if len(numbers) < 2:
            return [texts[number] for number in numbers]
        return [*itemgetter(*numbers)(texts)]  # faster than a loop

    @property
    def actions(self) -> list[Action]:
        """The legal actions of the seat on turn, as numbers."""
        return list(_READERS[self._turn](self._words, self._end))

    def view(self, seat: Seat | None = None) -> Seen:
        """The view of a seat, as cards and text; by default of the seat on turn."""
        record = self.observe(seat)
        actions = self.actions if seat is None or seat == self.seat else []
        return self.game.family.view(self.game, record, actions)

    def observe(self, seat: Seat | None = None) -> View:
        """The view of a seat, as a record for kernels; by default of the seat on turn."""
        layout = self._door.view_layout
        words = np.zeros(layout.itemsize // 8, dtype=np.int64)
        viewer = self.seat if seat is None else self._check_seat(seat, "seat")
        self._door.observe(self._words, viewer, words)
        view: View = np.frombuffer(words, layout)[0]  # far quicker than words.view
        return view

    def play(self, text: str) -> None:
        """Play an action of the seat on turn, given as text."""
        number = self._numbers.get(text)
        if number is None:
            number = self._read(text)
        turn = self._step(self._words, number)
        if turn < 0:
            raise self._error(number, turn)
        self._turn = turn

    def apply(self, action: Action) -> None:
        """Play an action of the seat on turn, given as a number."""
        try:
            number = index(action)
        except TypeError:  # an agent may return anything
            number = NONE
        turn = NONE
        if 0 <= number < self.game.rules.ACTIONS:  # others may not fit into 64 bits
            turn = self._step(self._words, number)
        if turn < 0:
            raise self._error(action, turn)
        self._turn = turn

    def points(self) -> list[int]:
        """Each seat's points for a deal that is over."""
        self._settle()
        points: list[int] = self._table["gained"][: self.game.seats].tolist()
        return points

    def add_tally(self, counts: Buffer) -> None:
        """Add the game's statistics of a deal that is over."""
        self._settle()
        table = self._table
        self.game.rules.tally(table["state"], table["options"], table["gained"], counts)

    def next_starter(self) -> Seat:
        """The starter of the next deal of a match; this deal must be over."""
        return self._settle()

    def copy(self) -> "Deal[Seen]":
        """An independent deal in the same position."""
        return _restore(self.game, self._words.copy(), self._turn)

    def __copy__(self) -> "Deal[Seen]":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "Deal[Seen]":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.game, self._words, self._turn)

    def __repr__(self) -> str:
        if self.is_over:
            return f"<{self.game.name}: a deal that is over, {_counted(self.points())}>"
        choices = self.legal
        more = ", …" if len(choices) > _SHOWN else ""
        return f"<{self.game.name}: seat {self.seat} to play, {', '.join(choices[:_SHOWN])}{more}>"

    def _repr_svg_(self) -> str:
        """The hand of the seat on turn, its melds apart."""
        return self.view()._repr_svg_()

    def _repr_html_(self) -> str:
        """The view of the seat on turn."""
        points = f"<p>{html_of(_counted(self.points()))}</p>" if self.is_over else ""
        return self.view()._repr_html_() + points

    @property
    def _table(self) -> Record:
        table: Record = np.frombuffer(self._words, self._door.layout, count=1)[0]
        return table

    def _settle(self) -> Seat:
        if not self.is_over:
            raise IllegalAction("the deal is not over: it has no points yet")
        return int(self._door.settle(self._words))

    def _check_seat(self, seat: Seat, role: str) -> Seat:
        if not 0 <= seat < self.game.seats:
            raise OptionsError(f"{role} {seat}: must be from 0 to {self.game.seats - 1}")
        return index(seat)

    def _error(self, action: Action, turn: int) -> IllegalAction | RulesError:
        if turn == BROKEN:
            count, name = int(self._table["count"]), self.game.family.name
            over = "is over: it must return 0 then" if count else "is not over: it must list some"
            return RulesError(f"{name}: legal lists {count} actions though the deal {over}")
        if self.is_over:
            return IllegalAction(f"the deal is over: {action} cannot be played")
        try:
            given = repr(self.game.notation.format_action(action))
        except (TypeError, ValueError):
            given = repr(action)
        allowed = ", ".join(self.legal)
        return IllegalAction(f"{given} is not legal for seat {self.seat} now: {allowed}")


_SHOWN = 4  # legal actions in a `repr`


def _counted(points: list[int]) -> str:
    return " : ".join(map(str, points))


def _restore(game: Game[Seen], words: Buffer, turn: int) -> Deal[Seen]:
    """A deal that was copied or pickled."""
    deal: Deal[Seen] = object.__new__(Deal)
    deal._put(game, words, turn)
    return deal
