"""The joint belief of every game that networks see: legal hands, a function of the view alone."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from contract.redeal import redealt
from joint_networks import random_belief, slow_sample
from positions import Table, fresh_tables, generator, lively_walk, scaled
from rulesets import each_of, sample
from undercut.games.contract import Game
from undercut.games.families import all_families
from undercut.kernels.records import new, pack
from undercut.players.encoding import encoding_of
from undercut.players.joint.belief import read_limits

PRESETS = [name for family in all_families() if family.encoding for name in family.rules.PRESETS]
ODD = ["pharaoh:players=5", "distilled+knock+upcard", "gin:knock_face_down=1"]
every_game = each_of([*PRESETS, *ODD])


def _positions(game: Game, seed: int, count: int) -> Iterator[Table]:
    for table in fresh_tables(game, count, Random(seed)):
        for _ in lively_walk(table, Random(seed)):
            yield table.copy()


def _limits(game: Game, view: Any) -> tuple[list[int], list[tuple[int, int, int]]]:
    """The known cards of each hidden hand, and the draws: hand, cards, count."""
    encoding = encoding_of(game)
    words = np.full(encoding.limits, -1, dtype=np.int64)
    encoding.limit(view, pack(game.options), words)
    known, draws = read_limits(words, encoding, game.seats - 1)
    return known.tolist(), [(draw.hand, draw.pool, draw.count) for draw in draws]


def _other_hands(game: Game, state: Any, me: int) -> list[int]:
    return [int(state["hands"][(me + i) % game.seats]) for i in range(1, game.seats)]


def _check_hands(hands: list[int], known: list[int], draws: list[tuple[int, int, int]]) -> None:
    """Known cards are in, impossible ones are out, sizes are exact, no card is in two hands."""
    assert (
        sum(map(int.bit_count, hands)) == np.bitwise_or.reduce(np.array(hands)).item().bit_count()
    )
    for number, (hand, certain) in enumerate(zip(hands, known, strict=True)):
        assert certain & ~hand == 0
        rest = hand & ~certain
        for at, pool, count in draws:
            if at == number:
                assert (rest & pool).bit_count() == count
                rest &= ~pool
        assert rest == 0


@every_game
def test_limits_hold_for_the_true_hands_and_for_every_determinization(game: Game) -> None:
    """After every action and for every seat, also one that is not on turn."""
    options, random, state = pack(game.options), generator(3), new(game.rules.STATE, 1)[0]
    for table in _positions(game, 31, sample(game, 6, 1)):
        for me in range(game.seats):
            view = table.view(me)
            known, draws = _limits(game, view)
            _check_hands(_other_hands(game, table.state, me), known, draws)
            game.rules.complete(view, options, random, state)
            _check_hands(_other_hands(game, state, me), known, draws)


@every_game
def test_every_possible_card_is_in_some_determinization(game: Game) -> None:
    """The limits are no wider than the rules': what is possible happens."""
    options, random, state = pack(game.options), generator(4), new(game.rules.STATE, 1)[0]
    tables = list(fresh_tables(game, 1, Random(32)))
    for table in tables:
        for _ in lively_walk(table, Random(33)):
            if len(table.played) not in (4, 9):
                continue
            view, me = table.view(), table.seat
            known, draws = _limits(game, view)
            found = list(known)
            for _ in range(scaled(600, 300)):
                game.rules.complete(view, options, random, state)
                hands = _other_hands(game, state, me)
                found = [old | new for old, new in zip(found, hands, strict=True)]
            for hand, pool, _ in draws:
                assert pool & ~found[hand] == 0


@every_game
def test_sampled_hands_are_possible(game: Game) -> None:
    belief = random_belief(game)
    for table in list(_positions(game, 34, 1))[:: scaled(3, 9)]:
        for me in range(game.seats):
            view = table.view(me)
            known, draws = _limits(game, view)
            hands = belief.sample(view, scaled(9, 3), seed=me)
            assert hands.shape == (scaled(9, 3), game.seats - 1)
            for row in hands.tolist():
                _check_hands(row, known, draws)


@every_game
def test_samples_are_those_of_a_slow_twin(game: Game) -> None:
    belief, compared = random_belief(game), 0
    for table in list(_positions(game, 35, 1))[:: scaled(4, 12)]:
        view = table.view()
        _, draws = _limits(game, view)
        if draws:
            found = belief.sample(view, 6, seed=compared)
            assert found.tolist() == slow_sample(belief, view, 6, seed=compared)
            assert found[:4].tolist() == belief.sample(view, 4, seed=compared).tolist()
            compared += 1
    assert compared >= 1


@every_game
def test_hidden_cards_change_nothing(game: Game) -> None:
    belief, compared = random_belief(game), 0
    for number, table in enumerate(_positions(game, 36, 1)):
        if table.is_over or compared >= scaled(12, 2):
            continue
        twin = redealt(table, table.seat, Random(number))
        if twin is not None:
            mine, other = table.view(), twin.view(table.seat)
            assert (belief.sample(mine, 5) == belief.sample(other, 5)).all()
            assert (belief.marginals(mine) == belief.marginals(other)).all()
            compared += 1
    assert compared >= scaled(3, 1)


@every_game
def test_marginals_are_those_of_hands(game: Game) -> None:
    belief = random_belief(game)
    for table in list(_positions(game, 37, 1))[:: scaled(2, 7)]:
        view = table.view()
        known, draws = _limits(game, view)
        found = belief.marginals(view)
        assert found.shape == (game.seats - 1, encoding_of(game).hidden[0])
        assert ((found >= 0) & (found <= 1)).all()
        for hand, certain in enumerate(known):
            count = sum(count for at, _, count in draws if at == hand)
            assert found[hand].sum() == pytest.approx(certain.bit_count() + count)
            possible = certain
            for at, pool, _ in draws:
                possible |= pool if at == hand else 0
            for card, chance in enumerate(found[hand].tolist()):
                if certain >> card & 1:
                    assert chance == 1
                elif not possible >> card & 1:
                    assert chance == 0
