"""The view of a seat of Rummy: `observe` makes it from a state, `complete` samples a state for it.

Players have perfect recall: they know the discard pile in order, and after the pile was turned
over also the stock.
"""

from undercut.cards.french import NONE, PACK, Cards, lowest, size
from undercut.games.rummy.rules.layout import FIRST, QUEUE, TABLE, Options, Phase, State, View
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Buffer, Seat
from undercut.kernels.rng import Generator


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with all that seat `me` may know, and nothing else.

    After the last card of the first stock, the cards that a seat has not seen are the other hand.
    """
    is_known = state.turnovers > 0 or state.stock == 0
    lies_open = is_known or state.phase == Phase.OVER
    view.me = me
    view.hand = state.hands[me]
    view.theirs = state.hands[1 - me] if lies_open else state.shown[1 - me]
    view.shown = state.hands[me] if lies_open else state.shown[me]
    view.held = size(int(state.hands[1 - me]))
    # While the first stock lasts, the pile begins in place 0 of the ring.
    front = int(state.front) if is_known else 0
    known = int(state.pile) + int(state.stock) if is_known else int(state.pile)
    for place in range(QUEUE):
        is_open = (place - front) & (QUEUE - 1) < known
        view.queue[place] = state.deck[FIRST + place] if is_open else NONE
    _copy_public(state, view)


@kernel
def _copy_public(source: State | View, target: State | View) -> None:
    for seat in range(2):
        target.thrown[seat] = source.thrown[seat]
        target.refused[seat] = source.refused[seat]
        target.laid[seat] = source.laid[seat]
        target.scores[seat] = source.scores[seat]
        target.opened[seat] = source.opened[seat]
    target.fresh = source.fresh
    target.sets = source.sets
    target.starts = source.starts
    target.turn = source.turn
    target.takes = source.takes
    for i in range(TABLE):
        target.table[i] = source.table[i]
    target.melds = source.melds
    target.front = source.front
    target.stock = source.stock
    target.pile = source.pile
    target.turnovers = source.turnovers
    target.starter = source.starter
    target.seat = source.seat
    target.phase = source.phase
    target.upcard = source.upcard
    target.taken = source.taken
    target.winner = source.winner
    target.outcome = source.outcome


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Sample a determinization of `view` into `state`; all of them are equally likely."""
    me = int(view.me)
    _copy_public(view, state)
    state.hands[me] = view.hand
    state.shown[me] = view.shown
    state.shown[1 - me] = view.theirs
    for place in range(QUEUE):
        state.deck[FIRST + place] = view.queue[place]
    state.hands[1 - me] = _deal_hidden(view, generator, state.deck)


@kernel
def unseen(view: View) -> Cards:
    """The cards that may lie in the stock or in the other hand."""
    cards = int(view.hand) | int(view.theirs) | int(view.laid[0]) | int(view.laid[1])
    for place in range(QUEUE):
        if view.queue[place] != NONE:
            cards |= 1 << int(view.queue[place])
    return PACK & ~cards


@kernel
def _deal_hidden(view: View, generator: Generator, deck: Buffer) -> Cards:
    """Deal the unseen cards to the other hand and the stock; return the hand."""
    cards = unseen(view)
    hand = int(view.theirs)
    if cards == 0:
        return hand
    # Cards for the hand lie at the beginning of the deck, cards for the stock in their place in the
    # queue. To deal a card is to exchange it with a random one that is not dealt yet.
    missing = int(view.held) - size(hand)
    stock = FIRST + int(view.front)
    for i in range(missing + int(view.stock)):
        card = lowest(cards)
        cards ^= 1 << card
        deck[i if i < missing else stock + i - missing] = card
    for i in range(missing):
        other = i + rng.below(generator, missing + int(view.stock) - i)
        place = other if other < missing else stock + other - missing
        deck[i], deck[place] = deck[place], deck[i]
        hand |= 1 << int(deck[i])
    rng.shuffle(generator, deck, stock, stock + int(view.stock))
    return hand
