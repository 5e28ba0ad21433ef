"""How networks see every game that says so: bits in their places, one number for each answer."""

from random import Random
from typing import Any

import numpy as np

from positions import fresh_tables, lively_walk
from rulesets import every_game, sample
from undercut.games.contract import Game
from undercut.games.table.position import format_position, parse_position
from undercut.kernels.records import pack
from undercut.play.deal import Deal
from undercut.players.encoding import Encoding, encoding_of


def _words(encoding: Encoding, view: Any, options: Any) -> list[int]:
    """Into memory that holds anything before."""
    words = np.full(len(encoding.planes), -1, dtype=np.int64)
    encoding.encode(view, options, words)
    found: list[int] = words.tolist()
    return found


def _positions(game: Game) -> Any:
    for table in fresh_tables(game, sample(game, 12, 1), Random(71)):
        for _ in lively_walk(table, Random(72)):
            if not table.is_over:
                yield table


@every_game
def test_bits_are_where_they_belong(game: Game) -> None:
    if not game.family.encoding:
        return
    encoding, seen, full = encoding_of(game), set(), [0] * len(encoding_of(game).planes)
    assert max(encoding.planes) <= 62, "a word stays above 0"
    for table in _positions(game):
        words = _words(encoding, table.view(), table.options)
        for place, (word, width) in enumerate(zip(words, encoding.planes, strict=True)):
            assert 0 <= word < 1 << width
            full[place] |= word
        seen.add(tuple(words))
    assert len(seen) > 10, "positions look different"
    assert sum(word > 0 for word in full) > len(full) // 3


@every_game
def test_answers_have_numbers_of_their_own(game: Game) -> None:
    if not game.family.encoding:
        return
    encoding, asked = encoding_of(game), 0
    for table in _positions(game):
        if encoding.is_asked(table.view(), 0):
            asked += 1
            numbers = [encoding.output_of(action) for action in table.actions()]
            assert len(set(numbers)) == len(numbers)
            assert all(0 <= number < encoding.outputs for number in numbers)
        assert not encoding.is_asked(table.view(), 1)
    assert asked > 10


@every_game
def test_what_is_revealed_is_hidden(game: Game) -> None:
    """Every card of the other hands, and none of one's own."""
    if not game.family.encoding:
        return
    encoding = encoding_of(game)
    for table in _positions(game):
        words = np.full(len(encoding.hidden), -1, dtype=np.int64)
        encoding.reveal(table.state, table.options, table.seat, words)
        hands = [int(table.state["hands"][seat]) for seat in range(game.seats)]
        others = hands[table.seat + 1 :] + hands[: table.seat]
        assert words.tolist() == others + [0] * (len(words) - len(others))


@every_game
def test_a_position_that_is_read_looks_the_same(game: Game) -> None:
    """What a network sees is in the view, and the view in its text."""
    if not game.family.encoding:
        return
    encoding, deal = encoding_of(game), Deal(game, seed=5)
    options = pack(game.options)
    for _ in range(sample(game, 60, 8)):
        if deal.is_over:
            break
        again = parse_position(format_position(game, deal.observe()))[1]
        assert _words(encoding, deal.observe(), options) == _words(encoding, again, options)
        deal.apply(deal.actions[-1])
