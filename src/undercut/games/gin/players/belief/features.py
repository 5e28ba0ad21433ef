"""A view of gin as the 208 numbers of the paper: four planes of 52 cards.

Plane by plane: cards in hand (+1) and on the discard pile (-1); cards the other seat took from the
pile; cards it refused; cards it threw. The last three hold the turn in which it happened, "1 for
their first turn, 2 for their second turn, and so on": whole numbers as they are, without scaling,
since the paper mentions none. Where the paper is silent:

- a card that is taken, refused or thrown again keeps the later turn;
- passing the first upcard is a refusal in the first turn;
- a refused card is one that could be taken: the forced draw after two passes refuses nothing;
- within a plane a card has its number, 13 * suit + rank.
"""

from undercut.cards.french import HIDDEN, lowest
from undercut.games.gin.rules.layout import Phase, View, drawn, thrown, was_taken
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Array, Records

TAKEN, REFUSED, THROWN = 52, 104, 156  # where each plane begins; the first holds what lies open
FEATURES = 208
VERSION = 1  # rises when a view comes to mean other numbers


@kernel
def fill_features(view: View, out: Array) -> None:
    """Write the features of a view: `out` has room for 208 numbers of any kind."""
    for i in range(FEATURES):
        out[i] = 0
    _fill(int(view.hand), 1, out)
    _fill(int(view.pile), -1, out)
    them = 1 - int(view.me)
    _fill_refused_offer(view, them, out)
    for turn in range(them ^ int(view.opener), int(view.turn) + 1, 2):
        if turn < view.turn or view.phase == Phase.DISCARD:
            _fill_draw(view, turn, out)
        if turn < view.turn and thrown(view, turn) >= 0:
            out[THROWN + thrown(view, turn)] = turn // 2 + 1


@kernel
def _fill(cards: int, value: int, out: Array) -> None:
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        out[card] = value


@kernel
def _fill_refused_offer(view: View, them: int, out: Array) -> None:
    """The starter is the first who may pass, the dealer the second."""
    passes_before = 0 if view.starter == them else 1
    if view.passes > passes_before:
        out[REFUSED + int(view.first_upcard)] = 1


@kernel
def _fill_draw(view: View, turn: int, out: Array) -> None:
    if was_taken(view, turn):
        out[TAKEN + drawn(view, turn)] = turn // 2 + 1
    elif turn > 0 and drawn(view, turn) == HIDDEN:
        out[REFUSED + thrown(view, turn - 1)] = turn // 2 + 1


@cold_kernel
def fill_all_features(views: Records, out: Array) -> None:
    """The features of many views, a row for each."""
    for i in range(len(views)):
        fill_features(views[i], out[i])
