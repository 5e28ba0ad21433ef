"""The view of a seat of Gin: `observe` makes it from a state, `complete` samples a state for it."""

from undercut.cards.french import HIDDEN, NONE, PACK, Cards, lowest, size
from undercut.cards.melds import LAYOUT
from undercut.games.gin.rules.layout import (
    HISTORY,
    Options,
    Phase,
    State,
    View,
    drawn,
    note,
    thrown,
    was_taken,
)
from undercut.games.rules.usual import any_card
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Seat
from undercut.kernels.rng import Generator


@kernel
def clear_view(view: View) -> None:
    """Prepare a view with uninitialised memory for `observe`."""
    view.turn = 0
    for i in range(HISTORY):
        view.history[i] = 0


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with all that seat `me` may know, and nothing else.

    The view is cleared or was filled before, so its history is 0 after its last turn.
    """
    for i in range((max(int(view.turn), int(state.turn)) >> 2) + 1):
        view.history[i] = state.history[me, i]
    view.me = me
    view.hand = state.hands[me]
    view.shown = state.shown[me] & state.hands[me]
    view.theirs = state.shown[1 - me] | state.melded[1 - me]
    if _sees_hand(state, me):
        view.theirs = state.hands[1 - me]
    view.stock = 52 - state.used
    _copy_public(state, view)
    if options.knock_face_down and state.phase != Phase.OVER and state.knocker == 1 - me:
        _hide_knock_card(view)


@kernel
def _copy_public(source: State | View, target: State | View) -> None:
    for seat in range(2):
        target.melded[seat] = source.melded[seat]
        target.scores[seat] = source.scores[seat]
        for i in range(LAYOUT):
            target.melds[seat, i] = source.melds[seat, i]
    target.pile = source.pile
    target.first_upcard = source.first_upcard
    target.upcard = source.upcard
    target.turn = source.turn
    target.opener = source.opener
    target.starter = source.starter
    target.seat = source.seat
    target.phase = source.phase
    target.taken = source.taken
    target.takes = source.takes
    target.passes = source.passes
    target.knocker = source.knocker
    target.outcome = source.outcome


@kernel
def _sees_hand(state: State, me: Seat) -> bool:
    """Whether the other hand lies open: the knocker's at once, the defender's at the end."""
    if state.knocker == NONE:
        return False
    return state.phase == Phase.OVER or (state.knocker != me and state.phase == Phase.DEFEND)


@kernel
def _hide_knock_card(view: View) -> None:
    view.pile &= ~(1 << int(view.upcard))
    view.upcard = HIDDEN
    # With [:] it has the same array type as in a state, so `note` is compiled only once.
    note(view.history[:], 16 * (int(view.turn) - 1) + 8, HIDDEN)


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Sample a determinization of `view` into `state`.

    Every way to deal the cards that are hidden from this seat is equally likely. The order of the
    other seat's draws from the stock stays HIDDEN, even from that seat.
    """
    me = int(view.me)
    _copy_public(view, state)
    state.used = 52 - view.stock
    for i in range(HISTORY):
        state.history[0, i] = view.history[i]
        state.history[1, i] = view.history[i]
    _deal_hidden(view, generator, state)
    state.hands[me] = view.hand
    state.shown[me] = view.shown
    state.shown[1 - me] = _taken_and_kept(view, 1 - me)
    for turn in range(_draws(view)):
        if drawn(view, turn) >= 0 and not was_taken(view, turn):
            note(state.history[1 - me], 16 * turn, HIDDEN)


@kernel
def _deal_hidden(view: View, generator: Generator, state: State) -> None:
    """Shuffle the unseen cards into the face-down knock card, the other hand and the stock."""
    hand = int(view.theirs)
    if view.upcard == HIDDEN:
        hand |= _taken_and_kept(view, 1 - view.me)
    unseen = ~(int(view.hand) | hand | int(view.pile)) & PACK
    place = 0
    for cards in (PACK & ~unseen, unseen):
        while cards:
            card = lowest(cards)
            cards ^= 1 << card
            state.deck[place] = card
            place += 1
    place = 52 - size(unseen)
    rng.shuffle(generator, state.deck, place, 52)
    while place < 52 - view.stock:
        hand |= 1 << int(state.deck[place])
        place += 1
    if view.upcard == HIDDEN:
        card = _any_face_down(view, generator, hand)
        hand ^= 1 << card
        state.upcard = card
        state.pile |= 1 << card
        note(state.history[1 - view.me], 16 * (int(view.turn) - 1) + 8, card)
    state.hands[1 - view.me] = hand


@kernel
def _any_face_down(view: View, generator: Generator, cards: Cards) -> int:
    """A random card that the knocker may have put face down, of eleven."""
    open_cards = view.theirs if view.phase == Phase.DEFEND else view.melded[view.knocker]
    return any_card(cards & ~int(open_cards), generator)


@kernel
def _taken_and_kept(view: View, seat: Seat) -> Cards:
    kept = 0
    for turn in range(_draws(view)):
        if (int(view.opener) + turn) % 2 == seat:
            if was_taken(view, turn):
                kept |= 1 << drawn(view, turn)
            if turn < view.turn and thrown(view, turn) >= 0:
                kept &= ~(1 << thrown(view, turn))
    return kept


@kernel
def _draws(view: View) -> int:
    """The number of turns that have begun with a draw."""
    return int(view.turn) + 1 if view.phase == Phase.DISCARD else int(view.turn)
