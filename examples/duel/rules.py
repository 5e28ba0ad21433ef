"""Duel: one plays a card, the other answers, and the last trick wins.

1. Two players get 13 cards each of a pack of 52; the others stay out of play.
2. Any card may be played. The higher rank takes the trick, ace low; of equal ranks the first.
3. Whoever takes a trick leads to the next. The last is a point, and the match goes to a target.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE, PACK
from undercut.games.rules import usual
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Seat, State, View
from undercut.kernels.rng import Generator
from undercut.text.spec import Option

NAME, VERSION, SEATS, ACTIONS, LEGAL = "duel", 2, (2, 2), 52, 13  # action n plays card n


class Options(NamedTuple):
    """The house rules."""

    target: Annotated[int, Option(1, 1_000, "the match ends with this many points", "D 3")] = 10
    hand: Annotated[int, Option(2, LEGAL, "cards that each player gets", "D 1")] = 13


PRESETS, TALLY, RATES = {"duel": Options()}, (), ()
VARIANTS: dict[str, Any] = {}

_PUBLIC = [
    ("played", "i8"),  # the cards that were played
    ("scores", "i2", 2),  # points before this deal
    ("card", "i1"),  # the card to be beaten, or NONE
    ("seat", "i1"),
    ("starter", "i1"),
]
STATE = np.dtype([("hands", "i8", 2), *_PUBLIC, ("deck", "i1", 52)], align=True)
VIEW = np.dtype([("hand", "i8"), *_PUBLIC, ("me", "i1")], align=True)

find_problem, clear_view, tally = usual.no_problem, usual.clear_nothing, usual.count_nothing
first_starter, next_starter = usual.start_by_chance, usual.start_in_turn
is_match_over = usual.is_target_reached


@kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck as it lies."""
    for seat in range(2):
        state.scores[seat], state.hands[seat] = scores[seat], 0
        for place in range(seat * options.hand, (seat + 1) * options.hand):
            state.hands[seat] |= 1 << int(state.deck[place])
    state.played, state.card, state.seat, state.starter = 0, NONE, starter, starter


deal = usual.dealing(NAME, begin)


@kernel
def is_over(state: State) -> bool:
    """Whether all cards are played."""
    return bool(state.hands[0] == 0 and state.hands[1] == 0)


@kernel
def legal(state: State, options: Options, out: Buffer) -> int:
    """Write the cards of the hand; return how many there are."""
    return usual.list_cards(int(state.hands[state.seat]), out)


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Play a card; when both have played, the winner of the trick is on turn."""
    seat = int(state.seat)
    state.hands[seat] &= ~(1 << action)
    state.played |= 1 << action
    was_led = state.card == NONE
    if was_led or int(state.card) % 13 >= action % 13:
        state.seat = 1 - seat
    state.card = action if was_led else NONE


@kernel
def score(state: State, options: Options, out: Buffer) -> None:
    """A point for whoever took the last trick, and so is on turn."""
    out[state.seat], out[1 - state.seat] = 1, 0


@kernel
def _copy_public(source: Any, out: Any) -> None:
    for seat in range(2):
        out.scores[seat] = source.scores[seat]
    out.played, out.card = source.played, source.card
    out.seat, out.starter = source.seat, source.starter


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with what a seat may know: all but the other hand and the cards out of play."""
    _copy_public(state, view)
    view.hand, view.me = state.hands[me], me


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat, the rest by chance."""
    unseen = PACK & ~(int(view.hand) | int(view.played))
    first = usual.shuffle_last(generator, unseen, state.deck)
    _copy_public(view, state)
    state.hands[view.me], state.hands[1 - view.me] = view.hand, 0
    for place in range(first, 2 * options.hand):
        state.hands[1 - view.me] |= 1 << int(state.deck[place])
