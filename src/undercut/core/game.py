"""What a rules module provides, and a rule set: one such module with its options fixed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

Action: TypeAlias = int
Seat: TypeAlias = int
State: TypeAlias = Any  # a record of the game's STATE layout: everything; never leaves `play`
View: TypeAlias = Any  # a record of the game's VIEW layout: what one seat may know
Options: TypeAlias = Any  # the game's NamedTuple of house rules
Buffer: TypeAlias = Any  # an int64 array that the caller owns

MAX_SEATS = 8
LATE = 1 << 20  # the pace of the last stage of a deal, after the turns
TALLIES = 16  # counts a game may keep of a match


class Rate(NamedTuple):
    """A statistic that a game reports: a count of its TALLY, in relation to another."""

    name: str
    counted: str
    per: str = "deals"
    is_share: bool = False  # whether none of what it is told per can count twice


class Rules(Protocol):
    """A rules module: two layouts and a handful of kernels."""

    def __hash__(self) -> int: ...

    NAME: str
    LAYS_DOWN: bool  # whether a deal ends with a stage of its own, of the pace LATE
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
    pace: Callable[..., int]  # (state): changes where games played side by side should fall in step
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


def pack(values: Any) -> Any:
    """A NamedTuple of numbers and arrays as a record, the form in which kernels take settings.

    Kernels read its fields just as they would the tuple's; an array is copied into the record. As a
    tuple the values would be known never to change, and the compiler would lay down a copy of the
    whole match loop for each.
    """
    fields = [_field(name, value) for name, value in zip(values._fields, values, strict=True)]
    record = new(np.dtype(fields or [("nothing", "i8")], align=True), 1)[0]
    for name, value in zip(values._fields, values, strict=True):
        record[name] = value
    return record


def _field(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return (name, value.dtype, value.shape)
    return (name, "f8" if isinstance(value, float) else "i8")


def new(layout: np.dtype[Any], count: int | tuple[int, ...]) -> Any:
    """A cleared array of records whose fields are attributes, compiled or not."""
    return np.zeros(count, dtype=layout).view(np.recarray)
