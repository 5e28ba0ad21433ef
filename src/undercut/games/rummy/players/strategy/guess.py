"""Hidden cards dealt by chance, but so that the other hand looks like one that was played for.

Dealt evenly, the other hand would be as loose late in a round as at its beginning. A player who
wants to go out exchanges cards for better ones, turn by turn; so does this: of the cards that
could be in the hand or in the stock, some are exchanged at random, and an exchange stands if the
hand is no worse for it.
"""

from undercut.cards.french import Cards, lowest, points, size
from undercut.games.rummy.players.strategy.hand import loose_cards, meld_outs
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import Options, State, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.rng import Generator

# What it counts against a hand, in points, that a discard it passed over would have made a
# meld in it.
_PASSED_OVER = 5


@cold_kernel
def guess(view: View, options: Options, craft: int, generator: Generator, state: State) -> None:
    """Fill `state` with a position that looks like `view` to its seat.

    For each turn of the other player `craft` exchanges are tried; with 0 every deal is as likely.
    """
    rummy.complete(view, options, generator, state)
    other = 1 - int(view.me)
    hand = int(state.hands[other])
    hidden = hand & ~int(view.theirs)
    if hidden == 0 or view.stock == 0 or view.turnovers > 0:
        return
    worst = _looseness(view, hand)
    for _ in range(craft * ((int(view.turn) + 1) // 2)):
        place = rummy.FIRST + int(view.front) + rng.below(generator, int(view.stock))
        card = _any_card(hidden, generator)
        exchanged = (1 << card) | (1 << int(state.deck[place]))
        looseness = _looseness(view, hand ^ exchanged)
        if looseness <= worst:
            worst = looseness
            hand ^= exchanged
            hidden ^= exchanged
            state.deck[place] = card
    state.hands[other] = hand


@kernel
def _looseness(view: View, hand: Cards) -> int:
    """How far a hand is from one that its player would have made: less is better."""
    other = 1 - int(view.me)
    passed = int(view.refused[other]) | int(view.thrown[other])
    outs = meld_outs(hand)
    return points(loose_cards(view, hand), 10) - size(outs) + _PASSED_OVER * size(outs & passed)


@kernel
def _any_card(cards: Cards, generator: Generator) -> int:
    for _ in range(rng.below(generator, size(cards))):
        cards ^= 1 << lowest(cards)
    return lowest(cards)
