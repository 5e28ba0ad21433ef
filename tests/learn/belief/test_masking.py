"""The part of the hidden hands that is given in training, against a slow twin."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from positions import Table, fresh_tables, lively_walk, scaled
from simulated import on_simulated_gpu
from undercut.games.families import parse_game
from undercut.kernels.records import Array, Records, new, pack
from undercut.learn.belief.kernels import mask_rows
from undercut.play.vector.rows import RowKernel
from undercut.players.encoding import encoding_of

GAMES = ["gin", "rummy", "pharaoh:players=4"]


def positions_of(name: str, deals: int) -> tuple[Array, Array, Records]:
    """The hidden words, the limits and the views of some positions."""
    game = parse_game(name)
    encoding, options = encoding_of(game), pack(game.options)
    hidden, limits, views = [], [], []
    for table in fresh_tables(game, deals, Random(8)):
        for _ in lively_walk(table, Random(9)):
            hidden.append(np.zeros(len(encoding.hidden), dtype=np.int64))
            limits.append(np.zeros(encoding.limits, dtype=np.int64))
            views.append(table.view())
            _read(table, options, hidden[-1], limits[-1])
    kept = new(game.rules.VIEW, len(views))
    for row, view in enumerate(views):
        kept[row] = view
    return np.array(hidden), np.array(limits), kept


def _read(table: Table, options: Any, hidden: Array, limits: Array) -> None:
    encoding = encoding_of(table.game)
    encoding.reveal(table.state, options, table.seat, hidden)
    encoding.limit(table.view(), options, limits)


def _masked(name: str, hidden: Array, limits: Array, randoms: Array) -> tuple[Array, Array, Array]:
    encoding = encoding_of(parse_game(name))
    slots = len(encoding.hidden) * encoding.pools
    counts, rows = (hidden.shape[1], slots, slots), len(hidden)
    given, rest, possible = (np.full((rows, count), -1, dtype=np.int64) for count in counts)
    kernel = RowKernel(mask_rows, name.partition(":")[0], "cpu", pools=encoding.pools)
    kernel(rows, hidden, limits, randoms, given, rest, possible)
    return given, rest, possible


def _slow(hidden: list[int], limits: list[int], randoms: list[float], pools: int) -> Any:
    """Lists of cards in place of masks."""
    masks, known, order = limits[:pools], limits[pools :: 1 + pools], []
    for hand, cards in enumerate(hidden):
        for pool in range(pools):
            free = cards & masks[pool] & ~known[hand]
            order.append([card for card in range(52) if free >> card & 1])
    total = sum(map(len, order))
    left = min(int(randoms[0] * total), total - 1)
    given = [{card for card in range(52) if cards >> card & 1} for cards in known]
    place, rest = 1, []
    for slot, cards in enumerate(order):
        wanted = max(0, min(left, len(cards)))
        left -= wanted
        missing = []
        for number, card in enumerate(cards):
            if randoms[place] * (len(cards) - number) < wanted:
                given[slot // pools].add(card)
                wanted -= 1
            else:
                missing.append(card)
            place += 1
        rest.append(missing)
    used = set().union(*given)
    possible = [
        [card for card in range(52) if masks[slot % pools] >> card & 1 and card not in used]
        for slot in range(len(order))
    ]
    return [
        [sum(1 << card for card in part) for part in found] for found in (given, rest, possible)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_random_part_is_given_as_by_the_slow_twin(name: str) -> None:
    hidden, limits, _ = positions_of(name, scaled(12, 2))
    cards = encoding_of(parse_game(name)).hidden[0]
    randoms = np.random.default_rng(1).random((len(hidden), 1 + cards), dtype=np.float32)
    randoms[0] = np.float32(1) - np.float32(2**-24)
    found = _masked(name, hidden, limits, randoms)
    pools = encoding_of(parse_game(name)).pools
    for row, numbers in enumerate(zip(hidden.tolist(), limits.tolist(), strict=True)):
        expected = _slow(*numbers, randoms[row].tolist(), pools)
        assert [part[row].tolist() for part in found] == expected


def test_every_part_of_a_hand_is_equally_likely() -> None:
    hidden, limits, _ = positions_of("gin", 1)
    rows = 20_000
    randoms = np.random.default_rng(2).random((rows, 53), dtype=np.float32)
    given, rest, possible = _masked(
        "gin", np.repeat(hidden[:1], rows, 0), np.repeat(limits[:1], rows, 0), randoms
    )
    sizes = np.bincount(np.bitwise_count(given[:, 0]), minlength=10)
    assert sizes.sum() == rows
    assert len(sizes) == 10, "a card is always missing"
    assert abs(sizes / rows - 0.1).max() < 0.01
    held = np.array(
        [(given[:, 0] >> card & 1).mean() for card in range(52) if hidden[0, 0] >> card & 1]
    )
    assert abs(held - 0.45).max() < 0.015
    assert ((given | rest) == hidden[0, 0]).all()
    assert (rest & ~possible == 0).all()


ON_GPU = """
import numpy as np
from learn.belief.test_masking import GAMES, positions_of
from undercut.games.families import parse_game
from undercut.kernels.records import pack
from undercut.learn.belief.kernels import mask_rows
from undercut.play.vector.rows import RowKernel, encode_rows
from undercut.players.encoding import encoding_of

for name in GAMES:
    hidden, limits, views = positions_of(name, 1)
    game, encoding = parse_game(name), encoding_of(parse_game(name))
    found = np.zeros_like(limits)
    limit = RowKernel(encode_rows, name, "cuda", encode=encoding.limit)
    limit(len(found), views, np.array([pack(game.options)]).view(np.recarray), found)
    assert (found == limits).all()
    randoms = np.random.default_rng(1).random((len(hidden), 1 + encoding.hidden[0]), dtype="f4")
    slots = hidden.shape[1] * encoding.pools
    both = []
    for device in ("cpu", "cuda"):
        out = [np.zeros((len(hidden), count), "i8") for count in (hidden.shape[1], slots, slots)]
        kernel = RowKernel(mask_rows, game.rules.NAME, device, pools=encoding.pools)
        kernel(len(hidden), hidden, limits, randoms, *out)
        both.append(out)
    assert all((mine == other).all() for mine, other in zip(*both, strict=True))
print("the same")
"""


@pytest.mark.compiled
def test_a_gpu_limits_and_masks_the_same() -> None:
    tests = str(Path(__file__).parents[2])
    program = f"import sys\nsys.path.insert(0, {tests!r})\n{ON_GPU}"
    assert on_simulated_gpu(program).strip() == "the same"
