"""The observation of Gin, against a slow twin that reads the same view in plain Python."""

from random import Random
from typing import Any

import numpy as np
import pytest

from games.gin.positions import noted_turns
from positions import Table, fresh_tables, lively_walk, scaled
from rulesets import NAMES, chance_of, sample, some_of
from undercut.cards.french import NONE, each
from undercut.cards.melds import deadwood
from undercut.games.families import parse_game
from undercut.games.gin.players.network import encoding
from undercut.games.gin.rules.layout import Phase
from undercut.players.encoding import encoding_of

RULE_SETS = [name for name in NAMES if parse_game(name).rules.NAME == "gin"]


def _bits(cards: Any) -> set[int]:
    return set(each(int(cards)))


def _planes(table: Table, view: Any) -> list[set[int]]:
    words = np.full(len(encoding.SEEN.planes), -1, dtype=np.int64)
    encoding.encode(view, table.options, words)
    for word, width in zip(words.tolist(), encoding.SEEN.planes, strict=True):
        assert 0 <= word < 1 << width
    return [_bits(word) for word in words]


def _one(card: int) -> set[int]:
    return {card} if card >= 0 else set()


def _thermometer(number: int, most: int, first: int = 0) -> set[int]:
    return {first + i for i in range(min(max(number, 0), most))}


def _twin(table: Table, view: Any) -> list[set[int]]:
    """The same planes, found with sets and lists."""
    me, turns, options = int(view.me), range(int(view.turn)), table.options
    drawn, thrown = zip(*noted_turns(view), (NONE, NONE), strict=True)
    offered = [int(view.first_upcard), *thrown]
    was_taken = [drawn[turn] >= 0 and drawn[turn] == offered[turn] for turn in turns]
    hand, points = int(view.hand), int(options.face_points)
    mine = [turn for turn in turns if (int(view.opener) + turn) % 2 == me][::-1]
    his = [turn for turn in turns if turn not in mine][::-1]
    upcard = _one(int(view.upcard))
    refused = set()
    for turn in his:
        if not was_taken[turn]:
            refused |= _one(offered[turn])
    melded = {card for card in each(hand) if _is_in_meld(hand, card)}
    left = {
        card: int(deadwood(hand & ~(1 << card), points))
        for card in each(hand)
        if card != view.taken
    }
    at_discard = view.phase == Phase.DISCARD
    least = min(left.values()) if at_discard else int(deadwood(hand, points))
    best = {card for card, rest in left.items() if rest == least} if at_discard else set()
    takes = [drawn[turn] for turn in his if was_taken[turn]]
    planes = [
        _bits(hand),
        upcard,
        _bits(view.pile) - upcard,
        _bits(view.theirs),
        {thrown[turn] for turn in his if thrown[turn] >= 0},
        refused,
        _bits(view.shown),
        melded,
        best,
    ]
    for seat in (mine, his):
        planes += [_one(thrown[seat[i]]) if i < len(seat) else set() for i in range(3)]
    planes.append(_one(takes[0]) if takes else set())
    course = {min(int(view.phase), 2)} | _thermometer(int(view.passes), 1, 3)
    course |= {4} if view.starter == view.me else set()
    course |= {5} if view.taken >= 0 else set()
    planes.append(course | _thermometer(int(view.stock), 32, 6))
    planes.append({min(least, 30)} | _thermometer(least // 6, 11, 31))
    scores = [25 * int(view.scores[seat]) // int(options.target) for seat in (me, 1 - me)]
    planes.append(_thermometer(scores[0], 25) | _thermometer(scores[1], 25, 25))
    planes.append(_rules(options))
    took = {24 + i for i, turn in enumerate(mine[:8]) if was_taken[turn]}
    took |= {32 + i for i, turn in enumerate(his[:8]) if was_taken[turn]}
    planes.append(_thermometer(int(view.turn), 24) | took)
    offer = set() if at_discard else _offer(view, hand, least, points)
    planes.append(offer | _thermometer(_limit(view, options), 13, 12))
    return planes


def _is_in_meld(hand: int, card: int) -> bool:
    rank, suit = card % 13, card // 13
    alike = sum(hand >> (13 * each_suit + rank) & 1 for each_suit in range(4))
    held = [bool(hand >> (13 * suit + each_rank) & 1) for each_rank in range(13)]
    low, high = rank, rank
    while low > 0 and held[low - 1]:
        low -= 1
    while high < 12 and held[high + 1]:
        high += 1
    return alike >= 3 or high - low >= 2


def _rules(options: Any) -> set[int]:
    flags = [options.knock, options.upcard, options.automatic_gin, options.layoffs]
    flags.append(options.face_points > 10)
    bits = {i for i, flag in enumerate(flags) if flag}
    bits |= _thermometer(options.gin_bonus // 5, 5, 5)
    bits |= _thermometer(options.undercut_bonus // 5, 5, 10)
    return bits | _thermometer(options.target // 25, 4, 15)


def _limit(view: Any, options: Any) -> int:
    """The most deadwood to knock with."""
    if not options.oklahoma:
        return int(options.knock_limit)
    rank = int(view.first_upcard) % 13
    return [0, *range(2, 11), *([10] * 3 if options.face_points == 10 else [11, 12, 13])][rank]


def _offer(view: Any, hand: int, least: int, points: int) -> set[int]:
    if view.upcard < 0:
        return set()
    joined = hand | 1 << int(view.upcard)
    makes_meld = {0} if _is_in_meld(joined, int(view.upcard)) else set()
    return makes_meld | _thermometer(least - int(deadwood(joined, points)), 11, 1)


@pytest.mark.parametrize("name", some_of(RULE_SETS))
def test_the_planes_are_those_of_the_twin(name: str) -> None:
    game, seen = parse_game(name), set()
    random = chance_of(game, 5)
    for table in fresh_tables(game, sample(game, 30, 4), random):
        for _ in lively_walk(table, random):
            view = table.view()
            if table.is_over or not encoding.is_asked(view, 0):
                continue
            assert _planes(table, view) == _twin(table, view)
            seen.add(int(view.phase))
    assert {Phase.DRAW, Phase.DISCARD} <= seen


def test_every_answer_has_a_number_of_its_own() -> None:
    game, random = parse_game("gin"), Random(8)
    for table in fresh_tables(game, scaled(15, 3), Random(7)):
        for _ in lively_walk(table, random):
            view = table.view()
            if table.is_over or not encoding.is_asked(view, 0):
                continue
            numbers = [encoding.output_of(action) for action in table.actions()]
            assert len(set(numbers)) == len(numbers)
            assert all(0 <= number < encoding.OUTPUTS for number in numbers)
            assert not encoding.is_asked(view, 1), "only the first network decides"


def test_what_is_revealed_is_the_other_hand() -> None:
    game = parse_game("gin")
    for table in fresh_tables(game, 5, Random(9)):
        words = np.zeros(len(encoding_of(game).hidden), dtype=np.int64)
        for seat in range(2):
            encoding.ENCODING.reveal(table.state, table.options, seat, words)
            assert int(words[0]) == int(table.state["hands"][1 - seat])
