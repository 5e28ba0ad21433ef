"""The paper's 208 features of a view of Gin: four planes of 52 cards.

The planes are: cards in hand (+1) and on the discard pile (-1); cards that the other seat took from
the pile; cards that it refused; cards that it threw. The last three contain the turn of the event,
"1 for their first turn, 2 for their second turn, and so on", as unscaled integers, since the paper
mentions no scaling. The paper leaves these points open:

- a card that is taken, refused or thrown again keeps the later turn;
- passing the first upcard is a refusal in the first turn;
- a refused card is one that the seat could take: the forced draw after two passes refuses nothing;
- within a plane a card has its number, 13 * suit + rank.
"""

from undercut.cards.french import HIDDEN, lowest
from undercut.games.gin.rules.layout import Phase, View, drawn, thrown, was_taken
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Array, Records

TAKEN, REFUSED, THROWN = 52, 104, 156  # the offset of each plane; the first has the open cards
FEATURES = 208
VERSION = 1  # rises when the features of a view change


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
    """The starter may pass first, then the dealer."""
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
