"""Determinizations in which the other hand improves during the round.

In a uniform sample, the other hand would be as loose late in a round as at its beginning. A real
player improves his hand turn by turn. So this sampler tries random exchanges between the hand and
the stock, and keeps each exchange that does not make the hand worse.
"""

from undercut.cards.french import Cards, points, size
from undercut.games.rules.usual import any_card
from undercut.games.rummy.players.strategy.hand import loose_cards, meld_outs
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import Options, State, View
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.rng import Generator

_PASSED_OVER = 5  # the penalty for each discard that its player passed over, but which makes a meld


@cold_kernel
def guess(view: View, options: Options, craft: int, generator: Generator, state: State) -> None:
    """Sample a determinization of `view` into `state`.

    It tries `craft` exchanges for each turn of the other player; 0 makes all deals equally likely.
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
        card = any_card(hidden, generator)
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
    """A score for the looseness of the other hand: less is better."""
    other = 1 - int(view.me)
    passed = int(view.refused[other]) | int(view.thrown[other])
    outs = meld_outs(hand)
    return points(loose_cards(view, hand), 10) - size(outs) + _PASSED_OVER * size(outs & passed)
