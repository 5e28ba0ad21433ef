"""The view of a seat of Pharaoh: `observe` makes it from a state, `complete` samples a state.

Every player sees the pile grow and the size of every hand. At a shuffle of the pile all players
know its cards, so they know the other cards too, but not in which hand each of these is. An unseen
card is either from the last shuffle (`shuffled`) or older: in some hand since before. A drawn card
is from the last shuffle, and a played card shows its kind. So the view has both sets, and for each
seat the number of cards of each kind.
"""

from undercut.cards.french import lowest, size
from undercut.cards.german import PACK, Cards
from undercut.games.contract import MAX_SEATS
from undercut.games.pharaoh.rules.layout import Options, State, View
from undercut.games.rules.usual import cards_in
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Buffer, Seat
from undercut.kernels.rng import Generator


@kernel
def clear_view(view: View) -> None:
    """Prepare a view with uninitialised memory for `observe`."""
    for seat in range(MAX_SEATS):
        view.held[seat] = 0
        view.fresh[seat] = 0


@kernel
def observe(state: State, options: Options, me: Seat, view: View) -> None:
    """Fill `view` with all that seat `me` may know, and nothing else."""
    view.me = me
    view.players = options.players
    view.hand = state.hands[me]
    for seat in range(options.players):
        hand = int(state.hands[seat])
        view.held[seat] = size(hand)
        view.fresh[seat] = size(hand & int(state.shuffled))
    _copy_public(state, view)


@kernel
def _copy_public(source: State | View, target: State | View) -> None:
    for seat in range(MAX_SEATS):  # a fixed number compiles to one copy
        target.denied[seat] = source.denied[seat]
        target.gained[seat] = source.gained[seat]
        target.out_at[seat] = source.out_at[seat]
        target.scores[seat] = source.scores[seat]
    for number in range(32):
        target.pile[number] = source.pile[number]
    target.shuffled = source.shuffled
    target.moves = source.moves
    target.reshuffles = source.reshuffles
    target.idle = source.idle
    target.stock = source.stock
    target.piled = source.piled
    target.ace = source.ace
    target.suit = source.suit
    target.value = source.value
    target.count = source.count
    target.seat = source.seat
    target.starter = source.starter
    target.left = source.left
    target.just_out = source.just_out
    target.outcome = source.outcome


@kernel
def on_pile(view: View) -> Cards:
    """The cards of the discard pile."""
    return cards_in(view.pile, 0, int(view.piled))


@kernel
def unseen_fresh(view: View) -> Cards:
    """The cards of the last shuffle that are in the stock or in other hands."""
    return int(view.shuffled) & ~int(view.hand)


@kernel
def unseen_old(view: View) -> Cards:
    """The cards that were already in other hands at the last shuffle."""
    return old_beside(view, on_pile(view))


@kernel
def old_beside(view: View, pile: Cards) -> Cards:
    """The same as `unseen_old`, for callers that have the cards of the pile already."""
    return PACK & ~int(view.shuffled) & ~int(view.hand) & ~pile


@kernel
def complete(view: View, options: Options, generator: Generator, state: State) -> None:
    """Sample a determinization of `view` into `state`; all of them are equally likely."""
    for seat in range(options.players, MAX_SEATS):
        state.hands[seat] = 0
    _copy_public(view, state)
    state.draws = 0
    state.penalties = 0
    state.skips = 0
    state.quads = 0
    state.returns = 0
    high = rng.word(generator)
    rng.start(state.chance, ((high & 0x7FFFFFFF) << 32) | rng.word(generator))
    _deal_hidden(view, options, generator, state)


@kernel
def _deal_hidden(view: View, options: Options, generator: Generator, state: State) -> None:
    """Deal each set of unseen cards to the seats that hold some, the rest to the stock."""
    fresh, end = _shuffled(unseen_fresh(view), generator, state.deck, 0)
    old, _ = _shuffled(unseen_old(view), generator, state.deck, end)
    for seat in range(options.players):
        hand = 0
        if seat == view.me:
            hand = int(view.hand)
        else:
            for _ in range(view.fresh[seat]):
                hand |= 1 << int(state.deck[fresh])
                fresh += 1
            for _ in range(int(view.held[seat]) - int(view.fresh[seat])):
                hand |= 1 << int(state.deck[old])
                old += 1
        state.hands[seat] = hand
    state.front = fresh


@kernel
def _shuffled(cards: Cards, generator: Generator, deck: Buffer, first: int) -> tuple[int, int]:
    """Put a set of cards into the deck in random order; return where they begin and end."""
    end = first
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        deck[end] = card
        end += 1
    rng.shuffle(generator, deck, first, end)
    return first, end
