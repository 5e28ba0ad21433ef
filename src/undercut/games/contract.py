"""What a game provides, and a rule set: a game with its options fixed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from undercut.core.records import Action, View

MAX_SEATS = 8
TALLIES = 16  # counts a game may keep of a match


class Rate(NamedTuple):
    """A statistic that a game reports: a count of its TALLY, in relation to another."""

    name: str
    counted: str
    per: str = "deals"
    is_share: bool = False  # true if each counts at most once, so that it is a share


class Rules(Protocol):
    """A rules module: two layouts and a handful of kernels."""

    def __hash__(self) -> int: ...

    NAME: str
    VERSION: int
    SEATS: tuple[int, int]  # the fewest and the most players
    STATE: np.dtype[Any]
    VIEW: np.dtype[Any]
    LEGAL: int  # the most actions that can be legal at once
    ACTIONS: int
    TALLY: tuple[str, ...]  # names of the counts that `tally` keeps
    RATES: tuple[Rate, ...]  # what is reported of them
    Options: Any
    LIMITS: Mapping[str, tuple[int, int]]
    PRESETS: Mapping[str, Any]
    VARIANTS: Mapping[str, Mapping[str, Any]]

    find_problem: Callable[[Any], str]  # (options): what LIMITS alone cannot say; "" if nothing
    deal: Callable[..., None]  # (state, options, generator, starter, scores)
    begin: Callable[..., None]  # (state, options, starter, scores), from the deck as it lies
    legal: Callable[..., int]  # (state, options, out) -> how many
    apply: Callable[..., None]  # (state, options, action)
    observe: Callable[..., None]  # (state, options, seat, view)
    clear_view: Callable[..., None]  # (view): needed only where memory does not start as 0
    complete: Callable[..., None]  # (view, options, generator, state)
    is_over: Callable[..., bool]  # (state)
    score: Callable[..., None]  # (state, options, out)
    tally: Callable[..., None]  # (state, options, gained, counts)
    first_starter: Callable[..., int]  # (options, seats, generator)
    next_starter: Callable[..., int]  # (state, options)
    is_match_over: Callable[..., bool]  # (scores, deals, options)


class Notation(Protocol):
    """The text of a game: its actions, its positions and what records say."""

    format_action: Callable[[Action], str]
    parse_action: Callable[[str], Action]
    format_told: Callable[[Action, View], str]  # an action, as one who sees this after it may know
    format_view: Callable[[View], str]  # what follows the game's name in a position string
    parse_view: Callable[[str, Any], View]  # (text, options)
    format_hand: Callable[[View], str]  # the cards of the seat that looks
    hidden_gain: Callable[[View, View], str]  # cards that came into its hand unseen by others
    format_upcard: Callable[[View], str]  # the first card that lay open for all, "" without one
    format_outcome: Callable[[View], str]  # how a deal ended


@dataclass(frozen=True)
class Game:
    """A rule set that can be played: a rules module, its options, and how many sit down."""

    name: str  # the spec that names it, such as "distilled+knock"
    rules: Rules
    notation: Notation
    options: Any
    seats: int

    def __reduce__(self) -> tuple[Any, ...]:
        return _parse_again, (self.name,)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


def _parse_again(name: str) -> Game:
    """A game that was pickled: its name says everything."""
    game: Game = import_module("undercut.games.families").parse_game(name)
    return game
