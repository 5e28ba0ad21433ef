"""cards/melds.py against its slow twins: by_table for millions of hands, sets for thousands."""

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from cards.hands import random_hands, rich_hand, rich_hands
from cards.reference import by_table
from cards.reference import melds as reference
from cards.reference.cards import PACK, Hand, from_mask, hand, in_order, mask
from positions import generator, scaled
from undercut.cards import melds
from undercut.cards.french import NONE
from undercut.kernels.jit import COMPILED
from undercut.text.errors import NotationError

FACE_POINTS = (10, 13)
ROOM = 1024  # layouts a buffer of these tests can hold


def _buffers() -> tuple[Any, Any, Any]:
    """Working space for by_table, for melds and for layouts."""
    return (
        np.zeros(by_table.ROOM, dtype=np.int64),
        np.zeros(melds.MELD_BUFFER, dtype=np.int64),
        np.zeros(melds.LAYOUT * ROOM, dtype=np.int64),
    )


def _listed(cards: int) -> set[Hand]:
    """The melds that the kernel finds."""
    out = np.zeros(melds.MELD_BUFFER, dtype=np.int64)
    count = melds.list_melds(cards, out, 0)
    assert out[:count].tolist() == sorted(set(out[:count].tolist()))
    return {from_mask(melds.meld_cards(meld)) for meld in out[:count]}


def _layouts(cards: int, face_points: int) -> list[reference.Layout]:
    _, buffer, out = _buffers()
    count = melds.list_layouts(cards, face_points, buffer, out)
    rows = out[: melds.LAYOUT * count].reshape(count, melds.LAYOUT).tolist()
    return [
        frozenset(from_mask(melds.meld_cards(meld)) for meld in row if meld != NONE) for row in rows
    ]


# The 329 melds


def test_the_numbered_melds_are_all_melds() -> None:
    numbered = [from_mask(melds.meld_cards(meld)) for meld in range(melds.MELDS)]
    assert len(numbered) == 329
    assert set(numbered) == set(reference.ALL_MELDS)
    assert all(reference.is_set(meld) for meld in numbered[: melds.SETS])
    assert all(reference.is_run(meld) for meld in numbered[melds.SETS :])


def test_numbers_and_texts_lead_back_to_each_meld() -> None:
    for meld in range(melds.MELDS):
        cards = int(melds.meld_cards(meld))
        assert melds.meld_number(cards) == meld
        assert melds.find_meld(cards) == meld
        assert melds.is_run(cards) == reference.is_run(from_mask(cards))
        assert melds.format_meld(meld) == " ".join(in_order(from_mask(cards)))
        assert melds.parse_meld(melds.format_meld(meld)) == meld


@pytest.mark.parametrize("text", ["5h 6h", "5h 6h 8h", "Qs Ks As", "5h 5c", "Kc Ad 2d", "5h 6h 7d"])
def test_what_is_not_a_meld_is_named(text: str) -> None:
    assert melds.find_meld(mask(hand(text))) == NONE
    with pytest.raises(NotationError, match=f"not a meld: '{text}'"):
        melds.parse_meld(text)


def test_what_fits_each_meld() -> None:
    for meld in reference.ALL_MELDS:
        assert from_mask(melds.fitting(mask(meld))) == reference.fitting(meld)


# The plain searches are right


@pytest.mark.parametrize("size", [0, 3, 7, 10, 11])
def test_by_table_equals_the_sets(size: int) -> None:
    room = np.zeros(by_table.ROOM, dtype=np.int64)
    random, count = Random(size), scaled(4_000, 60)
    for number in range(count):
        cards = rich_hand(random, size) if number % 2 else frozenset(random.sample(PACK, size))
        found = by_table.melds(mask(cards), room)
        assert {from_mask(meld) for meld in room[:found]} == set(reference.melds(cards))
        for face_points in FACE_POINTS:
            cheapest = reference.cheapest_layouts(cards, face_points)
            assert by_table.deadwood(mask(cards), face_points, room) == reference.deadwood(
                cards, face_points
            )
            assert by_table.count_cheapest(mask(cards), face_points, room) == len(cheapest)


def test_layoffs_by_table_equal_the_sets() -> None:
    room, random = np.zeros(by_table.ROOM, dtype=np.int64), Random(1)
    for _ in range(scaled(3_000, 60)):
        opposing, cards = _knocked(random)
        table = _as_buffer(opposing)
        laid = from_mask(melds.layoff(mask(cards), table))
        every = reference.layoffs(cards, opposing)
        assert laid in every
        assert all(other <= laid for other in every)
        for face_points in FACE_POINTS:
            assert from_mask(by_table.layoff(mask(cards), table, face_points, room)) == laid


def test_defence_by_table_equals_the_sets() -> None:
    room, random = np.zeros(by_table.ROOM, dtype=np.int64), Random(2)
    buffer = np.zeros(melds.MELD_BUFFER, dtype=np.int64)
    for _ in range(scaled(1_000, 20)):
        opposing, cards = _knocked(random)
        table = _as_buffer(opposing)
        for face_points in FACE_POINTS:
            defended = by_table.defended_deadwood(mask(cards), table, face_points, room)
            assert defended == reference.defended_deadwood(cards, opposing, face_points)
            assert melds.defended_deadwood(mask(cards), table, face_points, buffer) == defended


def _knocked(random: Random) -> tuple[list[Hand], Hand]:
    """Some melds of a rich hand, and ten other cards around them."""
    knocker = rich_hand(random, 10)
    layouts = sorted(reference.layouts(knocker), key=lambda layout: sorted(map(sorted, layout)))
    opposing = random.choice(layouts)
    near: set[str] = set()
    for meld in opposing:
        longer = meld
        for _ in range(3):  # what fits at once, and what fits then
            longer |= reference.fitting(longer) if reference.is_run(longer) else frozenset()
        near |= (longer | reference.fitting(meld)) - knocker
    others = [card for card in PACK if card not in knocker and card not in near]
    wanted = random.sample(sorted(near), random.randint(0, min(10, len(near))))
    chosen = wanted + random.sample(others, 10 - len(wanted))
    return list(opposing), frozenset(chosen)


def _as_buffer(opposing: list[Hand]) -> Any:
    table = [mask(meld) for meld in opposing] + [0] * melds.LAYOUT
    return np.array(table[: melds.LAYOUT], dtype=np.int64)


# Millions of hands


def _check(hands: Any, face_points: int) -> None:
    different = by_table.first_difference(hands, face_points, *_buffers())
    assert different == -1, in_order(from_mask(hands[different]))


@pytest.mark.parametrize(
    ("size", "face_points", "compiled"),
    [(10, 10, 600_000), (11, 10, 600_000), (10, 13, 100_000), (11, 13, 100_000)],
)
def test_random_hands(size: int, face_points: int, compiled: int) -> None:
    _check(random_hands(scaled(compiled, 3_000), size, 5), face_points)


@pytest.mark.parametrize("size", [7, 10, 11])
@pytest.mark.parametrize("face_points", FACE_POINTS)
def test_rich_hands(size: int, face_points: int) -> None:
    _check(rich_hands(scaled(100_000, 1_000), size, 6), face_points)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5] if COMPILED else [0, 1, 2, 3])
def test_every_hand_of_up_to_five_cards(size: int) -> None:
    every = np.fromiter(
        (sum(1 << card for card in chosen) for chosen in combinations(range(52), size)),
        dtype=np.int64,
    )
    assert len(every) == [1, 52, 1_326, 22_100, 270_725, 2_598_960][size]
    _check(every, 10)


@pytest.mark.parametrize("face_points", FACE_POINTS)
def test_layoffs_on_random_knocks(face_points: int) -> None:
    """Knockers' hands are rich, so that there is something to lay off on."""
    count = scaled(150_000, 150)
    pairs = zip(rich_hands(2 * count, 10, 7), random_hands(2 * count, 10, 8), strict=True)
    knocks = np.array([(first, second) for first, second in pairs if not first & second])
    room, meld_buffer, layouts = _buffers()
    room = np.append(room, [0, 0, 0])
    knockers, defenders = knocks[:, 0].copy(), knocks[:, 1].copy()
    different = by_table.first_layoff_difference(
        knockers, defenders, face_points, room, meld_buffer, layouts
    )
    assert different == -1, [in_order(from_mask(cards)) for cards in knocks[different]]


# Thousands of hands against the sets themselves


@pytest.mark.parametrize("size", [9, 10, 11])
@pytest.mark.parametrize("face_points", FACE_POINTS)
def test_layouts_equal_the_sets(size: int, face_points: int) -> None:
    random = Random(20 + size)
    for number in range(scaled(3_000, 60)):
        cards = rich_hand(random, size) if number % 3 else frozenset(random.sample(PACK, size))
        found = _layouts(mask(cards), face_points)
        cheapest = reference.cheapest_layouts(cards, face_points)
        assert len(found) == len(cheapest)
        assert set(found) == cheapest
        assert _listed(mask(cards)) == set(reference.melds(cards))
        if melds.has_one_layout(mask(cards)):
            assert len(cheapest) == 1


@pytest.mark.parametrize("face_points", FACE_POINTS)
def test_deadwood_without_each_card(face_points: int) -> None:
    random = Random(31)
    for _ in range(scaled(600, 40)):
        cards = rich_hand(random, 11)
        held = mask(cards)
        whole, melded = melds.deadwood(held, face_points), melds.in_melds(held)
        for card in cards:
            without = melds.deadwood_without(held, PACK.index(card), melded, whole, face_points)
            assert without == reference.deadwood(cards - {card}, face_points)


def test_runs_and_sets_of_a_hand() -> None:
    random = Random(41)
    for _ in range(scaled(3_000, 300)):
        cards = rich_hand(random, 11)
        held = reference.melds(cards)
        runs = reference.melded(meld for meld in held if reference.is_run(meld))
        sets = reference.melded(meld for meld in held if reference.is_set(meld))
        starts = {in_order(meld)[0] for meld in held if reference.is_run(meld)}
        ranks = {PACK.index(card) % 13 for card in sets}
        assert from_mask(melds.in_runs(mask(cards))) == runs
        assert from_mask(melds.in_sets(mask(cards))) == sets
        assert from_mask(melds.in_melds(mask(cards))) == runs | sets
        joining = {
            card for card in range(52) if melds.in_melds(mask(cards) | 1 << card) >> card & 1
        }
        found = melds.completing(mask(cards))
        assert {card for card in range(52) if found >> card & 1} == {
            card for card in joining if not mask(cards) >> card & 1
        }
        assert from_mask(melds.run_starts(mask(cards))) == starts
        assert melds.set_ranks(mask(cards)) == sum(1 << rank for rank in ranks)


# Hands a player would remember


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ac 2c 3c 4d 5d 6d 7h 8h 9h Ks", 10),
        ("5h 6h 7h 7c 7d 9s", 20),  # the run leaves 7 7 9, the set 5 6 9
        ("7c 7d 7h 7s 5h 6h 8h 9h", 0),  # three sevens, and 5 6 7 8 9 of hearts
        ("Qs Ks As", 21),  # no corner to turn
        ("Kc Ad 2d 3d", 10),  # suits do not join
        ("3c 3d 3h 4c 4d 4h 5c 5d 5h", 0),  # either all sets or all runs
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", 0),
    ],
)
def test_deadwood_of_known_hands(text: str, expected: int) -> None:
    assert reference.deadwood(hand(text)) == expected
    assert melds.deadwood(mask(hand(text)), 10) == expected


@pytest.mark.parametrize(
    ("cards", "opposing", "laid"),
    [
        ("8h 9h Th Kc", ["5h 6h 7h"], "8h 9h Th"),  # a chain
        ("3h 4h 8h Kc", ["5h 6h 7h"], "3h 4h 8h"),  # both ends
        ("7s Kc", ["7c 7d 7h"], "7s"),
        ("8h 9h", ["5h 6h 7h", "8c 8d 8s"], "8h 9h"),  # the eight must go to the run
        ("6h", ["3h 4h 5h", "7h 8h 9h"], "6h"),  # it fits two runs
        ("Ah Kd", ["Qh Kh Jh"], ""),  # no corner to turn
        ("As", ["Jh Qh Kh"], ""),  # suits do not join
        ("5c", ["5d 5h 5s"], "5c"),
        ("9h", ["5h 6h 7h"], ""),  # not next to it
    ],
)
def test_known_layoffs(cards: str, opposing: list[str], laid: str) -> None:
    table = _as_buffer([hand(meld) for meld in opposing])
    assert from_mask(melds.layoff(mask(hand(cards)), table)) == hand(laid)


def test_own_melds_and_layoffs_are_weighed_together() -> None:
    """Keeping 8h out of the own set lets three hearts go on the knocker's run."""
    opposing = [hand("5h 6h 7h")]
    cards = hand("8c 8d 8h 9h Th 2s")
    buffer = np.zeros(melds.MELD_BUFFER, dtype=np.int64)
    joint = melds.defended_deadwood(mask(cards), _as_buffer(opposing), 10, buffer)
    assert joint == reference.defended_deadwood(cards, opposing) == 18
    own_first = cards - hand("8c 8d 8h")
    assert reference.deadwood_after_layoffs(own_first, opposing) == 21


# Buffers


def test_no_hand_of_eleven_has_more_melds_than_the_buffer() -> None:
    """Runs: n cards in a row hold (n - 1)(n - 2) / 2, most when all are in one row.

    Sets: five in four of a kind, one in three. Eleven cards cannot beat both at once.
    """
    most_runs = 10 * 9 // 2
    most_sets = 5 + 5 + 1
    assert len(_listed(mask(PACK[:11]))) == most_runs
    assert most_runs + most_sets <= melds.MELD_BUFFER


@pytest.mark.parametrize(("size", "most"), [(10, 9), (11, 13)])
def test_the_most_layouts_that_a_hand_has(size: int, most: int) -> None:
    """The most are in one long run, which can be cut in many ways: no other hand came near.

    Ties come from cards of equal points, so the tens and faces are tried in full.
    """
    _, meld_buffer, layouts = _buffers()
    row = np.array([mask(PACK[:size])])
    assert by_table.most_layouts(row, 0, generator(1), meld_buffer, layouts) == most
    tens = [card for card in range(52) if card % 13 >= 9]
    chosen = list(combinations(tens, size))[:: scaled(1, 40)]
    faces = np.array([sum(1 << card for card in cards) for cards in chosen])
    assert by_table.most_layouts(faces, 0, generator(1), meld_buffer, layouts) <= most
    rich = rich_hands(scaled(300, 10), size, 9)
    climbed = by_table.most_layouts(rich, scaled(1_000, 50), generator(2), meld_buffer, layouts)
    assert climbed <= most
