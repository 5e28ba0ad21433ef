"""Eights: match the top card, or draw. A game with a stock, drawing and wild cards.

1. Two players get some cards each of a pack of 52. One card is turned up; the rest is the stock.
2. In turn, play a card of the suit or the rank of the open one. An eight is wild: it always fits.
3. Or draw a card, which ends the turn. When the stock is empty, pass instead.
4. An empty hand is a point. If both pass in a row, nobody gets one. A match goes to a target.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from undercut.cards.french import PACK, Card, lowest, size
from undercut.games.contract import Rate
from undercut.games.rules import usual
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Buffer, Seat, State, View
from undercut.kernels.rng import Generator
from undercut.text.spec import Option

NAME, VERSION, SEATS = "eights", 1, (2, 2)
DRAW, PASS, ACTIONS = 52, 53, 54  # action n below them plays card n
LEGAL = 20  # 13 of the suit, 3 of the rank and 3 eights more; then draw or pass
EIGHT = 7  # its rank
_WON, _BLOCKED = 0, 1


class Options(NamedTuple):
    """The house rules."""

    target: Annotated[int, Option(1, 1_000, "the match ends with this many points", "E 4")] = 5
    hand: Annotated[int, Option(2, 12, "cards that each player gets", "E 1")] = 7


PRESETS = {"eights": Options()}
VARIANTS: dict[str, Any] = {}
TALLY, RATES = (
    ("won", "blocked"),
    (
        Rate("won per deal", "won", is_share=True),
        Rate("blocked per deal", "blocked", is_share=True),
    ),
)

_PUBLIC = [
    ("played", "i8"),  # the cards of the pile
    ("scores", "i2", 2),  # points before this deal
    ("drawn", "i1"),  # how many cards have left the stock
    ("top", "i1"),  # the open card
    ("passes", "i1"),  # in a row
    ("seat", "i1"),
    ("starter", "i1"),
]
STATE = np.dtype([("hands", "i8", 2), *_PUBLIC, ("deck", "i1", 52)], align=True)
VIEW = np.dtype([("hand", "i8"), *_PUBLIC, ("me", "i1")], align=True)

find_problem, clear_view = usual.no_problem, usual.clear_nothing
first_starter, next_starter = usual.start_by_chance, usual.start_in_turn
is_match_over = usual.is_target_reached


@kernel
def begin(state: State, options: Options, starter: Seat, scores: Buffer) -> None:
    """Deal from the deck as it lies, and turn a card up [E 1]."""
    state.drawn = 0
    for seat in range(2):
        state.scores[seat], state.hands[seat] = scores[seat], 0
        for _ in range(options.hand):
            state.hands[seat] |= 1 << _next_card(state)
    state.top = _next_card(state)
    state.played, state.passes = 1 << int(state.top), 0
    state.seat, state.starter = starter, starter


deal = usual.dealing(NAME, begin)


@kernel
def _next_card(state: State) -> Card:
    """Take the next card of the stock."""
    state.drawn = int(state.drawn) + 1
    return int(state.deck[int(state.drawn) - 1])


@kernel
def is_over(state: State) -> bool:
    """Whether a hand is empty, or both have passed [E 4]."""
    return bool(state.hands[0] == 0 or state.hands[1] == 0 or state.passes == 2)


@kernel
def fits(card: Card, top: Card) -> bool:
    """Whether a card may be played on another [E 2]."""
    return card // 13 == top // 13 or card % 13 == top % 13 or card % 13 == EIGHT


@kernel
def legal(state: State, options: Options, out: Buffer) -> int:
    """The cards that fit, then draw or pass; nothing when the deal is over."""
    if is_over(state):
        return 0
    count, cards = 0, int(state.hands[state.seat])
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        if fits(card, int(state.top)):
            out[count] = card
            count += 1
    out[count] = DRAW if state.drawn < len(state.deck) else PASS
    return count + 1


@kernel
def apply(state: State, options: Options, action: Action) -> None:
    """Play a card, draw or pass [E 2, E 3]."""
    seat = int(state.seat)
    state.passes = state.passes + 1 if action == PASS else 0
    if action == DRAW:
        state.hands[seat] |= 1 << _next_card(state)
    elif action != PASS:
        state.hands[seat] &= ~(1 << action)
        state.played |= 1 << action
        state.top = action
    state.seat = 1 - seat


@kernel
def score(state: State, options: Options, out: Buffer) -> None:
    """A point for an empty hand."""
    for seat in range(2):
        out[seat] = int(state.hands[seat] == 0)


@kernel
def tally(state: State, options: Options, gained: Buffer, counts: Buffer) -> None:
    """Deals that were won, and those that were blocked."""
    counts[_BLOCKED if gained[0] + gained[1] == 0 else _WON] += 1


@kernel
def _copy_public(source: Any, out: Any) -> None:
    for seat in range(2):
        out.scores[seat] = source.scores[seat]
    out.played, out.drawn, out.top = source.played, source.drawn, source.top
    out.passes, out.seat, out.starter = source.passes, source.seat, source.starter


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with what a seat may know: all but the other hand and the stock."""
    _copy_public(state, view)
    view.hand, view.me = state.hands[me], me


@kernel
def held_by_other(view: View) -> int:
    """How many cards the other player holds: those that left the stock and lie nowhere else."""
    return int(view.drawn) - size(int(view.hand)) - size(int(view.played))


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat, the rest by chance."""
    unseen = PACK & ~(int(view.hand) | int(view.played))
    first = usual.shuffle_last(generator, unseen, state.deck)
    _copy_public(view, state)
    state.hands[view.me], state.hands[1 - view.me] = view.hand, 0
    for place in range(first, int(view.drawn)):
        state.hands[1 - view.me] |= 1 << int(state.deck[place])
