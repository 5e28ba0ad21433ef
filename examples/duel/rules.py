"""Duel: one plays a card, the other answers, the higher card takes both.

1. Two players hold a few cards each of a pack of 52; the others are the stock.
2. Any card may be played. Whoever has played draws a card while there are any.
3. The higher rank wins the trick, ace low; of equal ranks the first. The winner leads to the next.
4. A trick is a point. When all cards are played the deal is over; the other player begins the next.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from undercut.core import rng
from undercut.core.cards import NONE, PACK, lowest, size
from undercut.core.jit import kernel
from undercut.core.records import Action, Buffer, Seat, State, View
from undercut.core.rng import Generator
from undercut.core.spec import Option
from undercut.games.contract import Rate

NAME = "duel"
VERSION = 1
SEATS = (2, 2)
ACTIONS = 52  # action n plays card n
LEGAL = 10


class Options(NamedTuple):
    """The house rules."""

    target: Annotated[int, Option(1, 1_000, "the match ends with this many tricks", "D 4")] = 50
    hand: Annotated[int, Option(2, LEGAL, "cards that each player holds", "D 1")] = 5


PRESETS: Mapping[str, Any] = {"duel": Options()}
VARIANTS: Mapping[str, Mapping[str, Any]] = {}
TALLY: tuple[str, ...] = ("tricks", "led")
RATES: tuple[Rate, ...] = (Rate("tricks won by who led", "led", per="tricks", is_share=True),)

_PUBLIC = [
    ("played", "i8"),  # the cards that were played
    ("scores", "i2", 2),  # points before this deal
    ("tricks", "i1", 2),
    ("led", "i1"),  # tricks won by the player who led
    ("card", "i1"),  # the card to be beaten, or NONE
    ("seat", "i1"),
    ("starter", "i1"),
]
STATE = np.dtype([("hands", "i8", 2), *_PUBLIC, ("deck", "i1", 52), ("used", "i1")], align=True)
VIEW = np.dtype([("hand", "i8"), *_PUBLIC, ("me", "i1"), ("stock", "i1")], align=True)


def find_problem(options: Options) -> str:
    """Every rule set within the limits can be played."""
    return ""


@kernel
def deal(
    state: State, options: Options, generator: Generator, starter: Seat, scores: Buffer
) -> None:
    """Shuffle and deal."""
    rng.shuffle_pack(generator, state.deck)
    begin(state, options, starter, scores)


@kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck as it lies."""
    state.used = 0
    for turn in range(2):
        seat = (starter + turn) % 2
        state.hands[seat] = 0
        for _ in range(options.hand):
            _draw(state, seat)
        state.scores[seat] = scores[seat]
        state.tricks[seat] = 0
    state.played = 0
    state.led = 0
    state.card = NONE
    state.seat = starter
    state.starter = starter


@kernel
def _draw(state: State, seat: Seat) -> None:
    if state.used < 52:
        state.hands[seat] |= 1 << int(state.deck[state.used])
        state.used += 1


@kernel
def is_over(state: State) -> bool:
    """Whether all cards are played."""
    return state.played == PACK


@kernel
def legal(state: State, options: Options, out: Buffer) -> int:
    """Write the cards of the hand; return how many there are."""
    cards, count = int(state.hands[state.seat]), 0
    while cards:
        out[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Play a card, draw one, and when both have played, give the trick to the winner."""
    seat = int(state.seat)
    state.hands[seat] &= ~(1 << action)
    state.played |= 1 << action
    _draw(state, seat)
    if state.card == NONE:
        state.card = action
        state.seat = 1 - seat
    else:
        is_led = int(state.card) % 13 >= action % 13
        state.seat = 1 - seat if is_led else seat
        state.led += is_led
        state.tricks[state.seat] += 1
        state.card = NONE


@kernel
def _copy_public(source: Any, out: Any) -> None:
    out.played = source.played
    for seat in range(2):
        out.scores[seat] = source.scores[seat]
        out.tricks[seat] = source.tricks[seat]
    out.led = source.led
    out.card = source.card
    out.seat = source.seat
    out.starter = source.starter


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with what a seat may know: all but the other hand and the stock."""
    _copy_public(state, view)
    view.hand = state.hands[me]
    view.me = me
    view.stock = 52 - state.used


@kernel
def clear_view(view: View) -> None:
    """Nothing to do: `observe` writes every field."""


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat, the rest by chance."""
    me, unseen = int(view.me), PACK & ~(int(view.hand) | int(view.played))
    first = 52 - size(unseen)
    for place in range(first, 52):
        state.deck[place] = lowest(unseen)
        unseen &= unseen - 1
    rng.shuffle(generator, state.deck, first, 52)
    _copy_public(view, state)
    state.used = first
    state.hands[me] = view.hand
    state.hands[1 - me] = 0
    while state.used < 52 - view.stock:
        _draw(state, 1 - me)


@kernel
def score(state: State, options: Options, out: Buffer) -> None:
    """A point for each trick."""
    for seat in range(2):
        out[seat] = state.tricks[seat]


@kernel
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """Count the tricks, and those that were won by who led."""
    counts[0] += gained[0] + gained[1]
    counts[1] += state.led


@kernel
def first_starter(options: Options, seats: int, generator: Generator) -> Seat:
    """Chance decides who begins."""
    return rng.below(generator, seats)


@kernel
def next_starter(state: State, options: Options) -> Seat:
    """The players take turns."""
    return 1 - int(state.starter)


@kernel
def is_match_over(scores: Buffer, deals: int, options: Options) -> bool:
    """Whether somebody has reached the target."""
    return max(scores[0], scores[1]) >= options.target
