"""A Rummy player that counts cards: what can still come, and what the other may be waiting for."""

from typing import NamedTuple

from undercut.agents.rummy_hand import best_put_down, can_be_put_down, fits_table
from undercut.agents.rummy_restrictions import LIMITS as RESTRICTION_LIMITS
from undercut.agents.rummy_restrictions import restrict
from undercut.core.cards import NONE, Card, Cards, card_points, lowest, size
from undercut.core.game import Action, Buffer, Options, View
from undercut.core.jit import cold_kernel, kernel
from undercut.core.rng import Generator, below
from undercut.games import rummy
from undercut.games.rummy import Phase

WORKSPACE = rummy.LEGAL

_ACES: Cards = sum(1 << 13 * suit for suit in range(4))
_QUEENS: Cards = _ACES << 11
_KINGS: Cards = _ACES << 12
_SUIT: Cards = 0b1111111111111


class Settings(NamedTuple):
    """The restrictions it puts on itself, then what things are worth, in points of the hand."""

    meld_everything: int = 0
    prefer_new: int = 0
    longest: int = 0
    prefer_runs: int = 0
    as_coded: int = 0
    outs: float = 3.0  # a card that may still come and would complete a meld
    chain: float = 1.0  # a card that may still come and would let another be laid off
    theirs: float = 0.3  # how much of a card that may come is one that the other seat holds
    close: float = 10.0  # how much more a point in hand costs when the other seat has one card
    danger: float = 20.0  # a discard that the other seat can put down
    doubt: float = 0.5  # how likely he holds a card next to one he threw or passed over
    take: float = 6.0  # how much better than the hand before it a taken card must make it


LIMITS = RESTRICTION_LIMITS | {
    "outs": (0.0, 100.0),
    "chain": (0.0, 100.0),
    "theirs": (0.0, 1.0),
    "close": (0.0, 100.0),
    "danger": (0.0, 1000.0),
    "doubt": (0.0, 1.0),
    "take": (-100.0, 1000.0),
}


@kernel
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Settings,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """Put everything down; keep what can still become melds; throw what nobody can use."""
    if view.phase == Phase.DRAW:
        return _draw(view, options, settings)
    if legal[len(legal) - 1] >= rummy.MELD:
        count = restrict(view, legal, settings, workspace)
        action = best_put_down(view, workspace[:count])
        if action != NONE:
            return action
    return _discard(view, int(view.hand), _forbidden(view, options), settings, generator)


@kernel
def _forbidden(view: View, options: Options) -> Cards:
    if view.taken != NONE and not options.may_discard_taken:
        return 1 << int(view.taken)
    return 0


@kernel
def meld_outs(hand: Cards) -> Cards:
    """The cards that would make a meld with two cards of a hand."""
    clubs, diamonds = hand & _SUIT, (hand >> 13) & _SUIT
    hearts, spades = (hand >> 26) & _SUIT, hand >> 39
    pairs = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    neighbours = hand & (hand >> 1) & ~_KINGS
    around = ((neighbours & ~_ACES) >> 1) | ((neighbours & ~_QUEENS) << 2)
    between = (hand & (hand >> 2) & ~(_QUEENS | _KINGS)) << 1
    return ((pairs * _ACES) | around | between) & ~hand


@kernel
def chain_outs(view: View, hand: Cards) -> Cards:
    """The cards that could be laid off and would let a card of the hand follow."""
    starts = int(view.starts)
    low = rummy.fits_below(starts) & ((hand & ~_KINGS) << 1)
    high = rummy.fits_above(rummy.runs(view), starts) & ((hand & ~_ACES) >> 1)
    return (low | high) & ~hand


@kernel
def coming(view: View) -> Cards:
    """The cards that may still be drawn from the stock."""
    cards = rummy.unseen(view)
    if view.turnovers > 0:
        for number in range(int(view.stock)):
            cards |= 1 << rummy.stock_card(view, number)
    return cards


@kernel
def _promise(view: View, hand: Cards, live: Cards, settings: Settings) -> float:
    """What the cards that may still come are worth to a hand."""
    melds = meld_outs(hand)
    chains = chain_outs(view, hand) & ~melds
    theirs = int(view.theirs)
    value = settings.outs * (size(melds & live) + settings.theirs * size(melds & theirs))
    return value + settings.chain * (size(chains & live) + settings.theirs * size(chains & theirs))


@kernel
def _point_cost(view: View, settings: Settings) -> float:
    """What a point in hand costs: more when the other seat is about to go out."""
    return 1.0 + settings.close / max(1, int(view.held))


@cold_kernel
def _discard(
    view: View, hand: Cards, forbidden: Cards, settings: Settings, generator: Generator
) -> Card:
    live = coming(view)
    cost = _point_cost(view, settings)
    best, most, ties = NONE, -1e9, 0
    left = hand & ~forbidden
    while left:
        card = lowest(left)
        left ^= 1 << card
        value = _promise(view, hand & ~(1 << card), live, settings)
        value += cost * card_points(card, 10) - settings.danger * use(view, card, live, settings)
        if value > most:
            best, most, ties = card, value, 1
        elif value == most:
            ties += 1
            if below(generator, ties) == 0:
                best = card
    return best


@kernel
def use(view: View, card: Card, live: Cards, settings: Settings) -> float:
    """How likely the other seat can put a discard down at once."""
    single = 1 << card
    if fits_table(int(view.sets), rummy.runs(view), int(view.starts)) & single:
        return 1.0
    unknown = size(live) if view.turnovers == 0 else 0
    hidden = int(view.held) - size(int(view.theirs))
    share = hidden / unknown if unknown > 0 else 0.0
    doubtful = _near(int(view.thrown[1 - view.me]) | int(view.refused[1 - view.me]))
    theirs = int(view.theirs)
    rank = card % 13
    suit = card - rank
    total = 0.0
    before = 0.0
    for place in range(rank - 2, rank + 3):
        if place == rank:
            continue
        here = 0.0
        if 0 <= place < 13:
            here = _holds(theirs, live, doubtful, suit + place, share, settings.doubt)
        # Of the four neighbours each two in a row make a run with the card.
        total += before * here
        before = here
    before = 0.0
    for other in range(4):
        if 13 * other != suit:
            here = _holds(theirs, live, doubtful, 13 * other + rank, share, settings.doubt)
            total += before * here
            before += here
    return min(1.0, total)


@kernel
def _near(cards: Cards) -> Cards:
    """The cards of the same rank as some card or next to it in its suit."""
    ranks = (cards | (cards >> 13) | (cards >> 26) | (cards >> 39)) & _SUIT
    return (ranks * _ACES) | ((cards & ~_KINGS) << 1) | ((cards & ~_ACES) >> 1)


@kernel
def _holds(
    theirs: Cards, live: Cards, doubtful: Cards, card: Card, share: float, doubt: float
) -> float:
    """How likely the other seat holds a card."""
    if (theirs >> card) & 1:
        return 1.0
    if not (live >> card) & 1:
        return 0.0
    return share * doubt if (doubtful >> card) & 1 else share


@cold_kernel
def _draw(view: View, options: Options, settings: Settings) -> Action:
    other = rummy.DRAW if view.stock > 0 else rummy.TURN_OVER
    upcard = int(view.upcard)
    if can_be_put_down(view, upcard):
        return rummy.TAKE
    following = next_card(view)
    if following != NONE and can_be_put_down(view, following):
        return other
    live = coming(view)
    hand = int(view.hand)
    before = _promise(view, hand, live, settings) + settings.take
    if following != NONE:
        before = _best_exchange(view, hand, following, 0, live, settings)
    forbidden = 0 if options.may_discard_taken else 1 << upcard
    gain = _best_exchange(view, hand, upcard, forbidden, live, settings)
    return rummy.TAKE if gain > before else other


@kernel
def next_card(view: View) -> Card:
    """The card that the stock would give, where it is known: after a turnover, or before one."""
    if view.stock == 0:
        return rummy.pile_card(view, 0)
    return rummy.stock_card(view, 0)


@kernel
def _best_exchange(
    view: View, hand: Cards, card: Card, forbidden: Cards, live: Cards, settings: Settings
) -> float:
    """What a hand is worth when a card comes in and the best other one is thrown."""
    cost = _point_cost(view, settings)
    hand |= 1 << card
    most = -1e9
    left = hand & ~forbidden
    while left:
        thrown = lowest(left)
        left ^= 1 << thrown
        value = _promise(view, hand & ~(1 << thrown), live, settings)
        most = max(most, value + cost * (card_points(thrown, 10) - card_points(card, 10)))
    return most
