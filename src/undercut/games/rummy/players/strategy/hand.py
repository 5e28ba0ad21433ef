"""What a Rummy hand can do with the table: what fits, what is left, what to put down first."""

from undercut.cards.french import NONE, Cards, lowest, points, size
from undercut.cards.melds import in_melds, in_runs, in_sets, is_run
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import View
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer
from undercut.kernels.rng import Generator, below

_ACES: Cards = sum(1 << 13 * suit for suit in range(4))
_QUEENS: Cards = _ACES << 11
_KINGS: Cards = _ACES << 12
_SUIT: Cards = 0b1111111111111


@kernel
def fits_table(sets: Cards, runs: Cards, starts: Cards) -> Cards:
    """The cards that can be laid off on a table."""
    return rummy.fits_sets(sets) | rummy.fits_below(starts) | rummy.fits_above(runs, starts)


@kernel
def can_be_put_down(view: View, card: int) -> bool:
    """Whether a card that comes into the hand now can be melded or laid off."""
    single = 1 << card
    if in_melds(int(view.hand) | single) & single:
        return True
    return fits_table(int(view.sets), rummy.runs(view), int(view.starts)) & single != 0


@kernel
def unmelded(hand: Cards) -> Cards:
    """The cards that stay in hand when melds are made so that the fewest points are left."""
    runs, sets = in_runs(hand), in_sets(hand)
    contested = runs & sets
    best = hand & ~(runs | sets)
    if contested:
        # Try every way to keep some of the contested cards out of sets, as `melds.deadwood` does.
        least = 1 << 20
        kept_out = contested
        while kept_out >= 0:
            left = hand & ~in_sets(hand & ~kept_out)
            left &= ~in_runs(left)
            if points(left, 10) < least:
                least = points(left, 10)
                best = left
            kept_out = (kept_out - 1) & contested if kept_out else -1
    return best


@kernel
def not_laid_off(hand: Cards, sets: Cards, runs: Cards, starts: Cards) -> Cards:
    """The cards that stay in hand when all that fits is laid off, on runs rather than on sets."""
    low = rummy.fits_below(starts) & hand
    while low:
        hand &= ~low
        low = rummy.fits_below(low) & hand
    high = rummy.fits_above(runs, starts) & hand
    while high:
        hand &= ~high
        high = rummy.fits_above(high, high) & hand
    return hand & ~rummy.fits_sets(sets)


@kernel
def loose_cards(view: View, hand: Cards) -> Cards:
    """The cards that stay in hand when everything is put down that can be."""
    return not_laid_off(unmelded(hand), int(view.sets), rummy.runs(view), int(view.starts))


@kernel
def meld_outs(hand: Cards) -> Cards:
    """The cards that would make a meld with two cards of a hand.

    >>> from undercut.cards.french import format_cards, parse_cards
    >>> format_cards(meld_outs(parse_cards("5h 6h 9c 9d Js Ks")))
    '4h 7h 9h 9s Qs'
    """
    clubs, diamonds = hand & _SUIT, (hand >> 13) & _SUIT
    hearts, spades = (hand >> 26) & _SUIT, hand >> 39
    pairs = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    neighbours = hand & (hand >> 1) & ~_KINGS
    around = ((neighbours & ~_ACES) >> 1) | ((neighbours & ~_QUEENS) << 2)
    between = (hand & (hand >> 2) & ~(_QUEENS | _KINGS)) << 1
    return ((pairs * _ACES) | around | between) & ~hand


@kernel
def cost_of_rest(hand: Cards, sets: Cards, runs: Cards, starts: Cards) -> int:
    """The points left when everything is put down that can be; 0 if that is going out."""
    rest = not_laid_off(unmelded(hand), sets, runs, starts)
    return points(rest, 10) if rest & (rest - 1) else 0


@kernel
def cost_after(view: View, action: Action) -> int:
    """The points left when a put-down is made first, and then everything that still can be."""
    cards = rummy.put_down_cards(action)
    hand = int(view.hand) & ~cards
    sets, runs, starts = int(view.sets), rummy.runs(view), int(view.starts)
    if action < rummy.LAY_ON_SET:
        if is_run(cards):
            runs |= cards
            starts |= 1 << lowest(cards)
        else:
            sets |= cards
    elif action < rummy.LAY_ON_HIGHER:
        sets |= cards
    else:
        runs |= cards
        if action < rummy.LAY_ON_LOWER:
            starts ^= cards | (cards << 1)
    return cost_of_rest(hand, sets, runs, starts)


@cold_kernel
def best_put_down(view: View, legal: Buffer) -> Action:
    """The put-down that lets the fewest points be left; of equals the one of most cards."""
    best, least, most = NONE, 1 << 20, 0
    for action in legal:
        if action >= rummy.MELD:
            cost = cost_after(view, int(action))
            count = size(rummy.put_down_cards(int(action)))
            if cost < least or (cost == least and count > most):
                best, least, most = int(action), cost, count
    return best


@kernel
def highest_discard(legal: Buffer, generator: Generator) -> Action:
    """The discard of most points; any of equals."""
    best, most, ties = NONE, 0, 0
    for action in legal:
        if action < rummy.DRAW:
            value = min(int(action) % 13, 9)
            if value > most or best == NONE:
                best, most, ties = int(action), value, 1
            elif value == most:
                ties += 1
                if below(generator, ties) == 0:
                    best = int(action)
    return best
