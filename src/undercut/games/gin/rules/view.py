"""What a seat of gin may know: `observe` makes a view of a state, `complete` a state of a view."""

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
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Seat
from undercut.kernels.rng import Generator


@kernel
def clear_view(view: View) -> None:
    """Prepare a view for `observe` whose memory may hold anything."""
    view.turn = 0
    for i in range(HISTORY):
        view.history[i] = 0


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with what seat `me` may know, and nothing else.

    The view is cleared or was filled before, so its history beyond its own last turn is 0.
    """
    for i in range((max(int(view.turn), int(state.turn)) >> 2) + 1):
        view.history[i] = state.history[me, i]
    view.me = me
    view.hand = state.hands[me]
    view.shown = state.shown[me] & state.hands[me]
    view.theirs = state.shown[1 - me] | state.melded[1 - me]
    if _sees_hand(state, me):
        view.theirs = state.hands[1 - me]
    for seat in range(2):
        view.melded[seat] = state.melded[seat]
        view.scores[seat] = state.scores[seat]
        for i in range(LAYOUT):
            view.melds[seat, i] = state.melds[seat, i]
    view.pile = state.pile
    view.first_upcard = state.first_upcard
    view.upcard = state.upcard
    view.stock = 52 - state.used
    view.turn = state.turn
    view.opener = state.opener
    view.starter = state.starter
    view.seat = state.seat
    view.phase = state.phase
    view.taken = state.taken
    view.takes = state.takes
    view.passes = state.passes
    view.knocker = state.knocker
    view.outcome = state.outcome
    if options.knock_face_down and state.phase != Phase.OVER and state.knocker == 1 - me:
        _hide_knock_card(view)


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
    # With [:] it is an array like those of a state, and `note` is compiled once.
    note(view.history[:], 16 * (int(view.turn) - 1) + 8, HIDDEN)


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat, the rest by chance.

    Every way to deal the cards this seat cannot know is equally likely. When the other seat
    drew which of its cards stays HIDDEN, even from the other seat.
    """
    me = int(view.me)
    _copy_public(view, state)
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
    """A card that the knocker may have put face down, of the eleven he had."""
    open_cards = view.theirs if view.phase == Phase.DEFEND else view.melded[view.knocker]
    choices = cards & ~int(open_cards)
    for _ in range(rng.below(generator, size(choices))):
        choices ^= 1 << lowest(choices)
    return lowest(choices)


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
    """How many turns have had their draw."""
    return int(view.turn) + 1 if view.phase == Phase.DISCARD else int(view.turn)


@kernel
def _copy_public(view: View, state: State) -> None:
    for seat in range(2):
        state.melded[seat] = view.melded[seat]
        state.scores[seat] = view.scores[seat]
        for i in range(LAYOUT):
            state.melds[seat, i] = view.melds[seat, i]
    for i in range(HISTORY):
        state.history[0, i] = view.history[i]
        state.history[1, i] = view.history[i]
    state.pile = view.pile
    state.first_upcard = view.first_upcard
    state.upcard = view.upcard
    state.used = 52 - view.stock
    state.turn = view.turn
    state.opener = view.opener
    state.starter = view.starter
    state.seat = view.seat
    state.phase = view.phase
    state.taken = view.taken
    state.takes = view.takes
    state.passes = view.passes
    state.knocker = view.knocker
    state.outcome = view.outcome
