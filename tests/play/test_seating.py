"""Who sits where, for two to eight players; and whole games of more than two."""

import json
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from positions import scaled
from undercut.games.families import parse_game
from undercut.kernels import rng
from undercut.play.agent import KernelAgent
from undercut.play.batch import play_batch
from undercut.play.job import Backend
from undercut.play.match import play_match
from undercut.play.records.record import parse_record, verify
from undercut.play.records.trace import record_of
from undercut.play.seating import groups_of, line_ups, seatings
from undercut.play.seeds import Purpose
from undercut.play.series import make_series
from undercut.players.catalog import parse_agent

pytestmark = pytest.mark.compiled  # text in plain Python, around kernels that others test

TRACE = 20_000


def line_up(seats: int, game: str = "pharaoh:max_moves=30") -> tuple[Any, list[KernelAgent]]:
    """A game of many, and agents that are not the same one."""
    rule_set = parse_game(game, seats)
    return rule_set, [parse_agent("random", rule_set) for _ in range(seats)]


def orders_of(agents: Any, seed: int, count: int, first: int = 0) -> Any:
    """Who sits where in some games of these agents."""
    game = parse_game("pharaoh", len(agents))
    return line_ups(make_series(game, agents, seed), first, count)


def slow_orders(agents: Any, seed: int, count: int) -> list[list[int]]:
    """The same, worked out anew from what seating.py says."""
    orders, groups = seatings(agents), groups_of(agents)
    found = []
    for number in range(count):
        round_number, place = divmod(number, len(orders))
        lots = {
            agent: int(rng.derive(seed, Purpose.SEATING, round_number, agent))
            for agent in range(len(agents))
        }
        sitting = {}
        for group in set(groups):
            members = [agent for agent in range(len(agents)) if groups[agent] == group]
            by_lot = sorted(members, key=lots.__getitem__)
            sitting |= dict(zip(members, by_lot, strict=True))
        found.append([sitting[agent] for agent in orders[place]])
    return found


@pytest.mark.parametrize("agents", ["ab", "aa", "abc", "aab", "abba", "aaaa", "abcde", "abacadae"])
def test_the_kernel_seats_players_as_the_page_says(agents: str) -> None:
    assert orders_of(agents, 11, 60).tolist() == slow_orders(agents, 11, 60)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_up_to_four_sit_down_in_every_order(seats: int) -> None:
    orders = orders_of("abcd"[:seats], 1, 3 * factorial(seats))
    once = [list(order) for order in permutations(range(seats))]
    assert orders.tolist() == 3 * once


@pytest.mark.parametrize("seats", [5, 6, 7, 8])
def test_five_and_more_move_on_by_one_seat(seats: int) -> None:
    orders = orders_of("abcdefgh"[:seats], 1, 40 * seats).reshape(40, seats, seats)
    for games in orders:
        assert (np.sort(games, axis=0) == np.arange(seats)[:, None]).all(), "everybody everywhere"
        assert (np.sort(games, axis=1) == np.arange(seats)).all(), "nobody twice"
    assert len({tuple(games[0]) for games in orders.tolist()}) > 30


def test_over_many_rounds_every_order_of_five_occurs() -> None:
    orders = orders_of("abcde", 1, 5 * scaled(400, 200))
    assert len({tuple(order) for order in orders.tolist()}) == factorial(5)


def test_an_agent_does_not_change_places_with_itself() -> None:
    same, other = object(), object()
    orders = orders_of([same, other, same, same], 1, 4 * scaled(600, 300))
    rounds = orders.reshape(-1, 4, 4)
    for games in rounds:
        assert sorted((games == 1).argmax(axis=1)) == [0, 1, 2, 3], "the other sits everywhere"
    assert (np.sort(orders, axis=1) == np.arange(4)).all()
    for agent in (0, 2, 3):  # by lot, so about a quarter of the games in each seat
        seats = np.bincount((orders == agent).argmax(axis=1), minlength=4) / len(orders)
        assert seats == pytest.approx([0.25] * 4, abs=0.05)
    assert len(seatings([same, same, same])) == 1
    assert seatings([same, same]) == [(0, 1), (1, 0)], "two always exchange seats"


@pytest.mark.parametrize("agents", ["abc", "aab", "abcdef"])
def test_a_series_can_be_divided_and_depends_on_the_seed(agents: str) -> None:
    whole = orders_of(agents, 7, 60)
    parts = [orders_of(agents, 7, 20, first) for first in (0, 20, 40)]
    assert (whole == np.concatenate(parts)).all()
    draws_lots = agents != "abc"
    assert (orders_of(agents, 8, 60) != whole).any() == draws_lots


@pytest.mark.parametrize("seats", [3, 5])
def test_a_round_plays_the_same_deal(seats: int) -> None:
    game, agents = line_up(seats)
    size = len(seatings(agents))
    batch = play_batch(game, agents, 2 * size, 1, trace=TRACE)
    assert batch.games_in_round == size
    hands = [parse_record(record_of(batch, index)).events[0].hands for index in range(2 * size)]
    assert all(hand == hands[0] for hand in hands[:size])
    assert all(hand == hands[size] for hand in hands[size:])
    assert hands[0] != hands[size]
    assert batch.scores.sum() == batch.results.scores.sum()
    assert batch.shares.sum(axis=1) == pytest.approx(np.ones(2 * size))


class Watched:
    """An agent written in Python that plays as a kernel agent does."""

    name = "watched"

    def __init__(self, agent: Any) -> None:
        self.agent = agent

    def act(self, view: Any, legal: list[int], random: Any) -> int:
        return int(self.agent.act(view, legal, random))


def test_threads_lock_step_and_the_checked_door_play_the_same_games_of_many() -> None:
    game, agents = line_up(5)
    count = scaled(20, 5)
    fused = play_batch(game, agents, count, 3, trace=TRACE, backend=Backend(workers=1))
    threaded = play_batch(game, agents, count, 3, trace=TRACE, backend=Backend(workers=2))
    stepped = play_batch(game, [Watched(agents[0]), *agents[1:]], count, 3, trace=TRACE)
    assert fused.results.tobytes() == threaded.results.tobytes()
    assert fused.traces.tobytes() == stepped.traces.tobytes()
    assert (fused.lineups == stepped.lineups).all()
    for number in (0, 3):
        players = [agents[agent] for agent in fused.lineups[number]]
        match = play_match(game, players, 3, number=number, pair=0)
        assert match.scores == fused.results.scores[number, :5].tolist()


@pytest.mark.parametrize("seats", [3, 8])
def test_records_of_many_players_verify_for_everyone(seats: int) -> None:
    game, agents = line_up(seats)
    batch = play_batch(game, agents, seats, 8, trace=TRACE)
    schema = Path(__file__).parents[2] / "src/undercut/schemas/record.schema.json"
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    for seat in (None, 0, seats - 1):
        for line in record_of(batch, 1, seat).splitlines():
            validator.validate(json.loads(line))
        record = parse_record(record_of(batch, 1, seat))
        assert len(record.header.players) == seats
        assert verify(record).scores == batch.results.scores[1, :seats].tolist()
        if seat is not None:
            others = [hand for place, hand in enumerate(record.events[0].hands) if place != seat]
            assert others == [None] * (seats - 1)
