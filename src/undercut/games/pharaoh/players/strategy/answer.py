"""The next player's answers to a move of Pharaoh, and their probability by one seat's knowledge."""

from undercut.cards.french import NONE, size
from undercut.cards.german import ACE, LEAVES, LEAVES_UNDER, OVER, PACK, SEVEN, UNDER, Cards
from undercut.games.pharaoh.rules import deal as pharaoh
from undercut.games.pharaoh.rules.layout import (
    TUPLES,
    Options,
    View,
    named_suit,
    played_value,
    tuple_size,
    tuple_suits,
)
from undercut.games.pharaoh.rules.view import unseen_fresh, unseen_old
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Seat

SUIT: Cards = sum(1 << 4 * value for value in range(8))  # all cards of suit 0
VALUE: Cards = 0b1111  # all cards of value 0


@kernel
def length(action: Action) -> int:
    """The number of cards in a play."""
    return tuple_size((action - pharaoh.PLAY) % TUPLES)


@kernel
def top_suit(action: Action) -> int:
    """The suit to match after a play."""
    if played_value(action) == OVER:
        return named_suit(action)
    number = (action - pharaoh.PLAY) % TUPLES
    return tuple_suits(number)[tuple_size(number) - 1]


@kernel
def next_seat(view: View, options: Options) -> Seat:
    """The seat that moves after the seat on turn."""
    seat = (int(view.seat) + 1) % int(options.players)
    while view.out_at[seat] != NONE:
        seat = (seat + 1) % int(options.players)
    return seat


@kernel
def answers(view: View, options: Options, action: Action) -> Cards:
    """The legal first cards after a play, in whatever hand they are."""
    value, cards = played_value(action), length(action)
    is_burned = cards == 4 and options.quads and not options.quad_effects
    overs = VALUE << 4 * OVER
    under = (1 << LEAVES_UNDER) if options.leaves_under else 0
    if value == ACE and not is_burned:
        aces = VALUE << 4 * ACE if options.aces_stack else 0
        return aces | (overs if options.over_on_active else 0)
    if value == SEVEN and not is_burned:
        return VALUE << 4 * SEVEN | under | (overs if options.over_on_active else 0)
    suit = top_suit(action)
    if value == UNDER and suit == LEAVES and options.leaves_under:
        return PACK
    return SUIT << suit | VALUE << 4 * value | overs | under


@kernel
def answer_chance(view: View, seat: Seat, cards: Cards) -> float:
    """The estimated probability that another seat holds one of some cards.

    We assume that a player who draws holds no legal first card at that time. Other cards may be
    anywhere.
    """
    late = min(int(view.gained[seat]), int(view.fresh[seat]))
    early = int(view.fresh[seat]) - late
    old = int(view.held[seat]) - int(view.fresh[seat])
    kept = cards & ~int(view.denied[seat])
    none = _none_of(unseen_fresh(view), cards, late)
    none *= _none_of(unseen_fresh(view), kept, early)
    none *= _none_of(unseen_old(view), kept, old)
    return 1.0 - none


@kernel
def _none_of(pool: Cards, cards: Cards, drawn: int) -> float:
    """The probability that `drawn` cards from a pool contain none of some cards."""
    all_cards = size(pool)
    others = all_cards - size(pool & cards)
    chance = 1.0
    for i in range(drawn):
        chance *= max(0, others - i) / max(1, all_cards - i)
    return chance
