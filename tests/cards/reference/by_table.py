"""Plain searches over the table of all melds, compiled so that millions of hands can be checked.

They try everything, as the twins in melds.py do, and are themselves checked against those. The
comparisons with the kernels stand in the same file, since a cached comparison would not notice an
edit of a search elsewhere.
"""

from typing import Any

import numpy as np

from cards.reference.cards import PACK, card_points, mask
from cards.reference.melds import ALL_MELDS, is_run
from undercut.cards import melds as kernels
from undercut.cards.french import NONE
from undercut.kernels import rng
from undercut.kernels.jit import cold_kernel

MELDS = np.array([mask(meld) for meld in ALL_MELDS], dtype=np.int64)
IS_RUN = np.array([is_run(meld) for meld in ALL_MELDS])
POINTS = np.array(
    [[card_points(card, face_points) for card in PACK] for face_points in (10, 13)], dtype=np.int64
)
ROOM = 329 + 3 * 13 * 13  # working space: melds of a hand, then extensions of three melds


@cold_kernel
def points(cards: int, face_points: int) -> int:
    total = 0
    for card in range(52):
        if (cards >> card) & 1:
            total += POINTS[1 if face_points == 13 else 0, card]
    return total


@cold_kernel
def melds(cards: int, out: Any) -> int:
    """Write the melds of a hand, as masks; return how many."""
    count = 0
    for i in range(len(MELDS)):
        if MELDS[i] & ~cards == 0:
            out[count] = MELDS[i]
            count += 1
    return count


@cold_kernel
def in_melds(cards: int) -> int:
    found = 0
    for i in range(len(MELDS)):
        if MELDS[i] & ~cards == 0:
            found |= MELDS[i]
    return found


@cold_kernel
def deadwood(cards: int, face_points: int, room: Any) -> int:
    return _count_layouts(cards, face_points, room)[0]


@cold_kernel
def count_cheapest(cards: int, face_points: int, room: Any) -> int:
    """How many layouts reach the deadwood."""
    return _count_layouts(cards, face_points, room)[1]


@cold_kernel
def _count_layouts(cards: int, face_points: int, room: Any) -> tuple[int, int]:
    """The least points left by any layout of at most three melds, and how many leave so little."""
    count = melds(cards, room)
    least, found = points(cards, face_points), 1
    for i in range(count):
        for j in range(i, count):
            if j > i and room[i] & room[j]:
                continue
            for k in range(j, count):
                # One meld is i == j == k, two are i < j == k.
                if k > j and (j == i or room[k] & (room[i] | room[j])):
                    continue
                left = points(cards & ~(room[i] | room[j] | room[k]), face_points)
                if left < least:
                    least, found = left, 0
                if left == least:
                    found += 1
    return least, found


@cold_kernel
def _extensions(meld: int, cards: int, out: Any) -> int:
    """Write every set of held cards that turns a meld into a longer one, and the empty set."""
    out[0] = 0
    count = 1
    for i in range(len(MELDS)):
        longer = MELDS[i]
        added = longer & ~meld
        if added and meld & ~longer == 0 and added & ~cards == 0:
            out[count] = added
            count += 1
    return count


@cold_kernel
def layoff(cards: int, opposing: Any, face_points: int, room: Any) -> int:
    """The dearest set of cards that can be laid off on three melds (0 for none)."""
    counts = (
        _extensions(opposing[0], cards, room[329:498]) if opposing[0] else 0,
        _extensions(opposing[1], cards, room[498:667]) if opposing[1] else 0,
        _extensions(opposing[2], cards, room[667:836]) if opposing[2] else 0,
    )
    best, most = 0, 0
    for i in range(max(1, counts[0])):
        first = room[329 + i] if counts[0] else 0
        for j in range(max(1, counts[1])):
            second = room[498 + j] if counts[1] else 0
            if first & second:
                continue
            for k in range(max(1, counts[2])):
                third = room[667 + k] if counts[2] else 0
                if third & (first | second):
                    continue
                gain = points(first | second | third, face_points)
                if gain > most:
                    best, most = first | second | third, gain
    return best


@cold_kernel
def defended_deadwood(cards: int, opposing: Any, face_points: int, room: Any) -> int:
    """The fewest points that any own melds, and lay-offs of the rest, leave."""
    count = melds(cards, room)
    least = points(cards & ~layoff(cards, opposing, face_points, room), face_points)
    for i in range(count):
        for j in range(i, count):
            if j > i and room[i] & room[j]:
                continue
            for k in range(j, count):
                if k > j and (j == i or room[k] & (room[i] | room[j])):
                    continue
                left = cards & ~(room[i] | room[j] | room[k])
                laid = layoff(left, opposing, face_points, room)
                least = min(least, points(left & ~laid, face_points))
    return least


# The kernels beside these searches


@cold_kernel
def first_difference(
    hands: Any, face_points: int, room: Any, meld_buffer: Any, layouts: Any
) -> int:
    """The first hand on which a kernel and a plain search disagree, or -1."""
    for i in range(len(hands)):
        if not _agrees(hands[i], face_points, room, meld_buffer, layouts):
            return i
    return -1


@cold_kernel
def _agrees(cards: int, face_points: int, room: Any, meld_buffer: Any, layouts: Any) -> bool:
    least = deadwood(cards, face_points, room)
    held = melds(cards, room)
    return (
        kernels.deadwood(cards, face_points) == least
        and kernels.in_melds(cards) == in_melds(cards)
        and kernels.list_melds(cards, meld_buffer, 0) == held
        and (held == 0 or _are_melds_of(cards, meld_buffer, held))
        and _lists_cheapest(cards, least, face_points, room, meld_buffer, layouts)
        and _first_meld_is_right(cards, layouts)
    )


@cold_kernel
def _are_melds_of(cards: int, found: Any, count: int) -> bool:
    """As many different melds of the hand as there are, in order: then these are all."""
    for i in range(count):
        if kernels.meld_cards(found[i]) & ~cards or (i and found[i] <= found[i - 1]):
            return False
    return True


@cold_kernel
def _lists_cheapest(
    cards: int, least: int, face_points: int, room: Any, meld_buffer: Any, layouts: Any
) -> bool:
    """As many different cheapest layouts as there are, each of them right: then these are all."""
    count = kernels.list_layouts(cards, face_points, meld_buffer, layouts)
    if count != count_cheapest(cards, face_points, room):
        return False
    for i in range(count):
        left = cards
        is_later = i == 0
        for place in range(3):
            meld = layouts[3 * i + place]
            if i and not is_later:
                if meld < layouts[3 * (i - 1) + place]:
                    return False
                is_later = meld > layouts[3 * (i - 1) + place]
            if meld != NONE:
                if kernels.meld_cards(meld) & ~left:
                    return False
                left &= ~kernels.meld_cards(meld)
        if not is_later or points(left, face_points) != least:
            return False
    return True


@cold_kernel
def _first_meld_is_right(cards: int, layouts: Any) -> bool:
    """A hand that plainly has one layout begins it as listed (`layouts` holds the list)."""
    if not kernels.has_one_layout(cards):
        return True
    return kernels.first_meld(cards) == layouts[0]


@cold_kernel
def first_layoff_difference(
    knockers: Any, defenders: Any, face_points: int, room: Any, meld_buffer: Any, layouts: Any
) -> int:
    """As first_difference, for lay-offs on a cheapest layout of the knockers' hands."""
    opposing = room[-3:]
    for i in range(len(knockers)):
        count = kernels.list_layouts(knockers[i], face_points, meld_buffer, layouts)
        for place in range(3):
            meld = layouts[3 * (i % count) + place]
            opposing[place] = 0 if meld == NONE else kernels.meld_cards(meld)
        cards = defenders[i]
        if kernels.layoff(cards, opposing) != layoff(cards, opposing, face_points, room):
            return i
        least = kernels.defended_deadwood(cards, opposing, face_points, meld_buffer)
        if least != defended_deadwood(cards, opposing, face_points, room):
            return i
    return -1


@cold_kernel
def most_layouts(hands: Any, steps: int, chance: Any, meld_buffer: Any, layouts: Any) -> int:
    """The most cheapest layouts any hand has; each hand then climbs, exchanging card after card."""
    most = 0
    for i in range(len(hands)):
        cards = hands[i]
        count = kernels.list_layouts(cards, 10, meld_buffer, layouts)
        for _ in range(steps):
            other = cards ^ (1 << rng.below(chance, 52)) ^ (1 << rng.below(chance, 52))
            if kernels.size(other) == kernels.size(cards):
                found = kernels.list_layouts(other, 10, meld_buffer, layouts)
                if found >= count:
                    cards, count = other, found
        most = max(most, count)
    return most
