"""One deal, played through a checked door: an illegal action raises and changes nothing."""

from functools import cache
from typing import Any

import numpy as np

from undercut.core import rng
from undercut.core.cards import NONE
from undercut.core.errors import IllegalAction, OptionsError
from undercut.core.game import Action, Game, Rules, Seat, State, View, new, pack
from undercut.core.jit import UNBOUND, specialise
from undercut.core.rng import SEED_LIMIT, Seed

# Bound by `_checked_step`.
legal: Any = UNBOUND
apply: Any = UNBOUND


def _step(state: State, options: Any, action: Action, out: Any, count: int) -> int:
    """Apply one of the first `count` actions in `out`, and list what is legal next.

    Returns how many that are, or NONE if the action was not among them.
    """
    for i in range(count):
        if out[i] == action:
            apply(state, options, action)
            return legal(state, options, out)
    return NONE


@cache
def _checked_step(rules: Rules) -> Any:
    return specialise(_step, rules.NAME, legal=rules.legal, apply=rules.apply)


def check_seed(seed: int) -> Seed:
    """A seed that can name chance."""
    if not 0 <= seed < SEED_LIMIT:
        raise OptionsError(f"seed {seed}: must be from 0 to {SEED_LIMIT - 1}")
    return seed


class Deal:
    """A deal in progress. Seats get views; the state stays inside.

    >>> from undercut.games.catalog import parse_game
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
        self.game = game
        self._options = pack(game.options)
        self._state = new(game.rules.STATE, 1)[0]
        self._out = np.zeros(game.rules.LEGAL, dtype=np.int64)
        self._step = _checked_step(game.rules)
        if not 0 <= starter < game.seats:
            raise OptionsError(f"starter {starter}: must be from 0 to {game.seats - 1}")
        dealer = new(rng.GENERATOR, 1)[0]
        rng.start(dealer, check_seed(seed))
        before = np.array(scores or (0,) * game.seats, dtype=np.int64)
        game.rules.deal(self._state, self._options, dealer, starter, before)
        self._count = int(game.rules.legal(self._state, self._options, self._out))

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return int(self._state["seat"])

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
        view = new(self.game.rules.VIEW, 1)[0]
        seat = self.seat if seat is None else seat
        self.game.rules.observe(self._state, self._options, seat, view)
        return view

    def apply(self, action: Action) -> None:
        """Play an action of the seat on turn."""
        count = self._step(self._state, self._options, action, self._out, self._count)
        if count == NONE:
            raise IllegalAction(self._refusal(action))
        self._count = count

    def play(self, text: str) -> None:
        """Play an action given in words."""
        self.apply(self.game.notation.parse_action(text))

    def points(self) -> list[int]:
        """Each seat's points for a deal that is over."""
        if not self.is_over:
            raise IllegalAction("the deal is not over: it has no points yet")
        out = np.zeros(self.game.seats, dtype=np.int64)
        self.game.rules.score(self._state, self._options, out)
        return out.tolist()

    def next_starter(self) -> Seat:
        """Who plays first in the next deal of a match."""
        return int(self.game.rules.next_starter(self._state, self._options))

    def copy(self) -> "Deal":
        """An independent deal in the same position."""
        twin = object.__new__(Deal)
        twin.__dict__.update(self.__dict__)
        states = new(self.game.rules.STATE, 1)
        states[0] = self._state
        twin._state = states[0]
        twin._out = self._out.copy()
        return twin

    def _refusal(self, action: Action) -> str:
        if self.is_over:
            return f"the deal is over: {action} cannot be played"
        try:
            given = repr(self.game.notation.format_action(action))
        except ValueError:
            given = str(action)
        return f"{given} is not legal for seat {self.seat} now: " + ", ".join(self.texts())
