"""A good simple player: it minimises deadwood, then keeps cards that may still become melds."""

from typing import Annotated, NamedTuple

from undercut.cards.french import NONE, Card, Cards, lowest, points, size
from undercut.cards.melds import deadwood, deadwood_without, in_melds
from undercut.games.gin.players.strategy.laying import WORKSPACE as LAYOUT_WORKSPACE
from undercut.games.gin.players.strategy.laying import knock_if_legal, lay_cheapest
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.rules.layout import Options, View
from undercut.kernels import rng
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action
from undercut.kernels.rng import Generator
from undercut.play.agent import Turn
from undercut.players.entry import Entry
from undercut.text.spec import Option

WORKSPACE = LAYOUT_WORKSPACE

_SAME_SUIT_BELOW_KING: Cards = sum(0b0111111111111 << 13 * suit for suit in range(4))
_SAME_SUIT_BELOW_QUEEN: Cards = sum(0b0011111111111 << 13 * suit for suit in range(4))


class Settings(NamedTuple):
    """The weights of its evaluation."""

    link: Annotated[
        float,
        Option(0.0, 20.0, "the worth of a pair or two neighbours in hand, in points of deadwood"),
    ] = 1.0


@kernel
def choose(view: View, turn: Turn[Options, Settings]) -> Action:
    """Take only cards that lower deadwood; throw high cards without links; knock at once."""
    if view.phase == Phase.DISCARD:
        card = _discard(
            int(view.hand), int(view.taken), turn.options, turn.settings, turn.generator
        )
        return knock_if_legal(card, turn.legal)
    if view.phase == Phase.DRAW or view.phase == Phase.OFFER:
        if _is_worth_taking(view, turn.options):
            return gin.TAKE
        return gin.DRAW if view.phase == Phase.DRAW else gin.PASS
    return lay_cheapest(view, turn.legal, turn.options, turn.workspace)


@kernel
def _is_worth_taking(view: View, options: Options) -> bool:
    hand = int(view.hand)
    with_upcard = hand | (1 << int(view.upcard))
    whole = deadwood(with_upcard, options.face_points)
    before = deadwood(hand, options.face_points)
    melded = in_melds(with_upcard)
    left = hand
    while left:
        card = lowest(left)
        left ^= 1 << card
        if deadwood_without(with_upcard, card, melded, whole, options.face_points) < before:
            return True
    return False


@kernel
def _discard(
    hand: Cards, taken: Card, options: Options, settings: Settings, generator: Generator
) -> Card:
    whole = deadwood(hand, options.face_points)
    melded = in_melds(hand)
    best, least, ties = NONE, 1e9, 0
    left = hand if taken < 0 else hand & ~(1 << taken)
    while left:
        card = lowest(left)
        left ^= 1 << card
        cost = 1.0 * deadwood_without(hand, card, melded, whole, options.face_points)
        # A thousandth of its points breaks a tie in favour of the highest card.
        cost -= settings.link * links(hand & ~(1 << card))
        cost -= points(1 << card, 13) * 0.001
        if cost < least:
            best, least, ties = card, cost, 1
        elif cost == least:
            ties += 1
            if rng.below(generator, ties) == 0:
                best = card
    return best


@kernel
def links(cards: Cards) -> int:
    """The number of two-card beginnings of melds: pairs, neighbours, and neighbours with a gap."""
    pairs = 0
    for distance in (13, 26, 39):
        pairs += size(cards & (cards >> distance))
    neighbours = size(cards & (cards >> 1) & _SAME_SUIT_BELOW_KING)
    return pairs + neighbours + size(cards & (cards >> 2) & _SAME_SUIT_BELOW_QUEEN)


AGENT = Entry(
    "Takes only what lowers deadwood, throws high cards without friends, knocks at once.",
    choose,
    Settings(),
    WORKSPACE,
)
