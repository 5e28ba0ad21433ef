"""The EAAI competition's SimpleGinRummyPlayer."""

from typing import Annotated, NamedTuple

from undercut.cards.french import Cards, card_points, lowest
from undercut.cards.melds import deadwood, in_melds
from undercut.games.gin.players.strategy.laying import WORKSPACE as LAYOUT_WORKSPACE
from undercut.games.gin.players.strategy.laying import knock_if_legal, lay_any_cheapest
from undercut.games.gin.rules import deal as gin
from undercut.games.gin.rules.deal import Phase
from undercut.games.gin.rules.layout import Options, View
from undercut.games.rules.usual import any_card
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action
from undercut.play.agent import Turn
from undercut.players.entry import Entry
from undercut.text.spec import Option

WORKSPACE = LAYOUT_WORKSPACE


class Settings(NamedTuple):
    """When it goes out."""

    knock_at: Annotated[
        int, Option(0, 99, "go out with at most this much deadwood, if the rules allow it")
    ] = 99


@kernel
def choose(view: View, turn: Turn[Options, Settings]) -> Action:
    """Take cards that make a meld, throw for the least deadwood, knock at once."""
    if view.phase == Phase.DISCARD:
        best, left = best_discards(view, turn.options)
        card = any_card(best, turn.generator)
        return knock_if_legal(card, turn.legal) if left <= turn.settings.knock_at else card
    if view.phase == Phase.DRAW or view.phase == Phase.OFFER:
        upcard = 1 << int(view.upcard)
        if in_melds(int(view.hand) | upcard) & upcard:
            return gin.TAKE
        return gin.DRAW if view.phase == Phase.DRAW else gin.PASS
    return lay_any_cheapest(view, turn.legal, turn.options, turn.generator, turn.workspace)


@kernel
def best_discards(view: View, options: Options) -> tuple[Cards, int]:
    """The discards with the least deadwood, and this deadwood; one of them is thrown by chance.

    The player repeats no exchange.
    """
    hand = int(view.hand)
    face_points = int(options.face_points)
    whole = deadwood(hand, face_points)
    melded = in_melds(hand)
    choices = hand & ~_forbidden(view)
    # Cards in no meld first: they need no search. Most others then need none either, since a
    # discard lowers deadwood at most by its own points.
    most, best = 0, 0
    cards = choices & ~melded
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        value = card_points(card, face_points)
        if value >= most:
            best = best | (1 << card) if value == most else 1 << card
            most = value
    least = whole - most if best else 1 << 20
    cards = choices & melded
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        if whole - card_points(card, face_points) <= least:
            left = deadwood(hand & ~(1 << card), face_points)
            if left <= least:
                best = best | (1 << card) if left == least else 1 << card
                least = left
    return best, least


@kernel
def _forbidden(view: View) -> Cards:
    """The card just taken, and discards that would repeat or undo an exchange of this seat.

    A card from the stock is new, so no exchange with it is a repetition.
    """
    taken = int(view.taken)
    if taken < 0:
        return 0
    cards = 1 << taken
    turn = int(view.turn) - 2
    while turn >= 0:
        was_drawn, was_thrown = gin.drawn(view, turn), gin.thrown(view, turn)
        if was_drawn == taken:
            cards |= 1 << was_thrown
        if was_thrown == taken and was_drawn >= 0:
            cards |= 1 << was_drawn
        turn -= 2
    return cards


AGENT = Entry(
    "The competition's SimpleGinRummyPlayer: takes what makes a meld, throws what leaves "
    "least deadwood, knocks at once.",
    choose,
    Settings(),
    WORKSPACE,
)
