"""Melds in a set of cards, the layouts of a hand with the least deadwood, and lay-offs.

In a mask the cards of one rank are 13 bits apart, and the cards of a run are adjacent. A hand of
eleven cards has room for at most three melds at once.
"""

from functools import cache
from typing import TypeAlias

import numpy as np

from undercut.cards.french import (
    NONE,
    Card,
    Cards,
    card_points,
    format_cards,
    lowest,
    parse_cards,
    points,
    size,
)
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Buffer
from undercut.text.errors import NotationError

Meld: TypeAlias = int  # 0..328: the 65 sets, then the 264 runs

SETS = 65  # for each of 13 ranks: four of a kind, then four times three of a kind
MELDS = 329
LAYOUT = 3  # the most melds in a layout
MELD_BUFFER = 64  # the most melds in a hand of eleven cards (tested)

_ACES: Cards = sum(1 << 13 * suit for suit in range(4))
_KINGS: Cards = _ACES << 12
_SUIT: Cards = 0b1111111111111
# A run may start on A..J; masking off Q and K keeps a shift from carrying a
# run across into the next suit.
_RUN_STARTS: Cards = sum(0b11111111111 << 13 * suit for suit in range(4))
# A run of six, which can be two runs of three, may start on A..8.
_LONG_RUN_STARTS: Cards = sum(0b11111111 << 13 * suit for suit in range(4))


def _all_melds() -> list[Cards]:
    sets = []
    for rank in range(13):
        four = _ACES << rank
        sets += [four] + [four & ~(1 << 13 * suit + rank) for suit in range(4)]
    runs = []
    for suit in range(4):
        for start in range(11):
            for length in range(3, 14 - start):
                runs.append(((1 << length) - 1) << 13 * suit + start)
    return sets + runs


_CARDS = np.array(_all_melds(), dtype=np.int64)
_NUMBERS = {cards: meld for meld, cards in enumerate(_all_melds())}
# For each rank, the index of the first run that starts on it, among the 66 runs of a suit.
_RUN_OFFSETS = np.array([sum(11 - rank for rank in range(start)) for start in range(11)])


@kernel
def meld_cards(meld: Meld) -> Cards:
    """The cards of a meld."""
    return int(_CARDS[meld])


@kernel
def meld_number(cards: Cards) -> Meld:
    """The number of a meld, given its cards, which must be a meld."""
    first = lowest(cards)
    suit, rank = first // 13, first % 13
    if cards & (cards >> 1):
        return SETS + 66 * suit + int(_RUN_OFFSETS[rank]) + size(cards) - 3
    missing = (_ACES << rank) & ~cards
    return 5 * rank + (1 + lowest(missing) // 13 if missing else 0)


def find_meld(cards: Cards) -> Meld:
    """The number of the meld with exactly these cards, or NONE."""
    return _NUMBERS.get(int(cards), NONE)


def format_meld(meld: Meld) -> str:
    """A meld as the text of its cards.

    >>> format_meld(find_meld(parse_cards("7h 5h 6h")))
    '5h 6h 7h'
    """
    return format_cards(int(_CARDS[meld]))


def parse_meld(text: str) -> Meld:
    """Parse a meld from the text of its cards."""
    meld = find_meld(parse_cards(text))
    if meld == NONE:
        raise NotationError(
            f"not a meld: {text!r} (three or four of one rank, "
            "or three or more of one suit in a row)"
        )
    return meld


@cache
def melds_with(card: Card) -> tuple[Cards, ...]:
    """All melds that contain a card.

    >>> len(melds_with(0)), format_cards(melds_with(0)[-1])
    (15, 'Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc')
    """
    return tuple(cards for cards in _NUMBERS if cards >> card & 1)


@kernel
def run_starts(cards: Cards) -> Cards:
    """The cards of a set that begin a run of three.

    >>> format_cards(run_starts(parse_cards("Ac 2c 3c 4c Qd Kd Ah")))
    'Ac 2c'
    """
    return cards & (cards >> 1) & (cards >> 2) & _RUN_STARTS


@kernel
def in_runs(cards: Cards) -> Cards:
    """The cards of a set that belong to some run."""
    starts = run_starts(cards)
    return starts | (starts << 1) | (starts << 2)


@kernel
def set_ranks(cards: Cards) -> int:
    """The ranks held three or four times, as a mask of 13 bits."""
    clubs = cards & _SUIT
    diamonds = (cards >> 13) & _SUIT
    hearts = (cards >> 26) & _SUIT
    spades = cards >> 39
    return (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))


@kernel
def in_sets(cards: Cards) -> Cards:
    """The cards that belong to some set of three or four of a kind."""
    # The product puts a copy of the 13 rank bits into each of the four suits.
    return cards & (set_ranks(cards) * _ACES)


@kernel
def in_melds(cards: Cards) -> Cards:
    """The cards of a set that belong to some meld.

    >>> format_cards(in_melds(parse_cards("5h 6h 7h 7c 7d 9s")))
    '7c 7d 5h 6h 7h'
    """
    return in_runs(cards) | in_sets(cards)


@kernel
def completing(cards: Cards) -> Cards:
    """The cards that would complete a meld with two of these cards.

    >>> format_cards(completing(parse_cards("5h 7h 7c Ks")))
    '7d 6h 7s'
    """
    # For each start of a run of three: two of its cards are there, the third is missing.
    lowest_missing = (cards >> 1) & (cards >> 2) & _RUN_STARTS
    middle_missing = cards & (cards >> 2) & _RUN_STARTS
    highest_missing = cards & (cards >> 1) & _RUN_STARTS
    runs = lowest_missing | (middle_missing << 1) | (highest_missing << 2)
    clubs = cards & _SUIT
    diamonds = (cards >> 13) & _SUIT
    hearts = (cards >> 26) & _SUIT
    spades = cards >> 39
    pairs = ((clubs | diamonds) & (hearts | spades)) | (clubs & diamonds) | (hearts & spades)
    return (runs | (pairs * _ACES)) & ~cards


@kernel
def deadwood(cards: Cards, face_points: int) -> int:
    """The least point value that can remain unmelded.

    >>> deadwood(parse_cards("5h 6h 7h 7c 7d 9s"), 10)
    20
    """
    runs, sets = in_runs(cards), in_sets(cards)
    contested = runs & sets
    least = points(cards & ~(runs | sets), face_points)
    if contested:
        # Try every subset of the contested cards that is kept out of sets. If three or more of a
        # rank remain, they are a set, since the others belong to no run. Runs take the rest.
        least = 1 << 20
        kept_out = contested
        while kept_out >= 0:
            left = cards & ~in_sets(cards & ~kept_out)
            least = min(least, points(left & ~in_runs(left), face_points))
            # The next smaller subset; after the empty one, stop.
            kept_out = (kept_out - 1) & contested if kept_out else -1
    return least


@kernel
def deadwood_without(cards: Cards, card: Card, melded: Cards, whole: int, face_points: int) -> int:
    """The deadwood of a hand without one card, given its cards in melds and its deadwood.

    A card in no meld reduces the deadwood by its own points, which saves the search.
    """
    single = 1 << card
    if melded & single:
        return deadwood(cards & ~single, face_points)
    return whole - card_points(card, face_points)


@cold_kernel
def list_melds(cards: Cards, out: Buffer, offset: int) -> int:
    """Write `offset` + the number of each meld in a set of cards, in order; return the count."""
    count = 0
    ranks = set_ranks(cards)
    while ranks:
        rank = lowest(ranks)
        ranks ^= 1 << rank
        held = cards & (_ACES << rank)
        for choice in range(5):
            meld = 5 * rank + choice
            if meld_cards(meld) & ~held == 0:
                out[count] = offset + meld
                count += 1
    starts = run_starts(cards)
    while starts:
        start = lowest(starts)
        starts ^= 1 << start
        suit, rank = start // 13, start % 13
        meld = SETS + 66 * suit + int(_RUN_OFFSETS[rank])
        ends = ((cards >> 13 * suit) & _SUIT) >> (rank + 2)
        while ends & 1:
            out[count] = offset + meld
            count += 1
            meld += 1
            ends >>= 1
    return count


@kernel
def has_one_layout(cards: Cards) -> bool:
    """Whether there is obviously only one best layout: no contested card, no run to split."""
    starts = run_starts(cards)
    splits = starts & (starts >> 3) & _LONG_RUN_STARTS
    return splits == 0 and in_runs(cards) & in_sets(cards) == 0


@kernel
def first_meld(cards: Cards) -> Meld:
    """The first meld of a hand for which `has_one_layout` holds, or NONE."""
    ranks = set_ranks(cards)
    if ranks:
        return meld_number(cards & (_ACES << lowest(ranks)))
    starts = run_starts(cards)
    if starts == 0:
        return NONE
    start = lowest(starts)
    length = 3
    while (starts >> (start + length - 2)) & 1:
        length += 1
    return SETS + 66 * (start // 13) + int(_RUN_OFFSETS[start % 13]) + length - 3


@cold_kernel
def list_layouts(cards: Cards, face_points: int, melds: Buffer, out: Buffer) -> int:
    """Write every layout with the least deadwood; return how many there are.

    A layout is three numbers in `out`: its melds in order, then NONE. `melds` is working space.
    """
    least = deadwood(cards, face_points)
    count = list_melds(cards, melds, 0)
    found = 0
    if points(cards, face_points) == least:
        found = _write_layout(out, found, NONE, NONE, NONE)
    for i in range(count):
        left = cards & ~meld_cards(melds[i])
        if points(left, face_points) == least:
            found = _write_layout(out, found, melds[i], NONE, NONE)
        for j in range(i + 1, count):
            second = meld_cards(melds[j])
            if second & ~left:
                continue
            if points(left & ~second, face_points) == least:
                found = _write_layout(out, found, melds[i], melds[j], NONE)
            for k in range(j + 1, count):
                third = meld_cards(melds[k])
                rest = left & ~second
                if third & ~rest == 0 and points(rest & ~third, face_points) == least:
                    found = _write_layout(out, found, melds[i], melds[j], melds[k])
    return found


@kernel
def _write_layout(out: Buffer, found: int, first: Meld, second: Meld, third: Meld) -> int:
    out[LAYOUT * found] = first
    out[LAYOUT * found + 1] = second
    out[LAYOUT * found + 2] = third
    return found + 1


@kernel
def is_run(cards: Cards) -> bool:
    """Whether a meld is a run: only then are two of its bits adjacent."""
    return cards & (cards >> 1) != 0


@kernel
def fitting(meld: Cards) -> Cards:
    """The cards that can be laid off on a meld, given as its cards.

    >>> format_cards(fitting(parse_cards("5h 6h 7h")))
    '4h 8h'
    >>> format_cards(fitting(parse_cards("Jc Qc Kc")))
    'Tc'
    """
    if is_run(meld):
        return (((meld & ~_KINGS) << 1) | ((meld & ~_ACES) >> 1)) & ~meld
    return (_ACES << (lowest(meld) % 13)) & ~meld


@kernel
def layoff(cards: Cards, melds: Buffer) -> Cards:
    """The largest set of cards that can be laid off on the given melds, chains included.

    A card may fit both a set and a run. Only on the run can further cards follow it, so runs are
    extended first.
    """
    left = cards
    for runs_first in (True, False):
        for i in range(LAYOUT):
            meld = int(melds[i])
            if meld == 0 or is_run(meld) != runs_first:
                continue
            laid = fitting(meld) & left
            while laid:
                meld |= laid
                left &= ~laid
                laid = fitting(meld) & left
    return cards & ~left


@cold_kernel
def defended_deadwood(cards: Cards, opposing: Buffer, face_points: int, melds: Buffer) -> int:
    """The least deadwood over all choices of own melds and lay-offs on the opposing melds."""
    count = list_melds(cards, melds, 0)
    least = points(cards & ~layoff(cards, opposing), face_points)
    for i in range(count):
        left = cards & ~meld_cards(melds[i])
        least = min(least, points(left & ~layoff(left, opposing), face_points))
        for j in range(i + 1, count):
            second = meld_cards(melds[j])
            if second & ~left:
                continue
            rest = left & ~second
            least = min(least, points(rest & ~layoff(rest, opposing), face_points))
            for k in range(j + 1, count):
                third = meld_cards(melds[k])
                if third & ~rest == 0:
                    last = rest & ~third
                    least = min(least, points(last & ~layoff(last, opposing), face_points))
    return least
