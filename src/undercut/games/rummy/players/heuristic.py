"""A Rummy player that counts cards, and keeps its melds in hand as long as that is safe.

The other player can lay off on melds on the table, and going out at once counts double. So this
player puts nothing down until it can go out, until the other player is close to going out, or until
late in the round if its own hand is still loose.
"""

from typing import Annotated, Any, NamedTuple

from undercut.cards.french import NONE, Card, Cards, card_points, lowest, size
from undercut.games.rummy.players.strategy.hand import (
    best_put_down,
    draw,
    fits_table,
    loose_cards,
    meld_outs,
    unmelded,
)
from undercut.games.rummy.players.strategy.restrictions import Restrictions, restrict
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.deal import Phase
from undercut.games.rummy.rules.layout import Options, View
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer
from undercut.kernels.rng import Generator, below
from undercut.play.agent import Turn
from undercut.players.entry import Entry
from undercut.text.spec import Option, join_fields

WORKSPACE = rummy.LEGAL


class Habits(NamedTuple):
    """The parameters of its evaluation."""

    near: Annotated[
        int, Option(0, 11, "lay down when the other seat has at most this many cards")
    ] = 3
    patience: Annotated[
        int, Option(0, 10_000, "lay down after this many turns without a meld on the table")
    ] = 15
    loose: Annotated[
        int, Option(0, 11, "out of patience, lay down only with at least this many loose cards")
    ] = 3
    outs: Annotated[
        float,
        Option(0.0, 100.0, "the worth of a card that may still come and would complete a meld"),
    ] = 1.4
    points: Annotated[float, Option(0.0, 100.0, "the cost of a point in hand")] = 0.1
    close: Annotated[
        float,
        Option(0.0, 100.0, "the further cost of a point, shared by the cards of the other seat"),
    ] = 1.6
    danger: Annotated[
        float, Option(0.0, 1000.0, "the cost of a discard that the other seat can use")
    ] = 6.5


Settings: Any = join_fields("Settings", Restrictions, Habits)


@kernel
def choose(view: View, turn: Turn[Options, Settings]) -> Action:
    """Take cards that make a meld; hold melds back; throw cards that nobody can use."""
    if view.phase == Phase.DRAW:
        return draw(view)
    if turn.legal[len(turn.legal) - 1] >= rummy.MELD:
        action = _put_down(view, turn.legal, turn.settings, turn.workspace)
        if action != NONE:
            return action
    return _discard(view, turn.options, turn.settings, turn.generator)


@kernel
def _put_down(view: View, legal: Buffer, settings: Settings, workspace: Buffer) -> Action:
    """The next put-down, or NONE to hold everything back."""
    if not settings.meld_everything and not settings.as_coded and _holds_back(view, settings):
        return NONE
    count = restrict(view, legal, settings, workspace)
    return best_put_down(view, workspace[:count])


@kernel
def _holds_back(view: View, settings: Settings) -> bool:
    if view.fresh != 0 or view.held <= settings.near:
        return False
    loose = size(loose_cards(view, int(view.hand)))
    if loose <= 1:
        return False  # the player can throw one card, and so go out
    if view.opened[1 - view.me] != NONE:
        return True
    is_early: bool = view.turn < settings.patience or loose < settings.loose
    return is_early


@kernel
def discards(view: View, options: Options) -> Cards:
    """The legal discards that break no meld, or all legal discards if there are none."""
    cards = int(view.hand)
    if view.taken != NONE and not options.may_discard_taken:
        cards &= ~(1 << int(view.taken))
    loose = unmelded(int(view.hand)) & cards
    return loose if loose else cards


@cold_kernel
def _discard(view: View, options: Options, settings: Settings, generator: Generator) -> Card:
    live = coming(view)
    best, most, ties = NONE, -1e9, 0
    choices = discards(view, options)
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        value = discard_value(view, card, live, settings)
        if value > most:
            best, most, ties = card, value, 1
        elif value == most:
            ties += 1
            if below(generator, ties) == 0:
                best = card
    return best


@kernel
def discard_value(view: View, card: Card, live: Cards, settings: Settings) -> float:
    """The value of a discard."""
    outs = size(meld_outs(int(view.hand) & ~(1 << card)) & live)
    cost = settings.points + settings.close / max(1, int(view.held))
    danger = settings.danger * use(view, card, live)
    worth: float = settings.outs * outs + cost * card_points(card, 10) - danger
    return worth


@kernel
def coming(view: View) -> Cards:
    """The cards that may still be in the stock."""
    cards = rummy.unseen(view)
    if view.turnovers > 0:
        for number in range(int(view.stock)):
            cards |= 1 << rummy.stock_card(view, number)
    return cards


@kernel
def use(view: View, card: Card, live: Cards) -> float:
    """The estimated probability that the other seat can put a discard down."""
    if fits_table(int(view.sets), rummy.runs(view), int(view.starts)) >> card & 1:
        return 1.0
    theirs = int(view.theirs)
    # After the first stock, every card of the other hand is known.
    hidden = int(view.held) - size(theirs)
    share = hidden / max(1, size(live)) if hidden > 0 else 0.0
    rank = card % 13
    suit = card - rank
    total = 0.0
    before = 0.0
    for place in range(rank - 2, rank + 3):
        if place != rank:
            here = 0.0
            if 0 <= place < 13:
                here = _holds(theirs, live, suit + place, share)
            # Each two adjacent cards of the four neighbours make a run with the card.
            total += before * here
            before = here
    before = 0.0
    for other in range(rank, 52, 13):
        if other != card:
            here = _holds(theirs, live, other, share)
            total += before * here
            before += here
    return min(1.0, total)


@kernel
def _holds(theirs: Cards, live: Cards, card: Card, share: float) -> float:
    """The estimated probability that the other seat holds a card."""
    if (theirs >> card) & 1:
        return 1.0
    return share if (live >> card) & 1 else 0.0


AGENT = Entry(
    "Counts cards: keeps what can still become melds, throws what nobody can use.",
    choose,
    Settings(),
    WORKSPACE,
)
