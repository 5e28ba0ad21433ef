"""Plain searches over the table of all melds, compiled so that millions of hands can be checked.

They try everything, as the twins in melds.py do, and are themselves checked against those.
"""

from typing import Any

import numpy as np

from reference.cards import PACK, card_points, mask
from reference.melds import ALL_MELDS, is_run
from undercut.core.jit import cold_kernel

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
    """The least points left by any own melds and any lay-offs of what is left."""
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
