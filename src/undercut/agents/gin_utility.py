"""The paper's utility of a gin hand: docs/paper-agent.md says what was decided where it is silent.

A hand is worth the mean utility of its loose cards, the number of its melded cards, and a bonus if
it can be knocked with. A loose card is worth most for the three-card melds it may still come into.

All this is a sum over three-card melds, and one card has to do with eight of them only. So when a
card comes or goes nothing is counted afresh but these eight, unless the melds of the hand change.
"""

from typing import Any, TypeAlias

import numpy as np

from undercut.core.cards import PACK, Card, Cards, card_points, lowest, points, size
from undercut.core.game import Buffer, Options
from undercut.core.jit import cold_kernel, kernel, meet
from undercut.core.melds import deadwood, in_melds, in_runs, in_sets
from undercut.core.rng import GENERATOR

Outlook: TypeAlias = Any  # a record of the layout OUTLOOK
Worker: TypeAlias = Any  # a record of the layout WORKER
Settings: TypeAlias = Any

# The three-card melds have numbers of their own: 0..51 are the three cards of that card's rank
# without it, 52..103 the run that begins with card - 52 (none begins with a queen or a king).
TRIPLES = 104
RUNS = 52

TIE = 1e-9  # utilities so close are equal: they may be added up in another order

OUTLOOK = np.dtype(
    [
        ("dead", "i8"),  # cards that can come into no meld any more: the discard pile
        ("unseen", "i8"),  # cards that may be the next of the stock
        ("deadwood_bonus", "f8"),  # for a point below five, boosted in an emergency
        ("chances", "f8", 52),  # that the other seat holds a card
        ("free", "f8", 52),  # the chance that a card is not melded there
        ("worth", "f8", TRIPLES),  # the chance that no card of a triple is melded there
        ("loss", "f8", 52),  # what the loose cards of a hand lose together when one is thrown
        ("utility", "f8", 52),  # of each loose card; of the hand with each unseen card
        ("takes", "f8", 52),  # the utility of taking a card
    ],
    align=True,
)
"""What one seat thinks of the cards, and what it works out about its hand."""

WORKER = np.dtype(
    [
        ("lane", "i8"),  # 0 .. lanes - 1
        ("lanes", "i8"),  # how many work on a decision together: 1 on a CPU
        ("chance", GENERATOR),
        ("shift", "f8", 52),  # how losses change with a card drawn that makes no meld
        ("loss", "f8", 52),  # what is lost of another hand than the outlook's
    ],
    align=True,
)
"""What each of those who work on a decision has for itself; they share the outlooks."""


def _all_triples() -> list[Cards]:
    four = sum(1 << 13 * suit for suit in range(4))
    sets = [four << card % 13 & ~(1 << card) for card in range(52)]
    return sets + [0b111 << card if card % 13 < 11 else 0 for card in range(52)]


def _all_blockers() -> list[Cards]:
    """The card that makes a triple count double: the fourth of its rank, the one below its run."""
    below = [1 << card - 1 if 0 < card % 13 < 11 else 0 for card in range(52)]
    return [1 << card for card in range(52)] + below


_TRIPLES = np.array(_all_triples(), dtype=np.int64)
_BLOCKERS = np.array(_all_blockers(), dtype=np.int64)


@kernel
def _related(card: Card, number: int) -> int:
    """The eight triples that a card has to do with, six that hold it and two that it blocks; or -1."""
    if number < 4:
        return 13 * number + card % 13
    rank = card % 13 + number - 6
    return RUNS + card + number - 6 if 0 <= rank < 11 else -1


@kernel
def knock_limit(options: Options) -> int:
    """The most deadwood that ends a deal; where nobody may knock, that of gin."""
    return int(options.knock_limit) if options.knock else 0


# What a seat expects of the cards


@cold_kernel
def look(outlook: Outlook, worker: Worker) -> None:
    """From the chances that the other seat holds single cards to what triples are worth."""
    for card in range(worker.lane, 52, worker.lanes):
        outlook.free[card] = 1.0 - melded_chance(outlook.chances, card)
    meet(worker.lanes)
    for triple in range(worker.lane, TRIPLES, worker.lanes):
        outlook.worth[triple] = _worth(outlook.free, triple)
    meet(worker.lanes)


@kernel
def _worth(free: Buffer, triple: int) -> float:
    cards = int(_TRIPLES[triple])
    worth = 1.0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        worth *= free[card]
    return worth


@kernel
def melded_chance(chances: Buffer, card: Card) -> float:
    """The chance that a card lies in a meld of the other hand, its cards taken as independent."""
    chance = chances[card]
    if chance == 0.0:
        return 0.0
    a = chances[(card + 13) % 52]
    b = chances[(card + 26) % 52]
    c = chances[(card + 39) % 52]
    in_set = a * b + a * c + b * c - 2.0 * a * b * c
    rank = card % 13
    below = chances[card - 1] if rank > 0 else 0.0
    above = chances[card + 1] if rank < 12 else 0.0
    in_run = below * above
    if rank > 1:
        in_run += below * chances[card - 2] * (1.0 - above)
    if rank < 11:
        in_run += above * chances[card + 2] * (1.0 - below)
    return chance * (1.0 - (1.0 - in_set) * (1.0 - in_run))


@cold_kernel
def is_emergency(cards: Cards, loose: Cards, options: Options) -> bool:
    """Whether a hand of ten is a card away from a knock; of eleven, it throws one before."""
    left = points(loose, options.face_points)
    for _ in range(size(cards) - 9):
        if loose:
            card = highest(loose, options)
            loose ^= 1 << card
            left -= card_points(card, options.face_points)
    return left <= knock_limit(options)


@kernel
def highest(cards: Cards, options: Options) -> Card:
    """The first of the cards with the most points."""
    best, most = -1, 0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        value = card_points(card, options.face_points)
        if value > most:
            best, most = card, value
    return best


# The utility of a hand


@kernel
def _own_utility(outlook: Outlook, card: Card, options: Options, settings: Settings) -> float:
    """What a card is worth by itself: low cards are better."""
    value = card_points(card, options.face_points)
    utility = (5 - value) * outlook.deadwood_bonus
    if value == 1:
        utility += settings.low_card_bonus
    elif value == 2:
        utility += settings.low_card_bonus / 2.0
    return utility


@kernel
def _shared(held: int, settings: Settings) -> float:
    """What a triple is worth to the cards of the hand in it, together."""
    if held < 2:
        return held * settings.meld_bonus
    return held * (settings.meld_bonus + settings.combination_bonus)


@kernel
def _blocker(triple: int, settings: Settings) -> Cards:
    return int(_BLOCKERS[triple]) if settings.count_once else 0


@kernel
def _weigh_card(
    outlook: Outlook,
    card: Card,
    loose: Cards,
    live: Cards,
    options: Options,
    settings: Settings,
) -> tuple[float, float]:
    """The utility of a loose card, and what all lose together when it is thrown."""
    utility = _own_utility(outlook, card, options, settings)
    loss = utility
    for number in range(8):
        triple = _related(card, number)
        cards = int(_TRIPLES[triple]) if triple >= 0 else 0
        held = size(cards & loose)
        if held == 0 or cards & ~live:
            continue
        shared = outlook.worth[triple] * _shared(held, settings)
        if (cards >> card) & 1 == 0:
            if settings.count_once:
                loss -= shared  # which counts again without its blocker
        elif _blocker(triple, settings) & loose == 0:
            utility += shared / held
            loss += shared
    return utility, loss


@cold_kernel
def weigh(
    outlook: Outlook,
    dead: Cards,
    loose: Cards,
    melded: Cards,
    options: Options,
    settings: Settings,
    losses: Buffer,
) -> float:
    """The utility of all loose cards; into `losses`, what each discard would take of it."""
    live = PACK & ~(dead | melded)
    total = 0.0
    rest = loose
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        utility, losses[card] = _weigh_card(outlook, card, loose, live, options, settings)
        total += utility
    return total


@kernel
def _skip(cards: Cards, count: int) -> Cards:
    """Without so many of the lowest cards: how a lane goes from one card of its own to the next."""
    for _ in range(count):
        cards &= cards - 1
    return cards


@cold_kernel
def _weigh_together(
    outlook: Outlook,
    worker: Worker,
    loose: Cards,
    melded: Cards,
    options: Options,
    settings: Settings,
) -> float:
    """As `weigh`, for all who work on the outlook; the losses are written there."""
    live = PACK & ~(int(outlook.dead) | melded)
    rest = _skip(loose, worker.lane)
    while rest:
        card = lowest(rest)
        rest = _skip(rest, worker.lanes)
        utility, loss = _weigh_card(outlook, card, loose, live, options, settings)
        outlook.utility[card], outlook.loss[card] = utility, loss
    meet(worker.lanes)
    total = 0.0
    while loose:
        card = lowest(loose)
        loose ^= 1 << card
        total += outlook.utility[card]
    return total


@kernel
def choose_melding(
    outlook: Outlook,
    worker: Worker,
    dead: Cards,
    cards: Cards,
    options: Options,
    settings: Settings,
) -> Cards:
    """The cards that are melded: least deadwood, and of several ways the best loose cards."""
    runs, sets = in_runs(cards), in_sets(cards)
    contested = runs & sets
    if contested == 0:
        return runs | sets
    return _choose_contested(outlook, worker, dead, cards, contested, options, settings)


@cold_kernel
def _choose_contested(
    outlook: Outlook,
    worker: Worker,
    dead: Cards,
    cards: Cards,
    contested: Cards,
    options: Options,
    settings: Settings,
) -> Cards:
    # Every way to keep contested cards out of sets, as in `deadwood`: all the cheapest are there.
    least = deadwood(cards, options.face_points)
    best, most = 0, -1e300
    kept_out = contested
    while kept_out >= 0:
        melded = in_sets(cards & ~kept_out)
        melded |= in_runs(cards & ~melded)
        loose = cards & ~melded
        if points(loose, options.face_points) == least:
            mean = weigh(outlook, dead, loose, melded, options, settings, worker.loss)
            mean /= max(1, size(loose))
            if mean > most + TIE or (mean > most - TIE and melded > best):
                best, most = melded, mean
        kept_out = (kept_out - 1) & contested if kept_out else -1
    return best


@kernel
def hand_utility(
    total: float, loose: int, melded: int, left: int, options: Options, settings: Settings
) -> float:
    """The utility of a hand: that of its loose cards, how many are loose and melded, its deadwood."""
    utility = float(melded)
    if loose:
        utility += total / loose
    if left == 0:
        utility += settings.gin_bonus
    elif left <= knock_limit(options):
        utility += settings.knock_bonus
    return utility


# Throwing one of eleven cards


@cold_kernel
def forced(choices: Cards, left: int, options: Options) -> Cards:
    """Of the cards to choose from, the highest, if the hand can be knocked without one of them."""
    most = card_points(highest(choices, options), options.face_points)
    if left - most > knock_limit(options):
        return 0
    found = 0
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        if card_points(card, options.face_points) == most:
            found |= 1 << card
    return found


@cold_kernel
def _utility_after_best(
    worker: Worker,
    choices: Cards,
    loose: Cards,
    melded: Cards,
    total: float,
    options: Options,
    settings: Settings,
    losses: Buffer,
) -> float:
    """The utility of the hand that the best of some loose cards leaves, weighed before."""
    most, least = 0, 1e300
    cards = choices
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        most = max(most, card_points(card, options.face_points))
        least = min(least, losses[card] + worker.shift[card])
    left = points(loose, options.face_points) - most
    if left > knock_limit(options):
        return hand_utility(total - least, size(loose) - 1, size(melded), left, options, settings)
    least = 1e300
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        if card_points(card, options.face_points) == most:
            least = min(least, losses[card] + worker.shift[card])
    return hand_utility(total - least, size(loose) - 1, size(melded), left, options, settings)


@cold_kernel
def utility_with(
    outlook: Outlook,
    worker: Worker,
    dead: Cards,
    cards: Cards,
    kept: Cards,
    options: Options,
    settings: Settings,
) -> float:
    """The utility of eleven cards after a reasonable discard, which is none of `kept`."""
    melded = choose_melding(outlook, worker, dead, cards, options, settings)
    loose = cards & ~melded
    if loose == 0:
        return hand_utility(0.0, 0, 10, 0, options, settings)
    if loose & ~kept == 0:
        return _utility_after_breaking(
            outlook, worker, dead, cards & ~kept, cards, options, settings
        )
    total = weigh(outlook, dead, loose, melded, options, settings, worker.loss)
    _clear_shifts(worker, loose)
    return _utility_after_best(
        worker, loose & ~kept, loose, melded, total, options, settings, worker.loss
    )


@kernel
def _clear_shifts(worker: Worker, cards: Cards) -> None:
    while cards:
        worker.shift[lowest(cards)] = 0.0
        cards &= cards - 1


@cold_kernel
def _utility_after_breaking(
    outlook: Outlook,
    worker: Worker,
    dead: Cards,
    choices: Cards,
    cards: Cards,
    options: Options,
    settings: Settings,
) -> float:
    """The same when only the card just taken is loose, so that a meld must give one up."""
    best = -1e300
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        utility = utility_without(outlook, worker, dead, cards, card, options, settings)
        best = max(best, utility)
    return best


@cold_kernel
def utility_without(
    outlook: Outlook,
    worker: Worker,
    dead: Cards,
    cards: Cards,
    card: Card,
    options: Options,
    settings: Settings,
) -> float:
    """The utility of the ten cards that are left without one, melded afresh."""
    left = cards & ~(1 << card)
    dead |= 1 << card
    melded = choose_melding(outlook, worker, dead, left, options, settings)
    loose = left & ~melded
    total = weigh(outlook, dead, loose, melded, options, settings, worker.loss)
    value = points(loose, options.face_points)
    return hand_utility(total, size(loose), size(melded), value, options, settings)


# Drawing


@cold_kernel
def utility_of_stock(
    outlook: Outlook,
    worker: Worker,
    hand: Cards,
    offered: Cards,
    options: Options,
    settings: Settings,
) -> float:
    """The utility of drawing from the stock: the mean over the unseen cards, as likely as they are.

    Into `outlook.takes`, the utility of taking each of the cards `offered` instead.
    """
    melded = choose_melding(outlook, worker, int(outlook.dead), hand, options, settings)
    loose = hand & ~melded
    total = _weigh_together(outlook, worker, loose, melded, options, settings)
    is_contested = in_runs(hand) & in_sets(hand) != 0
    cards = _skip(int(outlook.unseen), worker.lane)
    while cards:
        card = lowest(cards)
        cards = _skip(cards, worker.lanes)
        if outlook.chances[card] < 1.0 or (offered >> card) & 1:
            is_melded = in_melds(hand | (1 << card)) >> card & 1
            if is_contested or loose == 0 or is_melded:
                _draw_afresh(outlook, worker, card, hand, offered, options, settings)
            else:
                _draw_loose(outlook, worker, card, loose, melded, total, offered, options, settings)
    meet(worker.lanes)
    mean = _mean_utility(outlook)
    meet(worker.lanes)
    return mean


@kernel
def _mean_utility(outlook: Outlook) -> float:
    mean, weights = 0.0, 0.0
    cards = int(outlook.unseen)
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        chance = 1.0 - outlook.chances[card]
        if chance > 0.0:
            mean += chance * outlook.utility[card]
            weights += chance
    return mean / weights if weights > 0.0 else 0.0


@cold_kernel
def _draw_afresh(
    outlook: Outlook,
    worker: Worker,
    card: Card,
    hand: Cards,
    offered: Cards,
    options: Options,
    settings: Settings,
) -> None:
    """Write the utility of a card that may change the melds: the hand is weighed again."""
    single, dead = 1 << card, int(outlook.dead)
    outlook.utility[card] = utility_with(outlook, worker, dead, hand | single, 0, options, settings)
    if offered & single:
        outlook.takes[card] = utility_with(
            outlook, worker, dead, hand | single, single, options, settings
        )


@cold_kernel
def _draw_loose(
    outlook: Outlook,
    worker: Worker,
    card: Card,
    loose: Cards,
    melded: Cards,
    total: float,
    offered: Cards,
    options: Options,
    settings: Settings,
) -> None:
    """The same for a card that comes into no meld: the hand was weighed without it."""
    _clear_shifts(worker, loose | (1 << card))
    total += _add(outlook, worker, card, loose, melded, options, settings)
    everything = loose | (1 << card)
    if (offered >> card) & 1:
        outlook.takes[card] = _utility_after_best(
            worker, loose, everything, melded, total, options, settings, outlook.loss
        )
    outlook.utility[card] = _utility_after_best(
        worker, everything, everything, melded, total, options, settings, outlook.loss
    )


@kernel
def _add(
    outlook: Outlook,
    worker: Worker,
    card: Card,
    loose: Cards,
    melded: Cards,
    options: Options,
    settings: Settings,
) -> float:
    """What all loose cards gain by one more that makes no meld; losses that change are shifted."""
    live = PACK & ~(int(outlook.dead) | melded)
    gain = _own_utility(outlook, card, options, settings)
    lost = 0.0
    for number in range(8):
        triple = _related(card, number)
        cards = int(_TRIPLES[triple]) if triple >= 0 else 0
        if cards == 0 or cards & ~live:
            continue
        held = size(cards & loose)
        worth = outlook.worth[triple]
        before = worth * _shared(held, settings)
        if (cards >> card) & 1 == 0:
            if settings.count_once:
                gain -= before
                _shift(worker, cards & loose, -before)
            continue
        change = worth * _shared(held + 1, settings) - before
        blocker = _blocker(triple, settings) & loose
        if blocker:
            _shift(worker, blocker, -change)
        else:
            gain += change
            lost += before
            _shift(worker, cards & loose, change)
    outlook.loss[card] = gain + lost
    return gain


@kernel
def _shift(worker: Worker, cards: Cards, change: float) -> None:
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        worker.shift[card] += change
