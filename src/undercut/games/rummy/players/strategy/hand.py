"""The put-downs of a Rummy hand: cards that fit, cards that are left, and the best put-down."""

from undercut.cards.french import NONE, Cards, lowest, points, size
from undercut.cards.melds import completing, in_melds, in_runs, in_sets, is_run
from undercut.games.rummy.rules import deal as rummy
from undercut.games.rummy.rules.layout import View
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Action, Buffer
from undercut.kernels.rng import Generator, below

meld_outs = completing  # the cards that would make a meld with two cards of a hand


@kernel
def fits_table(sets: Cards, runs: Cards, starts: Cards) -> Cards:
    """The cards that fit the melds on a table."""
    return rummy.fits_sets(sets) | rummy.fits_below(starts) | rummy.fits_above(runs, starts)


@kernel
def can_be_put_down(view: View, card: int) -> bool:
    """Whether the player could meld or lay off a card that he gets now."""
    single = 1 << card
    if in_melds(int(view.hand) | single) & single:
        return True
    return fits_table(int(view.sets), rummy.runs(view), int(view.starts)) & single != 0


@kernel
def draw(view: View) -> Action:
    """Take an upcard that the player can put down; otherwise draw, if necessary after a turnover."""
    if can_be_put_down(view, int(view.upcard)):
        return rummy.TAKE
    return rummy.DRAW if view.stock > 0 else rummy.TURN_OVER


@kernel
def unmelded(hand: Cards) -> Cards:
    """The cards that stay in hand after the melds that leave the fewest points."""
    runs, sets = in_runs(hand), in_sets(hand)
    contested = runs & sets
    best = hand & ~(runs | sets)
    if contested:
        # As in `melds.deadwood`, keep every subset of the contested cards out of sets once.
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
    """The cards that stay in hand after all lay-offs, first on runs, then on sets."""
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
    """The cards that stay in hand after all melds and lay-offs."""
    return not_laid_off(unmelded(hand), int(view.sets), rummy.runs(view), int(view.starts))


@kernel
def cost_of_rest(hand: Cards, sets: Cards, runs: Cards, starts: Cards) -> int:
    """The points that are left after all melds and lay-offs; 0 for going out."""
    rest = not_laid_off(unmelded(hand), sets, runs, starts)
    return points(rest, 10) if rest & (rest - 1) else 0


@kernel
def cost_after(view: View, action: Action) -> int:
    """The points that are left after a put-down and all further melds and lay-offs."""
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
    """The put-down after which the fewest points can be left, ties by the most cards."""
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
    """The discard with the most points, ties by chance."""
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
